"""What the runs of a generic suite told: their ends, their reports, their cases."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trials import TrialOutput
from fairtrial.runners import TriedTree
from fairtrial.runners.junit import (
    Case,
    CaseOutcome,
    UnreadableReport,
    read_junit,
)
from fairtrial.runners.junit_suites.places import UNKNOWN, TestFiles
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import Event, Malformed, flag, name, names
from fairtrial.runners.reports.plain import Account, Told

INDEX: Final = "gathered.jsonl"
#: Bytes of the index; a run takes about 300.
_LIMIT: Final = 64 * 1024 * 1024
_WEIGHT: Final = {
    outcome: weight
    for weight, outcome in enumerate(
        (Outcome.SKIPPED, Outcome.PASSED, Outcome.FAILED, Outcome.CRASHED)
    )
}


@dataclass(slots=True)
class GatheredRun:
    """One run of the command: `code` is negative for a signal; None: it never ended."""

    number: int
    code: int | None = None
    late: bool = False
    files: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(slots=True)
class Gathered:
    """All runs of a trial, in order."""

    runs: list[GatheredRun] = field(default_factory=list)
    done: bool = False
    faults: list[str] = field(default_factory=list)


def read_index(output: TrialOutput, token: str) -> Gathered | None:
    """What our script wrote of its runs; None: it never began one."""
    data = output.files.get(INDEX)
    if data is None:
        return None
    found = Gathered()
    if len(data) > _LIMIT:
        found.faults.append("the index of the runs is larger than any is")
        return found
    try:
        for line in data.split(b"\n")[:-1]:
            _take(found, line, token)
    except (ValueError, RecursionError) as wrong:
        found.faults.append(f"the index of the runs can't be read: {wrong}")
    return found


def _take(found: Gathered, line: bytes, token: str) -> None:
    event: Event = json.loads(line)
    if not isinstance(event, dict):
        raise Malformed("a line is no object")
    if name(event, "token") != token:
        raise Malformed("a line is another trial's")
    kind = name(event, "event")
    if found.done:
        raise Malformed("it goes on after its end")
    if kind == "done":
        found.done = True
        return
    number = event.get("run")
    if not isinstance(number, int):
        raise Malformed("a run has no number")
    if kind == "began" and number == len(found.runs):
        found.runs.append(GatheredRun(number))
        return
    if kind != "ended" or not found.runs or found.runs[-1].number != number:
        raise Malformed("a run ends that did not begin")
    run, code = found.runs[-1], event.get("code")
    if run.code is not None or not isinstance(code, int):
        raise Malformed("a run has no end of its own")
    run.code, run.late = code, flag(event, "late")
    run.files, run.refused = names(event, "files"), names(event, "refused")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """The cases of one run, each test once, and what is wrong with its reports."""

    told: tuple[Told, ...]
    faults: tuple[str, ...]
    remarks: tuple[str, ...]


def reported(run: GatheredRun, output: TrialOutput, files: TestFiles) -> Reported:
    """What the reports of one run amount to; of cases of one name the worst counts."""
    cases: list[Case] = []
    faults = [f"a report was not taken: {each}" for each in run.refused]
    for number, path in enumerate(run.files):
        data = output.files.get(f"run-{run.number}-{number}.xml")
        if data is None:
            faults.append(f"{path} is lost on its way")
            continue
        try:
            report = read_junit(data)
        except UnreadableReport as error:
            faults.append(f"{path} can't be read: {error}")
            continue
        faults += [f"{path}: {each}" for each in report.worse_counters]
        if report.lost_cases:
            lost = report.lost_cases
            faults.append(f"{path} counts {lost} more tests than it has cases")
        cases += report.cases
    told: dict[TestId, Told] = {}
    doubled: list[str] = []
    for case in cases:
        one = _told(case, files)
        before = told.get(one.test)
        if before is not None:
            doubled.append(one.test)
        if before is None or _WEIGHT[one.outcome] > _WEIGHT[before.outcome]:
            told[one.test] = one
    remarks = [
        f"{len(doubled) + 1} cases are called {each}: the worst one counts"
        if len(set(doubled)) == 1
        else f"several cases are called {each}: the worst one counts"
        for each in list(dict.fromkeys(doubled))[:3]
    ]
    return Reported(
        told=tuple(told.values()), faults=tuple(faults), remarks=tuple(remarks)
    )


def id_of(case: Case, files: TestFiles) -> TestId:
    """A case's id: its file, its class's name, its own."""
    return TestId(f"{files.of(case)}::{case.classname}::{case.name}")


def _told(case: Case, files: TestFiles) -> Told:
    outcome = _OUTCOMES[case.outcome]
    failed = outcome in FAILURES
    kind = case.kind or case.outcome.name.capitalize()
    if case.outcome is CaseOutcome.FLAKY:
        kind = "Flaky"
    where = files.of(case)
    message = case.message.strip() or kind
    return Told(
        test=id_of(case, files),
        outcome=outcome,
        detail=Detail(type=kind, message=message, text=case.text or message)
        if failed
        else Detail(),
        reason="" if failed else _reason(case, where),
        seconds=case.seconds,
    )


def _reason(case: Case, where: str) -> str:
    if case.outcome is CaseOutcome.NOT_RUN:
        return "its report says that it was not run"
    if case.outcome is CaseOutcome.SKIPPED:
        return case.message or f"its report says that it is skipped ({where})"
    return ""


_OUTCOMES: Final[Mapping[CaseOutcome, Outcome]] = {
    CaseOutcome.PASSED: Outcome.PASSED,
    CaseOutcome.SKIPPED: Outcome.SKIPPED,
    CaseOutcome.NOT_RUN: Outcome.SKIPPED,
    # It failed, and that it passed when repeated makes it no better here.
    CaseOutcome.FLAKY: Outcome.FAILED,
    CaseOutcome.FAILED: Outcome.FAILED,
    CaseOutcome.ERROR: Outcome.FAILED,
}


def whole_account(
    found: Gathered, output: TrialOutput, tree: TriedTree, workspace: str
) -> Account:
    """What one run of the whole suite's command told."""
    files = TestFiles(tree, workspace)
    run = found.runs[0] if found.runs else GatheredRun(0)
    told = reported(run, output, files)
    return Account(
        told=told.told,
        listed=tuple(one.test for one in told.told),
        complete=found.done,
        faults=(*found.faults, *told.faults),
        remarks=told.remarks,
    )


def listed_account(
    found: Gathered,
    tests: Sequence[TestId],
    output: TrialOutput,
    tree: TriedTree,
    workspace: str,
) -> Account:
    """What a run for each test told, in the order in which they were asked for."""
    files = TestFiles(tree, workspace)
    told: list[Told] = []
    faults = list(found.faults)
    remarks: list[str] = []
    listed = _listed_behind(found, len(tests), output, files)
    for run, test in zip(found.runs, tests, strict=False):
        report = reported(run, output, files)
        one, wrong = _the_one(test, run, report, listed)
        faults += wrong
        remarks += report.remarks
        if one is not None:
            told.append(replace(one, started=float(run.number)))
    return Account(
        told=tuple(told),
        listed=listed,
        complete=found.done,
        faults=tuple(faults),
        remarks=tuple(dict.fromkeys(remarks)),
        # Each run's own exit code was held against its own test.
        explained=True,
    )


def _listed_behind(
    found: Gathered, count: int, output: TrialOutput, files: TestFiles
) -> tuple[TestId, ...] | None:
    """All tests, where the whole suite ran once more to tell them; None: not told.

    A suite that ended badly without a failed test may have told of a part only.
    """
    if len(found.runs) <= count:
        return None
    run = found.runs[count]
    report = reported(run, output, files)
    failed = any(one.outcome in FAILURES for one in report.told)
    if report.faults or not report.told or run.code is None:
        return None
    if run.code != 0 and not failed:
        return None
    return tuple(one.test for one in report.told)


def _the_one(
    test: TestId,
    run: GatheredRun,
    report: Reported,
    listed: tuple[TestId, ...] | None,
) -> tuple[Told | None, list[str]]:
    """What came of the test that one run was for, and why it is no evidence."""
    if run.late:
        detail = Detail(
            type="Timeout", message="it took longer than it may", untraced="untraced"
        )
        return Told(test=test, outcome=Outcome.TIMED_OUT, detail=detail), []
    if run.code is None:
        return None, []
    faults = list(report.faults)
    others = [
        one.test
        for one in report.told
        if one.test != test and one.outcome is not Outcome.SKIPPED
    ]
    if others:
        faults.append(f"{others[0]} ran without being asked for, beside {test}")
    mine = next((one for one in report.told if one.test == test), None)
    if mine is None:
        signal = _signal(run.code)
        if signal and not others:
            said = f"the command for it was ended by signal {signal}"
            detail = Detail(type=f"Signal{signal}", message=said, untraced="untraced")
            return Told(test=test, outcome=Outcome.CRASHED, detail=detail), faults
        if listed is not None and test not in listed and not report.told:
            return None, []
        if test.startswith(f"{UNKNOWN}::"):
            faults.append(f"the command for {test} reported no such test")
        return None, faults
    failed = mine.outcome in FAILURES
    if failed and run.code == 0:
        faults.append(f"the command for {test} exited with 0 although it failed")
    if not failed and run.code != 0:
        faults.append(f"the command for {test} exited with {run.code}, and it passed")
    return mine, faults


def _signal(code: int) -> int:
    """Which signal ended a command, directly or as a shell tells it; 0: none."""
    if code < 0:
        return -code
    return code - 128 if 128 < code < 160 else 0  # noqa: PLR2004 - a shell's way to tell
