"""What the report of a tool amounts to, once it was held against what was asked.

Every runner but pytest's reads its tool's own words into an `Account`; here the same
rules hold for all of them. A test counts as absent from a tree only where a complete
list shows it: a selector that matches nothing says nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import FAILURES, LoadedFile, Outcome, Phase, Result
from fairtrial.domain.trials import Ending, TrialOutput
from fairtrial.runners import Selection, SuiteResult, TriedTree
from fairtrial.runners.building.compilers import first_error
from fairtrial.runners.building.rebuilding import failed_build
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.failures import failure_of
from fairtrial.runners.reports.sentences import ending_of, some

#: Left by `injected/fairtrial_watch.py` where it ended a run.
WATCH: Final = "watch.json"
#: A build that failed keeps every test from running.
EVERYTHING: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a tool told of one test; `started` is in seconds since `Account.epoch`."""

    test: TestId
    outcome: Outcome
    phase: Phase = Phase.CALL
    detail: Detail = field(default_factory=Detail)
    reason: str = ""
    seconds: float = 0.0
    started: float = 0.0
    worker: str = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A tool's report, read and not yet believed."""

    #: In the order in which the tests ended, or began where the tool tells that.
    told: tuple[Told, ...] = ()
    #: Every test of the files that were asked about; None: it was not listed.
    listed: tuple[TestId, ...] | None = None
    #: The tool said that it came to its end.
    complete: bool = False
    #: The test that was running when the report ends.
    running: TestId | None = None
    #: How the run ended inside that test, as far as it was told.
    last_words: Detail = field(default_factory=Detail)
    uncollectable: Mapping[str, Detail] = field(default_factory=dict)
    loaded: tuple[LoadedFile, ...] = ()
    #: Why nothing of it can be believed, a sentence each.
    faults: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    #: Something other than a failed test explains a bad exit code.
    explained: bool = False
    #: Whether the tool runs tests in an order that can't be chosen.
    fixed_order: bool = False
    epoch: float = 0.0


def suite_result(
    selection: Selection,
    output: TrialOutput,
    account: Account,
    tree: TriedTree,
    workspace: str,
) -> SuiteResult:
    """A trial's result by the rules that hold for every runner.

    `workspace` is where the tree stood, to shorten what compilers printed.
    """
    broken = failed_build(output, selection)
    if broken is not None:
        return unbuilt(selection, broken.step, broken.text, workspace)
    ending, late = output.ending, _is_late(output)
    results = {one.test: _result(one) for one in account.told}
    running = account.running if _ended_early(account) else None
    if running is not None:
        results[running] = _at_death(running, account, ending, late=late)
    unreached = _add_unreported(selection, account, results, running, tree)
    reasons = [*output.faults, *account.faults]
    reasons += _contradictions(selection, output, account, results, tree)
    trust, distrust = Trust.SOUND, ""
    if reasons:
        trust, distrust = Trust.CONTRADICTORY, reasons[0]
    elif ending is Ending.TIMED_OUT and running is None:
        trust = Trust.ERRORED
        distrust = "the trial's time was up before its tests had their own"
    elif (out_of_order := _out_of_order(selection, account)) != "":
        trust, distrust = Trust.ERRORED, out_of_order
    return SuiteResult(
        results=results,
        trust=trust,
        distrust=distrust,
        orders=_orders(account),
        listed=account.listed
        if account.listed is not None
        else tuple(dict.fromkeys(one.test for one in account.told)),
        uncollectable={
            name: detail.message or detail.type or "it can't be loaded"
            for name, detail in account.uncollectable.items()
        },
        loaded=account.loaded,
        notices=account.notices,
        remarks=account.remarks,
        interrupted_at=running,
        unreached=unreached,
        epoch=account.epoch,
    )


def unbuilt(
    selection: Selection, step: str, text: str, workspace: str, folder: str = ""
) -> SuiteResult:
    """The result of a trial whose tree does not compile: an outcome of its own."""
    found = first_error(text, workspace, folder)
    if found is None:
        lines = text.strip().splitlines() or ["it printed nothing"]
        message = f"`{step}` failed: {lines[-1][:300]}"
    else:
        message = f"{found.where}: {found.message}"
    detail = Detail(type="CompileError", message=message, text=text[-20_000:])
    return SuiteResult(
        results={
            test: Result(
                test=test,
                outcome=Outcome.UNBUILDABLE,
                failure=failure_of(test, Outcome.UNBUILDABLE, Phase.COLLECT, detail),
                reason=message,
            )
            for test in selection.tests
        },
        trust=Trust.SOUND,
        uncollectable={EVERYTHING: message},
    )


def inventory(account: Account, output: TrialOutput) -> SuiteResult:
    """What a listing amounts to; not sound unless it is whole."""
    reasons = [*output.faults, *account.faults]
    if account.listed is None and not account.uncollectable:
        reasons.append("the list of tests can't be read")
    if not account.complete and not account.uncollectable:
        reasons.append(f"{ending_of(output)} before the list was complete")
    doubled = _twice(account.listed or ())
    if doubled:
        reasons.append(f"{some(doubled)} is listed more than once")
    return SuiteResult(
        results={},
        trust=Trust.CONTRADICTORY if reasons else Trust.SOUND,
        distrust=reasons[0] if reasons else "",
        listed=account.listed or (),
        uncollectable={
            name: detail.message or detail.type or "it can't be loaded"
            for name, detail in account.uncollectable.items()
        },
        loaded=account.loaded,
    )


def _result(one: Told) -> Result:
    failed = one.outcome in FAILURES or one.outcome is Outcome.UNBUILDABLE
    return Result(
        test=one.test,
        outcome=one.outcome,
        failure=failure_of(one.test, one.outcome, one.phase, one.detail)
        if failed
        else None,
        reason=one.reason,
        seconds=round(one.seconds, 6),
        started=round(max(0.0, one.started), 6),
        worker=one.worker,
    )


def _at_death(test: TestId, account: Account, ending: Ending, *, late: bool) -> Result:
    timed_out = late or ending is Ending.TIMED_OUT
    outcome = Outcome.TIMED_OUT if timed_out else Outcome.CRASHED
    detail = account.last_words
    if not detail.type:
        said = "it took longer than it may" if timed_out else "its process ended"
        kind = "Timeout" if timed_out else "Crash"
        detail = Detail(
            type=kind,
            message=detail.message or said,
            frames=detail.frames,
            text=detail.text,
            untraced=detail.untraced or "untraced",
        )
    failure = failure_of(test, outcome, Phase.CALL, detail)
    return Result(test=test, outcome=outcome, failure=failure)


def _add_unreported(
    selection: Selection,
    account: Account,
    results: dict[TestId, Result],
    running: TestId | None,
    tree: TriedTree,
) -> tuple[TestId, ...]:
    """Adds what can be said of tests that did not run; hands back the unreached."""
    early = running is not None
    if selection.shape is not Shape.LISTED:
        lost = tuple(test for test in account.listed or () if test not in results)
        return lost if early else ()
    unreached: list[TestId] = []
    for test in selection.tests:
        if test in results:
            continue
        detail = _keeping_out(test, account.uncollectable)
        if detail is not None:
            results[test] = Result(
                test=test,
                outcome=Outcome.UNBUILDABLE,
                failure=failure_of(test, Outcome.UNBUILDABLE, Phase.COLLECT, detail),
                reason=detail.message or detail.type,
            )
        elif _is_absent(test, account, tree):
            results[test] = Result(
                test=test,
                outcome=Outcome.MISSING,
                reason="its file holds no such test in this tree",
            )
        elif early:
            unreached.append(test)
    return tuple(unreached)


def _keeping_out(test: TestId, broken: Mapping[str, Detail]) -> Detail | None:
    found = (detail for name, detail in broken.items() if keeps_out(name, test))
    return next(found, None)


def keeps_out(name: str, test: TestId) -> bool:
    """Whether what can't be built is everything, a test's folder, or its file."""
    file = test.partition("::")[0]
    return name in {EVERYTHING, file} or file.startswith(f"{name}/")


def _is_absent(test: TestId, account: Account, tree: TriedTree) -> bool:
    if RepoPath(test.partition("::")[0]) not in tree:
        return True
    return account.listed is not None and test not in account.listed


def _contradictions(
    selection: Selection,
    output: TrialOutput,
    account: Account,
    results: Mapping[TestId, Result],
    tree: TriedTree,
) -> Iterator[str]:
    doubled = _twice(one.test for one in account.told)
    if doubled:
        yield f"{some(doubled)} ran more than once"
    early = _ended_early(account)
    if not early and not account.complete and not account.uncollectable:
        yield f"{ending_of(output)} before the report was complete"
    lost: Iterable[TestId]
    if selection.shape is Shape.LISTED:
        wanted = set(selection.tests)
        more = [one.test for one in account.told if one.test not in wanted]
        if more:
            yield f"{some(more)} ran without being asked for"
        lost = selection.tests
    else:
        if not results and not account.uncollectable:
            yield "no test ran"
        lost = account.listed or ()
    lost = [test for test in lost if test not in results]
    lost = [test for test in lost if _keeping_out(test, account.uncollectable) is None]
    if lost and not early:
        yield f"{some(lost)} should have run and was never reported"
    yield from _exit(output, account, results)
    for file in account.loaded:
        expected = tree.get(file.path)
        if expected is not None and file.sha256 and file.sha256 != expected:
            yield f"{file.path}, as it was loaded, is not the file of the tried tree"


def _ended_early(account: Account) -> bool:
    """Whether a test took the process with it, so that others are unreached."""
    told = {one.test for one in account.told}
    return account.running is not None and account.running not in told


def _exit(
    output: TrialOutput,
    account: Account,
    results: Mapping[TestId, Result],
) -> Iterator[str]:
    early = _ended_early(account)
    failed = [test for test, one in results.items() if one.outcome in FAILURES]
    well = output.ending is Ending.EXITED and output.code == 0
    if well and failed and not early:
        yield f"the command exited with 0 although {some(failed)} failed"
    if well and account.uncollectable and not account.explained:
        names = [name or "the tree" for name in account.uncollectable]
        yield f"the command exited with 0 although {some(names)} could not be built"
    known = failed or account.uncollectable or early or account.explained
    if not well and not known and any(_ran(one) for one in results.values()):
        yield f"{ending_of(output)} without a failed test"


def _ran(one: Result) -> bool:
    return one.outcome is not Outcome.MISSING


def _out_of_order(selection: Selection, account: Account) -> str:
    if selection.shape is not Shape.LISTED:
        return ""
    ran = [one.test for one in account.told]
    seen = set(ran)
    if ran == [test for test in selection.tests if test in seen]:
        return ""
    why = "; its runner can't choose the order" if account.fixed_order else ""
    return f"the tests did not run in the order that was asked for{why}"


def _orders(account: Account) -> dict[str, tuple[TestId, ...]]:
    orders: dict[str, list[TestId]] = {}
    for one in account.told:
        orders.setdefault(one.worker, []).append(one.test)
    if account.running is not None:
        worker = account.told[-1].worker if account.told else "main"
        row = orders.setdefault(worker, [])
        if account.running not in row:
            row.append(account.running)
    return {worker: tuple(order) for worker, order in orders.items()}


def _is_late(output: TrialOutput) -> bool:
    """Whether the watch ended the run because a test took longer than it may."""
    try:
        said = json.loads(output.files.get(WATCH, b"{}")[:1000])
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("cause") == "test_timeout"


def _twice(tests: Iterable[TestId]) -> list[str]:
    return [test for test, count in Counter(tests).items() if count > 1]
