"""How a Playwright Test suite is run, kept to the asked tests, and what it told.

A trial starts the suite's command twice, to list the tests and to run the asked ones;
a file of ours that Node loads first adds the words that make it do so.
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
    "fairtrial_playwright.cjs",
    "fairtrial_playwright_reporter.cjs",
    "fairtrial_report.cjs",
    "fairtrial_ids.cjs",
)
#: Below the outputs: which files could not be loaded when the tests were listed.
_BROKEN: Final = "broken.json"
_WANTED: Final = "@playwright/test"


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    plan = plan_of(selection, places)
    return _command(command, plan, selection, places, run=True)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests; their order is Playwright's own."""
    plan = list_plan(selection, order, places)
    return _command(command, plan, selection, places, run=False)


def _command(
    command: str, plan: bytes, selection: Selection, places: Places, *, run: bool
) -> Command:
    own = f"--require={json.dumps(str(places.inputs / _OWN[0]))}"
    broken = shlex.quote(str(places.outputs / _BROKEN))
    lines = (
        f"FAIRTRIAL_PLAYWRIGHT={shlex.quote(own)}",
        'NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }$FAIRTRIAL_PLAYWRIGHT"',
        "export FAIRTRIAL_PLAYWRIGHT NODE_OPTIONS FAIRTRIAL_STEP",
        f"fairtrial_suite() {{\n{command}\n}}",
        "FAIRTRIAL_STEP=list",
        "( fairtrial_suite )",
        "listed=$?",
        # A file that can't be loaded keeps Playwright from listing all others.
        f"if [ -e {broken} ]; then FAIRTRIAL_STEP=again; ( fairtrial_suite ); fi",
    )
    last = (
        "FAIRTRIAL_STEP=run\n( fairtrial_suite )\nran=$?\n"
        'if [ "$ran" -ne 0 ]; then exit "$ran"; fi\n'
        f"if [ -e {broken} ]; then exit 1; fi\n"
        if run
        else 'exit "$listed"\n'
    )
    return watched_command(
        "\n".join((*lines, last)),
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
    """What the reports of listing and running amount to, with their receipt."""
    return results_of("Playwright", selection, output, tree, places)


def again(test: TestId) -> TestId | None:
    """Playwright runs a test once in a process."""
    return None


def forks() -> bool:
    """A process of Node can't be forked with what it holds."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """A suite for each package with a Playwright configuration beside its manifest."""
    found: list[Detected] = []
    for package in packages.packages(paths, read):
        where = f"{package.folder}/" if package.folder else ""
        begin = f"{where}playwright.config."
        config = next((path for path in sorted(paths) if path.startswith(begin)), None)
        if _WANTED not in package.wants or config is None:
            continue
        name = f"playwright-{package.folder.replace('/', '-')}" if where else ""
        found.append(
            Detected(
                name=name or "playwright",
                runner="playwright",
                command="npx playwright test",
                folder=package.folder,
                because=config,
            )
        )
    return tuple(found)


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """What the lock file or the manifest demands; no browser is fetched."""
    return packages.setup_of(files, folder)


def tools() -> tuple[str, ...]:
    """Node, with the npm that came with it; a browser is the configuration's."""
    return ("node", "npm", "npx")


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Those of JavaScript's packages, and no download of browsers with them."""
    own = packages.environment(places, offline=offline)
    return {**own, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}


def channelled() -> bool:
    """Tests run beside the reporter's process, and as its user: they can write, too."""
    return False
