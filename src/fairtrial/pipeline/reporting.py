"""What all suites of a run amount to together: one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from fairtrial.domain.decisions import Decision
from fairtrial.domain.errors import ExitCode, FairtrialError, NothingToJudge
from fairtrial.domain.experiments import Trust
from fairtrial.domain.report import (
    Cost,
    Finding,
    Next,
    Report,
    RunInfo,
    SubjectInfo,
    SuiteInfo,
    Verdict,
)
from fairtrial.domain.request import Request
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trials import Levels
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.evidence import telemetry_notices
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.stand import Stand
from fairtrial.pipeline.surroundings import slow_waits
from fairtrial.policy.acceptance import (
    NOBODY,
    SHORT,
    accept,
    can_be_accepted,
    how_to_accept,
    is_acceptable,
)
from fairtrial.policy.decision import (
    Receipt,
    decide,
    requires_production_change,
    whose_turn,
)
from fairtrial.policy.paths import by_class


@dataclass(frozen=True, slots=True, kw_only=True)
class Proceedings:
    """All that the steps of a run brought together; times are wall seconds."""

    brief: Brief
    stands: Sequence[Stand]
    openings: Sequence[Opening]
    #: What the inquiries amount to, in the order of suites and tests.
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    spared: Sequence[SuiteSettings]
    seconds: float
    #: What was asked beyond the suite: seconds and trials.
    asking: float
    trials: int


def report_of(done: Proceedings) -> Report:
    """The report; raises NothingToJudge when no suite has a test at either side."""
    brief = done.brief
    if done.stands and all(map(_has_no_test, done.openings)) and _all_opened(done):
        raise NothingToJudge(
            "No suite has a test, at base or at head.",
            means="The suite's command collects nothing.",
            remedy="Check the suite's `command:`; an empty run is never a pass.",
        )
    verdicts = done.verdicts
    acquitted = tuple(one.test for one in verdicts if one.decision is Decision.PASS)
    asked: tuple[Verdict | Finding, ...] = (*verdicts, *done.findings)
    # Nobody is asked for, and no everyday approval is told, where nothing takes one.
    acceptance = brief.acceptance if any(map(is_acceptable, asked)) else NOBODY
    verdicts, findings = accept(verdicts, done.findings, acceptance)
    receipt = receipt_of(done.openings)
    answers: tuple[Verdict | Finding, ...] = (*verdicts, *findings)
    decision = decide(answers, receipt)
    return Report(
        run=run_info(brief.request),
        decision=decision,
        requires_production_change=requires_production_change(answers),
        next=_next(answers, receipt, brief),
        subject=subject_of(brief),
        suites=(
            *(_suite(stand, done) for stand in done.stands),
            *map(_spared, done.spared),
        ),
        verdicts=verdicts,
        findings=findings,
        acceptances=acceptance.sentences,
        acquitted=acquitted,
        conditions=levels_reached(done.stands),
        cost=_cost(done),
        exit_code=int(decision),
        notices=(
            *brief.subject.notices,
            *acceptance.notices,
            *(note for opening in done.openings for note in opening.notices),
            *(note for opening in done.openings for note in opening.head.remarks),
            *(note for opening in done.openings for note in slow_waits(opening)),
            *(note for opening in done.openings for note in telemetry_notices(opening)),
        ),
    )


def _next(answers: Sequence[Verdict | Finding], receipt: Receipt, brief: Brief) -> Next:
    """Whose turn it is; where a person may accept all that blocks, how."""
    turn = whose_turn(answers, receipt)
    if not can_be_accepted(answers):
        return turn
    subject = brief.subject
    head = "" if subject.working_tree else subject.event.head or subject.head
    how = how_to_accept(head[:SHORT], brief.settings.policy.accept)
    return replace(turn, say=f"{turn.say} {how}")


def _all_opened(done: Proceedings) -> bool:
    return len(done.openings) == len(done.stands)


def _has_no_test(opening: Opening) -> bool:
    """Both sides were asked, and neither has a test or a file that might hold one."""
    head, base = opening.head, opening.base
    return (
        base is not None
        and not (base.listed or base.uncollectable)
        and not (head.listed or head.results or head.uncollectable)
        and head.trust is not Trust.ERRORED
    )


def nothing_to_judge(brief: Brief, spared: Sequence[SuiteSettings]) -> Report:
    """The report on a change that gives no suite anything to say."""
    say = "There is nothing to judge."
    notices = brief.subject.notices
    if not brief.subject.equal:
        notices = (*notices, "No suite is affected by this change, as `when:` has it.")
    return Report(
        run=run_info(brief.request),
        decision=Decision.PASS,
        requires_production_change=False,
        next=Next(actor="none", say=say),
        subject=subject_of(brief),
        suites=tuple(map(_spared, spared)),
        notices=notices,
    )


def stopped_report(
    request: Request, stop: FairtrialError | None, code: ExitCode
) -> Report:
    """The report of a run that ended before it could judge; it never passes."""
    happened = {
        ExitCode.INTERRUPTED: "The run was interrupted.",
        ExitCode.BUG: "A bug in Fairtrial stopped the run.",
    }.get(code, "The run stopped.")
    story = stop.diagnostics() if stop is not None else happened
    return Report(
        run=run_info(request),
        decision=Decision.INCONCLUSIVE,
        requires_production_change=False,
        next=Next(actor="person", say=story),
        subject=None,
        stopped=story,
        exit_code=int(code),
    )


def run_info(request: Request) -> RunInfo:
    """Which run it is; "local" outside a workflow."""
    event = request.event
    attempt = event.get("GITHUB_RUN_ATTEMPT", "")
    return RunInfo(
        id=event.get("GITHUB_RUN_ID") or "local",
        attempt=int(attempt) if attempt.isdecimal() else 1,
        variant=request.variant,
    )


def subject_of(brief: Brief) -> SubjectInfo:
    """What was judged, for the report."""
    subject = brief.subject
    return SubjectInfo(
        head="working tree" if subject.working_tree else subject.head,
        base=subject.base,
        authority=subject.authority.value,
        authority_because=subject.standing.because,
        configuration=subject.settings.source,
        changed=by_class(subject.changed),
        pull_head=subject.event.head,
    )


def receipt_of(openings: Sequence[Opening]) -> Receipt:
    """What the suites' own reports prove."""
    return Receipt(
        complete=bool(openings) and all(opening.sound for opening in openings),
        passed=sum(_count(opening, Outcome.PASSED) for opening in openings),
    )


def _count(opening: Opening, *outcomes: Outcome) -> int:
    results = opening.head.results.values()
    return sum(result.outcome in outcomes for result in results)


def _suite(stand: Stand, done: Proceedings) -> SuiteInfo:
    info = SuiteInfo(name=stand.suite.name, runner=stand.suite.runner)
    opening = next((one for one in done.openings if one.stand is stand), None)
    if opening is None:
        broken = stand.state
        return replace(info, state=broken, note="it was not tried: a tree is broken")
    return replace(
        info,
        listed=len(opening.listed),
        passed=_count(opening, Outcome.PASSED),
        failed=_count(opening, *FAILURES),
        skipped=_count(opening, Outcome.SKIPPED),
        errored=_count(opening, Outcome.ERRORED, Outcome.UNBUILDABLE),
        missing=_count(opening, Outcome.MISSING),
        seconds=round(opening.head.seconds, 3),
        state=_state(opening),
        note=opening.head.distrust,
    )


def _state(opening: Opening) -> str:
    if opening.sound:
        return "tried"
    return "environment" if opening.head.environment else "untrusted"


def _spared(suite: SuiteSettings) -> SuiteInfo:
    return SuiteInfo(
        name=suite.name,
        runner=suite.runner,
        state="not-affected",
        note="no path that its `when:` names was changed",
    )


def levels_reached(stands: Sequence[Stand]) -> Mapping[str, str]:
    """The levels reached, the weaker of two where suites differ in order."""
    found: dict[str, str] = {}
    for stand in stands:
        levels = stand.laboratory.levels()
        for field in fields(Levels):
            value = getattr(levels, field.name)
            if isinstance(value, str):
                known = found.setdefault(field.name, value)
                if known != value:
                    found[field.name] = f"{known}, {value}"
        own = stand.laboratory.fingerprint()
        known = found.setdefault("fingerprint", own)
        if known != own:
            found["fingerprint"] = f"{known}, {own}"
    return found


def _cost(done: Proceedings) -> Cost:
    suite = sum(opening.head.seconds for opening in done.openings)
    return Cost(
        trials=done.trials,
        seconds=round(done.asking, 3),
        suite_seconds=round(suite, 3),
    )
