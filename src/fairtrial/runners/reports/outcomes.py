"""What came of one test, from the reports of its phases."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.results import Failure, Outcome, Phase, Result
from fairtrial.runners.reports.events import Detail, Ending, PhaseReport, TestRun
from fairtrial.runners.reports.failures import failure_of
from fairtrial.runners.reports.fields import Frame

_PHASES: Final = {
    "setup": Phase.SETUP,
    "call": Phase.CALL,
    "teardown": Phase.TEARDOWN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """How a process ended inside a test, as far as its traces tell."""

    outcome: Outcome
    detail: Detail


def result_of(run: TestRun, begun: float) -> Result:
    """The result of a test whose phases were all reported; the worst phase decides."""
    failed = next((each for each in run.phases if _is_failure(each)), None)
    if failed is not None:
        phase = _PHASES[failed.when]
        failure = failure_of(run.test, Outcome.FAILED, phase, failed.detail)
        return _result(run, begun, Outcome.FAILED, failure=failure)
    skipped = next((each for each in run.phases if _is_skip(each)), None)
    if skipped is not None:
        return _result(run, begun, Outcome.SKIPPED, reason=skipped.reason)
    whens = {each.when for each in run.phases}
    if {"setup", "call", "teardown"} <= whens:
        return _result(run, begun, Outcome.PASSED)
    return _result(run, begun, Outcome.ERRORED, reason="only a part of it was reported")


def result_at_death(run: TestRun, begun: float, death: Death, stderr: str) -> Result:
    """The result of the test that was running when its process ended."""
    done = {each.when for each in run.phases}
    phase = Phase.SETUP
    if "setup" in done:
        phase = Phase.TEARDOWN if "call" in done else Phase.CALL
    failure = failure_of(run.test, death.outcome, phase, death.detail, extra=stderr)
    return _result(run, begun, death.outcome, failure=failure)


def _result(
    run: TestRun,
    begun: float,
    outcome: Outcome,
    *,
    failure: Failure | None = None,
    reason: str = "",
) -> Result:
    return Result(
        test=TestId(run.test),
        outcome=outcome,
        failure=failure,
        reason=reason,
        seconds=round(sum(each.seconds for each in run.phases), 6),
        started=round(max(0.0, run.started - begun), 6),
        worker=run.worker,
    )


def _is_failure(report: PhaseReport) -> bool:
    # An expected failure that passes under strict rules did what the code should do.
    return report.outcome == "failed" and not report.unexpected_pass


def _is_skip(report: PhaseReport) -> bool:
    # A subtest that skips itself skips no more than itself: pytest reports its test
    # as passed, and only the phase of the test itself decides.
    return report.outcome == "skipped" and not report.subtest


_FAULT_FRAME: Final = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_FATAL: Final = re.compile(
    r"^(?:Fatal Python error|Windows fatal exception): (.+)$", re.MULTILINE
)


def death_by_ending(ending: Ending) -> Death:
    """How the last words of a process tell its end."""
    if ending.cause in {"test_timeout", "project_timeout"}:
        return Death(
            outcome=Outcome.TIMED_OUT,
            detail=_named(ending.detail, "Timeout", "it took longer than it may"),
        )
    if ending.cause == "exit":
        said = f"it ended its process with exit code {ending.code}"
        return Death(
            outcome=Outcome.CRASHED, detail=_named(ending.detail, "os._exit", said)
        )
    return Death(outcome=Outcome.CRASHED, detail=ending.detail)


def death_by_fault(text: str, workspace: str) -> Death | None:
    """How the trace of Python's fault handler tells the end; None: it left none."""
    fatal = _FATAL.search(text)
    timeout = text.startswith("Timeout (")
    if fatal is None and not timeout:
        return None
    # Each stack has its most recent call first. A fatal error shows the thread that
    # failed before any other; a time-out shows all threads, the main one last.
    blocks = text[fatal.start() if fatal else 0 :].split("\n\n")
    stacks = [block for block in blocks if _FAULT_FRAME.search(block)] or [""]
    stack = stacks[0] if fatal else stacks[-1]
    frames = tuple(
        _fault_frame(found, workspace) for found in _FAULT_FRAME.finditer(stack)
    )[::-1]
    kind = fatal.group(1).strip() if fatal else "Timeout"
    return Death(
        outcome=Outcome.CRASHED if fatal else Outcome.TIMED_OUT,
        detail=Detail(
            type=kind[:200], message=kind[:200], frames=frames, text=text[:20_000]
        ),
    )


def _fault_frame(found: re.Match[str], workspace: str) -> Frame:
    path, line, name = found.groups()
    inside = path.startswith(f"{workspace}/") and "-packages/" not in path
    short = path[len(workspace) + 1 :] if inside else "/".join(path.split("/")[-2:])
    return Frame(path=short, name=name, digest="", line=int(line[:9]), ours=inside)


def _named(detail: Detail, kind: str, message: str) -> Detail:
    return Detail(
        type=kind, message=message, frames=detail.frames, text=detail.text or message
    )
