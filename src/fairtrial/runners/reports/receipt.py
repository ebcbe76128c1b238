"""Whether exit code, report and inventory agree; a sentence for each way they don't."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import FAILURES
from fairtrial.domain.trials import Ending, TrialOutput
from fairtrial.runners import Selection
from fairtrial.runners.reports.events import Process
from fairtrial.runners.reports.run import Run
from fairtrial.runners.reports.sentences import ending_of, some


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What has to agree with what."""

    selection: Selection
    output: TrialOutput
    run: Run
    tree: Mapping[RepoPath, str]
    token: str
    tool: str = "pytest"


def contradictions(receipt: Receipt) -> Iterator[str]:
    """Why this report is no evidence, sentence by sentence; nothing when it is."""
    yield from receipt.output.faults
    yield from _processes(receipt)
    yield from _loaded(receipt)
    if receipt.selection.shape is Shape.FORKED:
        # It only says what to try next, and may end before its last test.
        return
    yield from _unfinished(receipt)
    yield from _duplicates(receipt.run)
    match receipt.selection.shape:
        case Shape.LISTED:
            yield from _listed(receipt)
        case Shape.WHOLE:
            yield from _whole(receipt)
    yield from _exit(receipt)


def _processes(receipt: Receipt) -> Iterator[str]:
    for process in receipt.run.processes:
        if process.malformed:
            yield f"the report can't be read: {process.malformed}"
        elif process.token != receipt.token:
            yield f"events-{process.stem}.jsonl belongs to another trial"
        elif process.internal_error is not None:
            lines = process.internal_error.strip().splitlines() or ["no reason given"]
            yield f"{receipt.tool} failed inside: {lines[-1][:300]}"


def _loaded(receipt: Receipt) -> Iterator[str]:
    for process in receipt.run.processes:
        for path, at in process.installed.items():
            if path in receipt.tree:
                yield (
                    f"the suite tests an installed copy of {path} ({at}), so it can't"
                    " show what the tree does; install the project in place"
                    " (`pip install -e .`), or leave it out of the environment"
                )
        for path, digest in process.loaded.items():
            expected = receipt.tree.get(RepoPath(path))
            if expected is not None and digest and digest != expected:
                yield f"{path}, as it was loaded, is not the file of the tried tree"


def _duplicates(run: Run) -> Iterator[str]:
    counts = Counter(start.test for start in run.starts)
    twice = [test for test, count in counts.items() if count > 1]
    if twice:
        yield f"{some(twice)} ran more than once"
    for process in run.processes:
        ids = process.collected or ()
        if len(set(ids)) != len(ids):
            same = [test for test, count in Counter(ids).items() if count > 1]
            yield f"{some(same)} was collected more than once"


def _listed(receipt: Receipt) -> Iterator[str]:
    run, asked = receipt.run, receipt.selection.tests
    wanted = set(asked)
    more = [start.test for start in run.starts if TestId(start.test) not in wanted]
    if more:
        yield f"{some(more)} ran without being asked for"
    order = [TestId(start.test) for start in run.starts]
    ran = set(order)
    if not more and order != [test for test in asked if test in ran]:
        yield "the tests did not run in the order that was asked for"
    if any(process.collected is not None for process in run.processes):
        covered = {file for process in run.processes for file in process.covered}
        beyond = [test for test in asked if test.partition("::")[0] not in covered]
        if beyond:
            yield f"the suite's command does not reach {some(beyond)}"
    if run.interrupted_at is None:
        lost = [test for test in run.listed if test in wanted and test not in ran]
        if lost:
            yield f"{some(lost)} was collected and never reported"


def _whole(receipt: Receipt) -> Iterator[str]:
    run = receipt.run
    if not run.results and not run.uncollectable:
        yield "no test ran"
    listed = set(run.listed)
    more = [test for test in run.results if test not in listed]
    if more:
        yield f"{some(more)} ran without having been collected"
    lost = [test for test in run.listed if test not in run.results]
    if lost and run.interrupted_at is None:
        stopped = next((each.stopped for each in run.processes if each.stopped), "")
        why = f" ({receipt.tool} stopped: {stopped})" if stopped else ""
        yield f"{some(lost)} was collected and never reported{why}"


def _exit(receipt: Receipt) -> Iterator[str]:
    output, run = receipt.output, receipt.run
    failed = [
        test for test, result in run.results.items() if result.outcome in FAILURES
    ]
    ended_well = output.ending is Ending.EXITED and output.code == 0
    # A test that ends its process with 0 ended pytest before it had an exit code.
    if ended_well and failed and run.interrupted_at is None:
        yield f"the command exited with 0 although {some(failed)} failed"
    if ended_well and run.uncollectable:
        files = some(list(run.uncollectable))
        yield f"the command exited with 0 although {files} could not be collected"
    if not ended_well and not failed and not _explained(receipt):
        yield f"{ending_of(output)} without a failed test"


def _unfinished(receipt: Receipt) -> Iterator[str]:
    run = receipt.run
    if run.interrupted_at is None and not run.uncollectable:
        for process in run.processes:
            # A worker's end is told by the process that controls it.
            if process.worker == "main" and not process.finished:
                how = ending_of(receipt.output)
                yield f"{how} before {receipt.tool}'s report was complete"


def _explained(receipt: Receipt) -> bool:
    """Whether something other than a failed test explains a bad exit."""
    run, code = receipt.run, receipt.output.code
    if run.uncollectable or run.interrupted_at is not None:
        return True
    if any(
        each.unexpected_pass for start in run.starts for each in start.phases
    ) or any(missed_threshold(process) for process in run.processes):
        return True
    nothing_ran = receipt.output.ending is Ending.EXITED and code == 5  # noqa: PLR2004 - pytest's code for it
    return nothing_ran and not run.starts


def missed_threshold(process: Process) -> bool:
    """Whether a coverage threshold was asked for and not reached."""
    return process.threshold is not None and process.threshold[1] < process.threshold[0]
