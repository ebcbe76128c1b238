"""How a Jest suite is run through our own runner of files, and what it reported.

Jest gives each file modules and globals of its own. What tests of several files share
is what lies outside of them: files, databases, ports, the process itself.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from typing import Final

from fairtrial.domain.experiments import Shape
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
    "fairtrial_jest_order.cjs",
    "fairtrial_jest_runner.cjs",
    "fairtrial_jest_reporter.cjs",
)
#: Snapshots are never written, nothing is left out, and the run ends when its tests do.
_ALWAYS: Final = (
    "--ci",
    "--updateSnapshot=false",
    "--bail=0",
    "--forceExit",
    "--watch=false",
    "--watchAll=false",
)
#: Jest bears no `--runInBand` beside it, and of two of them takes the first.
_WORKERS: Final = re.compile(r"(?<=\s)(?:-w|--maxWorkers)(?:=|\s+)[^\s;&|]+")


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
    mode = mode_of(selection, listing=listing)
    folder = places.inputs
    options = [
        *_ALWAYS,
        f"--testRunner={folder}/fairtrial_jest_runner.cjs",
        f"--testSequencer={folder}/fairtrial_jest_order.cjs",
        "--reporters=default",
        f"--reporters={folder}/fairtrial_jest_reporter.cjs",
    ]
    if mode == Shape.LISTED:
        command = _WORKERS.sub("", command)
        options.append("--runInBand")
    if mode == Shape.WHOLE and selection.thresholds:
        options += [
            "--coverageReporters=json-summary",
            f"--coverageDirectory={places.outputs}/coverage",
        ]
    else:
        options.append("--coverage=false")
    return told_command(
        f"{command} {shlex.join(options)}",
        selection,
        places,
        order,
        mode=mode,
        inputs=injected(*_PIECES),
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
    """The outermost packages whose scripts run Jest, or that are configured for it."""
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
                    name=f"jest-{name}" if name else "jest",
                    runner="jest",
                    command=told[0],
                    folder=package.folder,
                    because=told[1],
                )
            )
    return tuple(found)


def _told(package: Package, paths: Collection[RepoPath]) -> tuple[str, str] | None:
    """The command of a package that uses Jest, and what told it."""
    at = f"{package.folder}/" if package.folder else ""
    called = invocation(package, "jest")
    if called is not None:
        return called, f"{at}package.json"
    endings = ("js", "ts", "mjs", "cjs", "mts", "cts", "json")
    named = (RepoPath(f"{at}jest.config.{ending}") for ending in endings)
    configured = next((path for path in named if path in paths), None)
    if configured is None and isinstance(package.whole.get("jest"), dict):
        configured = RepoPath(f"{at}package.json")
    if configured is None or "jest" not in package.wants:
        return None
    return "npx jest", configured


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
