"""What all processes of one trial amount to, before anybody believes it."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.contracts import RAISED_IN
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trials import Ending as TrialEnding
from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners.reports.events import Detail, Process, TestRun, read_process
from fairtrial.runners.reports.failures import is_test_side
from fairtrial.runners.reports.outcomes import (
    Death,
    death_by_ending,
    death_by_fault,
    result_at_death,
    result_of,
)

#: A shell reports a child's death by signal as this plus the signal's number.
SHELL_SIGNAL: Final = 128
STDERR_LIMIT: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The reports of one trial, put together."""

    processes: tuple[Process, ...]
    #: Every start of a test, in the order of time.
    starts: tuple[TestRun, ...]
    #: The last start of each test counts; a second one makes the report unsound.
    results: Mapping[TestId, Result]
    interrupted_at: TestId | None
    listed: tuple[TestId, ...]
    uncollectable: Mapping[str, str]
    skipped_files: Mapping[str, str]
    #: What is known of each file that could not be collected.
    details: Mapping[str, Detail] = field(default_factory=dict)
    #: When the first test began, in seconds since the epoch; 0: nothing tells.
    epoch: float = 0.0

    @property
    def listed_is_complete(self) -> bool:
        """Every process that was to collect tests came to the end of it."""
        return bool(self.processes) and all(
            process.collected is not None or process.finished
            for process in self.processes
        )


def read_run(output: TrialOutput, places: Places, test_timeout: float) -> Run:
    """Everything that the processes of one trial reported."""
    found = (read_process(name, data) for name, data in sorted(output.files.items()))
    processes = tuple(process for process in found if process is not None)
    starts = sorted(
        (run for process in processes for run in process.runs),
        key=lambda run: run.started,
    )
    begun = min((run.started for run in starts), default=0.0)
    stderr = output.stderr[-STDERR_LIMIT:].decode("utf-8", "replace")
    interrupted: list[tuple[Process, TestRun]] = [
        (process, process.runs[-1])
        for process in processes
        if process.runs and not process.runs[-1].complete
    ]
    deaths: dict[int, Result] = {}
    for process, run in interrupted:
        elapsed = output.seconds - (run.started - begun)
        overdue = elapsed >= test_timeout
        death = death_of(process, output, places, overdue=overdue)
        deaths[id(run)] = result_at_death(run, begun, death, stderr)
    results = {
        TestId(run.test): deaths.get(id(run)) or result_of(run, begun) for run in starts
    }
    uncollectable, details = _uncollectable(processes, output, places)
    return Run(
        processes=processes,
        starts=tuple(starts),
        results=results,
        interrupted_at=TestId(interrupted[0][1].test) if interrupted else None,
        listed=_listed(processes),
        uncollectable=uncollectable,
        skipped_files={
            file: reason
            for process in processes
            for file, reason in process.skipped_files.items()
        },
        details=details,
        epoch=_epoch(processes, begun) if starts else 0.0,
    )


def _epoch(processes: tuple[Process, ...], begun: float) -> float:
    """The time of day of a moment of the steady clock, which all processes share."""
    told = (process.offset for process in processes)
    return next((max(begun + each, 0.0) for each in told if each is not None), 0.0)


def death_of(
    process: Process, output: TrialOutput, places: Places, *, overdue: bool
) -> Death:
    """How a process ended that did not come to its own end."""
    if process.ending is not None:
        return death_by_ending(process.ending)
    trace = output.files.get(f"fault-{process.stem}.txt", b"")[:STDERR_LIMIT]
    fault = death_by_fault(trace.decode("utf-8", "replace"), str(places.workspace))
    if fault is not None:
        return fault
    # Without a frame nothing shows that two such deaths are the same: the detail names
    # this trial alone, so that no other death without a trace matches it.
    outcome, kind = _untraced(output, overdue=overdue)
    return Death(
        outcome=outcome,
        detail=Detail(
            type=kind,
            message=f"{kind}: the process ended without a trace",
            untraced=f"no trace, trial of {output.seconds:.6f} s",
        ),
    )


def _untraced(output: TrialOutput, *, overdue: bool) -> tuple[Outcome, str]:
    match output.ending:
        case TrialEnding.TIMED_OUT:
            return Outcome.TIMED_OUT if overdue else Outcome.ERRORED, "Timeout"
        case TrialEnding.OUT_OF_MEMORY:
            return Outcome.CRASHED, "OutOfMemory"
        case TrialEnding.SIGNALLED | TrialEnding.EXITED:
            return Outcome.CRASHED, signal_name(output) or "ProcessEnded"


def signal_name(output: TrialOutput) -> str | None:
    """Which signal ended the trial, directly or through a shell; None: none did."""
    number = output.code
    if output.ending is TrialEnding.EXITED:
        number -= SHELL_SIGNAL
    elif output.ending is not TrialEnding.SIGNALLED:
        return None
    try:
        return signal.Signals(number).name
    except ValueError:
        return None


def _listed(processes: tuple[Process, ...]) -> tuple[TestId, ...]:
    """What was collected, each test once, in the order of the collection."""
    seen: dict[str, None] = {}
    for process in processes:
        seen.update(dict.fromkeys(process.collected or ()))
    return tuple(TestId(each) for each in seen)


def _uncollectable(
    processes: tuple[Process, ...], output: TrialOutput, places: Places
) -> tuple[dict[str, str], dict[str, Detail]]:
    found: dict[str, Detail] = {}
    for process in processes:
        found.update(process.uncollectable)
        in_collection = process.collected is None and not process.finished
        gone = in_collection and process.exit_code is None
        if gone and process.collecting is not None and not process.uncollectable:
            file = process.collecting
            if output.ending is not TrialEnding.TIMED_OUT:
                found[file] = death_of(process, output, places, overdue=False).detail
    return {
        name.partition("::")[0]: f"{first_line(each)}{_raised_in(each, name)}"
        for name, each in found.items()
    }, {name.partition("::")[0]: each for name, each in found.items()}


def _raised_in(detail: Detail, name: str) -> str:
    """Where production's own code raised what kept a file from being collected."""
    inside = [
        frame
        for frame in detail.frames
        if frame.ours and not is_test_side(frame.path, name)
    ]
    if not inside:
        return ""
    return RAISED_IN.format(path=inside[-1].path, line=inside[-1].line)


def first_line(detail: Detail) -> str:
    """What went wrong with a file, in one line: type and message."""
    said = (detail.message or detail.text).strip().splitlines()
    line = said[0] if said else "no reason given"
    return f"{detail.type}: {line}"[:500] if detail.type else line[:500]
