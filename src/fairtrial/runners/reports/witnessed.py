"""What the report of a Python suite amounts to, once it was held against the asking.

Our own pieces inside pytest and inside unittest write the same events, and the same
rules hold for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import LoadedFile, Outcome, Result
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Selection, SuiteResult
from fairtrial.runners.reports.asked import with_unreported
from fairtrial.runners.reports.covered import covered
from fairtrial.runners.reports.crosscheck import junit_disagreements
from fairtrial.runners.reports.guarded import guarded
from fairtrial.runners.reports.reached import reached, unseen
from fairtrial.runners.reports.receipt import Receipt, contradictions, missed_threshold
from fairtrial.runners.reports.run import Run, read_run
from fairtrial.runners.reports.searched import searched
from fairtrial.runners.reports.traces import blind, traces, undone
from fairtrial.runners.reports.waits import waits
from fairtrial.runners.reports.watched import token_of

#: The mode of a plan that lists tests and runs none.
LIST = "list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Whose report it is, as sentences say it, and what is said where there is none."""

    name: str
    #: What standard error ends with where our piece was not found on the path.
    unfound: str = ""
    #: What else keeps a command from reporting, in one sentence.
    unheard: str = ""


def witnessed(
    tool: Tool,
    selection: Selection,
    output: TrialOutput,
    tree: Mapping[RepoPath, str],
    places: Places,
) -> SuiteResult:
    """A trial's result by what our pieces inside its processes saw.

    No report at all is ERRORED; one that exit code, list or tree speak against is
    CONTRADICTORY.
    """
    output = guarded(output)
    run = read_run(output, places, selection.test_timeout)
    if not run.processes:
        return SuiteResult(
            results={}, trust=Trust.ERRORED, distrust=_no_report(tool, output)
        )
    if all(process.mode == LIST for process in run.processes):
        return _inventory(run, output, places)
    token = token_of(selection.shape.value, selection.tests, places)
    receipt = Receipt(
        selection=selection,
        output=output,
        run=run,
        tree=tree,
        token=token,
        tool=tool.name,
    )
    results, unreached = with_unreported(selection, run)
    reasons = (*contradictions(receipt), *junit_disagreements(run, output, places))
    trust, distrust = Trust.SOUND, ""
    if reasons:
        trust, distrust = Trust.CONTRADICTORY, reasons[0]
    if _time_is_up(output, results):
        trust = Trust.ERRORED
        distrust = "the trial's time was up before its tests had their own"
    return SuiteResult(
        results=results,
        trust=trust,
        distrust=distrust,
        orders=_orders(run),
        listed=run.listed,
        uncollectable=run.uncollectable,
        loaded=_loaded(run),
        steering=_steering(run),
        notices=tuple(_notices(run)),
        remarks=(*_absent_from_order(selection, run), *unseen(output.files)),
        threshold=max(
            (each.threshold[0] for each in run.processes if each.threshold),
            default=0.0,
        ),
        covered=covered(selection, run.processes),
        searched=searched(selection, run.processes),
        interrupted_at=run.interrupted_at,
        unreached=unreached,
        waits=waits(output.files, run.processes, str(places.workspace)),
        reached=reached(output.files),
        epoch=run.epoch,
        traces=traces(run.processes),
        undone=undone(run.processes),
        blind=blind(run.processes),
    )


def _inventory(run: Run, output: TrialOutput, places: Places) -> SuiteResult:
    expected = token_of(LIST, (), places)
    unsound: list[str] = [
        process.malformed or "a list that belongs to another trial"
        for process in run.processes
        if process.malformed or process.token != expected or not process.finished
    ]
    unsound += output.faults
    if unsound and not run.uncollectable:
        reason = f"the list of tests can't be read: {unsound[0]}"
        return SuiteResult(results={}, trust=Trust.CONTRADICTORY, distrust=reason)
    if output.ending is not Ending.EXITED and not run.uncollectable:
        reason = f"listing the tests ended with {output.ending.value} {output.code}"
        return SuiteResult(results={}, trust=Trust.CONTRADICTORY, distrust=reason)
    return SuiteResult(
        results={},
        trust=Trust.SOUND,
        listed=run.listed,
        uncollectable=run.uncollectable,
        loaded=_loaded(run),
        steering=_steering(run),
    )


def _no_report(tool: Tool, output: TrialOutput) -> str:
    printed = (output.stderr.strip() or output.stdout.strip()).splitlines()
    last = printed[-1][:300].decode("utf-8", "replace") if printed else "nothing"
    hidden = (
        ": it sets PYTHONPATH and takes out what the bench put in; write"
        " PYTHONPATH=src:$PYTHONPATH, or set it by `env:`"
        if tool.unfound and tool.unfound in last
        else ""
    )
    return (
        f"the suite's command started no {tool.name} that reports{hidden}"
        f" ({output.ending.value} {output.code}; it printed last: {last})"
        f"{tool.unheard}"
    )


def _time_is_up(output: TrialOutput, results: Mapping[TestId, Result]) -> bool:
    return output.ending is Ending.TIMED_OUT and not any(
        result.outcome is Outcome.TIMED_OUT for result in results.values()
    )


def _orders(run: Run) -> dict[str, tuple[TestId, ...]]:
    orders: dict[str, list[TestId]] = {}
    for start in run.starts:
        orders.setdefault(start.worker, []).append(TestId(start.test))
    return {worker: tuple(order) for worker, order in orders.items()}


def _loaded(run: Run) -> tuple[LoadedFile, ...]:
    files: dict[str, str] = {}
    for process in run.processes:
        files.update(process.loaded)
    return tuple(
        LoadedFile(path=RepoPath(path), sha256=digest)
        for path, digest in sorted(files.items())
    )


def _steering(run: Run) -> frozenset[RepoPath]:
    return frozenset(
        RepoPath(path) for process in run.processes for path in process.steering
    )


def _notices(run: Run) -> list[str]:
    notices = []
    for process in run.processes:
        if process.threshold is not None and missed_threshold(process):
            required, total = process.threshold
            notices.append(
                f"the coverage threshold was missed: {total:g} of {required:g} percent"
            )
    return notices


def _absent_from_order(selection: Selection, run: Run) -> list[str]:
    """The tests that an order names and that the tree lacks: skipped, and said."""
    listed = set(run.listed)
    order = selection.order.first if selection.order else ()
    absent = [test for test in order if test not in listed]
    if not absent:
        return []
    more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
    return [f"the suite's order names tests that this tree lacks: {absent[0]}{more}"]
