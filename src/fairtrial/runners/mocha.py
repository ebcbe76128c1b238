"""How a Mocha suite is run, kept to the asked tests from inside, and what it told.

Mocha's own filters match parts of titles and its order is that of files; so a file of
ours that Node loads first takes over how files are loaded, and writes the report.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Mapping
from typing import Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.runners import (
    Command,
    Detected,
    Order,
    Selection,
    SuiteResult,
    TriedTree,
)
from fairtrial.runners.javascript import packages
from fairtrial.runners.javascript.injecting import injected
from fairtrial.runners.javascript.names import file_of, place_of, widen
from fairtrial.runners.javascript.packages import environment, invocation
from fairtrial.runners.javascript.told import PLAN, list_plan, plan_of, results_of
from fairtrial.runners.reports.plain import keeps_out
from fairtrial.runners.reports.watched import watched_command

__all__ = [
    "again",
    "channelled",
    "detect",
    "environment",
    "file_of",
    "forks",
    "keeps_out",
    "list_command",
    "place_of",
    "read_results",
    "run_command",
    "setup",
    "tools",
    "widen",
]

_OWN: Final = (
    "fairtrial_mocha.cjs",
    "fairtrial_mocha_run.cjs",
    "fairtrial_report.cjs",
    "fairtrial_ids.cjs",
)
#: Mocha's own name, and that of the wrapper that compiles TypeScript for it.
_CALLED: Final = ("mocha", "ts-mocha")


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    return _command(command, plan_of(selection, places), selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    plan = list_plan(selection, order, places)
    return _command(command, plan, selection, places)


def _command(
    command: str, plan: bytes, selection: Selection, places: Places
) -> Command:
    own = f"--require={json.dumps(str(places.inputs / _OWN[0]))}"
    # Appended: what the suite's own environment has Node load comes first.
    script = (
        f"FAIRTRIAL_MOCHA={shlex.quote(own)}\n"
        'NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }$FAIRTRIAL_MOCHA"\n'
        "export FAIRTRIAL_MOCHA NODE_OPTIONS\n"
        f"{command}\n"
    )
    return watched_command(
        script,
        selection,
        places,
        growing=("report-*.jsonl",),
        env={
            **environment(places, offline=True),
            "FAIRTRIAL_PLAN": str(places.inputs / PLAN),
        },
        inputs={**injected(*_OWN), PLAN: plan},
        # Node has no signal that prints its stacks.
        first=0,
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    return results_of("Mocha", selection, output, tree, places)


def again(test: TestId) -> TestId | None:
    """Mocha runs a test once in a process."""
    return None


def forks() -> bool:
    """A process of Node can't be forked with what it holds."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each package whose test script calls Mocha."""
    found: list[Detected] = []
    for package in packages.packages(paths, read):
        calls = (invocation(package, name) for name in _CALLED)
        command = next((call for call in calls if call is not None), None)
        if command is None:
            continue
        where = f"{package.folder}/" if package.folder else ""
        found.append(
            Detected(
                name=f"mocha-{package.folder.replace('/', '-')}" if where else "mocha",
                runner="mocha",
                command=command,
                folder=package.folder,
                because=f"{where}{packages.MANIFEST} calls it",
            )
        )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """What the lock file or the manifest demands; see `javascript.packages`."""
    return packages.setup_of(files, folder)


def tools() -> tuple[str, ...]:
    """Node, with the npm that came with it."""
    return ("node", "npm", "npx")


def channelled() -> bool:
    """The reporter is in the process of the tests, which can write its file, too."""
    return False
