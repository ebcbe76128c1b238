"""How any command that writes JUnit reports is run, whole and one test at a time.

It sees what the reports say and no more: no list without a run, no order inside of a
process, no memory that one test leaves for another.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput
from fairtrial.runners import (
    SANCTIONED,
    Command,
    Detected,
    Order,
    Selection,
    SuiteResult,
    TriedTree,
)
from fairtrial.runners.building.rebuilding import failed_build, rebuilt
from fairtrial.runners.junit_suites.gathered import (
    listed_account,
    read_index,
    whole_account,
)
from fairtrial.runners.junit_suites.templates import filled, names_of
from fairtrial.runners.reports.plain import (
    inventory,
    keeps_out,
    suite_result,
    unbuilt,
)
from fairtrial.runners.reports.watched import GRACE, token_of

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

LIST: Final = "list"
WHOLE: Final = Shape.WHOLE.value
LISTED: Final = Shape.LISTED.value
_PLAN: Final = "gather-plan.json"
_SCRIPT: Final = "fairtrial_gather.py"
LISTED_LIMITS: Final = (
    "the generic runner started a process for each test, so what tests leave for each"
    " other in memory could not be shown; only files and databases could"
)
WHOLE_LIMITS: Final = (
    "the generic runner believes the tool's JUnit reports, which tests can write, too,"
    " and gives the whole suite the trial's time, not each test its own"
)


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    if selection.shape is Shape.LISTED:
        runs = [names_of(test) for test in selection.tests]
        line = filled(selection.one)
        return _gathering(line, runs, LISTED, selection, places, whole=command)
    return _gathering(command, [{}], WHOLE, selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """The whole suite: nothing else tells its tests."""
    whole = replace(selection, tests=())
    return _gathering(command, [{}], LIST, whole, places)


def _gathering(
    line: str,
    runs: Sequence[Mapping[str, str]],
    mode: str,
    selection: Selection,
    places: Places,
    *,
    whole: str = "",
) -> Command:
    plan = {
        "whole": whole,
        "token": token_of(mode, selection.tests, places),
        "command": line,
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "reports": list(selection.reports),
        "seconds": selection.test_timeout + GRACE,
        "runs": [dict(each) for each in runs],
    }
    script = shlex.quote(str(places.inputs / _SCRIPT))
    start = f"exec python3 -I -S {script} {shlex.quote(str(places.inputs / _PLAN))}\n"
    own = files("fairtrial.injected").joinpath(_SCRIPT).read_bytes()
    return Command(
        argv=("sh", "-c", rebuilt(start, selection, places)),
        env=SANCTIONED,
        inputs={_SCRIPT: own, _PLAN: json.dumps(plan).encode("ascii")},
    )


def read_results(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the reports amount to, held against what was asked."""
    workspace = str(places.workspace)
    broken = failed_build(output, selection)
    if broken is not None:
        return unbuilt(selection, broken.step, broken.text, workspace)
    if selection.shape is Shape.LISTED:
        found = read_index(output, token_of(LISTED, selection.tests, places))
        if found is None:
            return _unheard("nothing ran")
        account = listed_account(found, selection.tests, output, tree, workspace)
        account = replace(account, remarks=(*account.remarks, LISTED_LIMITS))
        return suite_result(selection, output, account, tree, workspace)
    token = token_of(WHOLE, (), places)
    listing = token_of(LIST, (), places)
    is_list = listing.encode() in output.files.get("gathered.jsonl", b"")[:2000]
    found = read_index(output, listing if is_list else token)
    if found is None:
        return _unheard("nothing ran")
    account = whole_account(found, output, tree, workspace)
    if found.done and not any(run.files for run in found.runs) and not account.faults:
        globs = ", ".join(selection.reports)
        return _unheard(
            f"the command wrote no report that fits `reports:` ({globs});"
            f" it exited with {output.code}"
        )
    if is_list:
        return inventory(account, output)
    account = replace(account, remarks=(*account.remarks, WHOLE_LIMITS))
    return suite_result(selection, output, account, tree, workspace)


def _unheard(why: str) -> SuiteResult:
    return SuiteResult(results={}, trust=Trust.ERRORED, distrust=why)


def widen(test: TestId, unit: Unit, listed: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The test itself: each runs in a process of its own, whatever is beside it."""
    return (test,)


def again(test: TestId) -> TestId | None:
    """There is no second run in one process."""
    return None


def file_of(test: TestId) -> RepoPath:
    """The file that holds a test, as far as its report told it."""
    return RepoPath(test.partition("::")[0])


def forks() -> bool:
    """Whether it can make a forked trial."""
    return False


def place_of(test: TestId) -> Place:
    """Its file, the last part of its class's name, and its own without a row."""
    path, _, native = test.partition("::")
    holder, _, name = native.partition("::")
    inner = [each for each in holder.replace("$", ".").split(".") if each]
    stem = path.rpartition("/")[2].partition(".")[0]
    names = inner[inner.index(stem) :] if stem in inner else inner[-1:]
    # Python's modules are named like their files, and are no part of a place.
    if path.endswith(".py") and names[:1] == [stem]:
        names = names[1:]
    own = name.partition("[")[0].partition("(")[0].strip() or name
    return Place(path=RepoPath(path), names=(*names, own))


def detect(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[Detected, ...]:
    """Nothing: how one test runs can only be said by people."""
    return ()


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, python: str | None
) -> Setup:
    """Nothing but Python: what the tool needs is said by `prepare:` and `build:`."""
    return Setup(python=python, origin="no steps; the generic runner knows none")


def tools() -> tuple[str, ...]:
    """None that is known."""
    return ()


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Nothing beyond what the benches set."""
    return {}


def channelled() -> bool:
    """Reports are files, which tests can write."""
    return False
