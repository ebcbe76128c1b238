"""How a Vitest suite is run by our own runner in its workers, and what it reported.

Vitest gives each file a worker of its own unless it is told not to isolate. What tests
of several files share is what lies outside of it: files, databases, ports.
"""

from __future__ import annotations

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
from fairtrial.runners.javascript.names import file_of, place_of, widen
from fairtrial.runners.javascript.packages import (
    Package,
    environment,
    invocation,
    packages,
    setup_of,
)
from fairtrial.runners.javascript.trial import (
    injected,
    mode_of,
    told_command,
    told_result,
)
from fairtrial.runners.reports.plain import keeps_out

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

_PIECES: Final = (
    "fairtrial_ids.cjs",
    "fairtrial_report.cjs",
    "fairtrial_vitest.mjs",
    "fairtrial_vitest_runner.mjs",
)
#: Loaded before anything else of the command, to start Vitest with the others.
_START: Final = "fairtrial_vitest_start.cjs"


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    return _command(command, selection, places, selection.order, listing=False)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    return _command(command, selection, places, order, listing=True)


def _command(
    command: str,
    selection: Selection,
    places: Places,
    order: Order | None,
    *,
    listing: bool,
) -> Command:
    start = shlex.quote(str(places.inputs / _START))
    return told_command(
        f'NODE_OPTIONS="${{NODE_OPTIONS:+$NODE_OPTIONS }}--require="{start}\n'
        f"export NODE_OPTIONS\n{command}",
        selection,
        places,
        order,
        mode=mode_of(selection, listing=listing),
        inputs=injected(*_PIECES, _START),
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the report amounts to, with its receipt."""
    return told_result(selection, output, tree, places)


def again(test: TestId) -> TestId | None:
    """None: a file of tests runs once in a process."""
    return None


def forks() -> bool:
    """Whether it can make a forked trial."""
    return False


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """The outermost packages whose scripts run Vitest, or that are set up for it."""
    found: list[Detected] = []
    for package in packages(paths, read):
        inside = (one.folder for one in found)
        if any(not it or f"{package.folder}/".startswith(f"{it}/") for it in inside):
            continue
        told = _told(package, paths)
        if told is not None:
            name = package.folder.replace("/", "-")
            found.append(
                Detected(
                    name=f"vitest-{name}" if name else "vitest",
                    runner="vitest",
                    command=told[0],
                    folder=package.folder,
                    because=told[1],
                )
            )
    return tuple(found)


def _told(package: Package, paths: Collection[RepoPath]) -> tuple[str, str] | None:
    """The command of a package that uses Vitest, and what told it."""
    at = f"{package.folder}/" if package.folder else ""
    called = invocation(package, "vitest")
    if called is not None:
        return called, f"{at}package.json"
    endings = ("js", "ts", "mjs", "cjs", "mts", "cts")
    kinds = ("vitest.config", "vitest.workspace")
    named = (RepoPath(f"{at}{kind}.{end}") for kind in kinds for end in endings)
    configured = next((path for path in named if path in paths), None)
    if configured is None or "vitest" not in package.wants:
        return None
    return "npx vitest run", configured


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """What the lock file holds, installed without any install script."""
    return setup_of(files, folder)


def tools() -> tuple[str, ...]:
    """Node and npm, which comes with npx."""
    return ("node", "npm")


def channelled() -> bool:
    """Results are written by the processes that run the tests."""
    return False
