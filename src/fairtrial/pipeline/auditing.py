"""The audit of a tree: what its tests depend on, before a change trips over it."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.audit import Audit, AuditedSuite, AuditFinding, AuditState
from fairtrial.domain.errors import ExitCode
from fairtrial.domain.request import Request
from fairtrial.domain.trees import Revision
from fairtrial.pipeline.audit_ground import Ground
from fairtrial.pipeline.audit_suite import audit_suite
from fairtrial.pipeline.search import against_itself
from fairtrial.pipeline.single import standing
from fairtrial.pipeline.world import World
from fairtrial.trees.identity import tree_id


def audit(request: Request, world: World, *, minutes: float, repeats: int) -> Audit:
    """What every suite's tests depend on; the time is shared out among the suites.

    `repeats` runs in a suite's own order are made of each, if the time allows. Raises
    the errors of `domain.errors` where nothing can be tried at all.
    """
    begun = world.clock()
    end = begun + minutes * 60
    suites: list[AuditedSuite] = []
    findings: list[AuditFinding] = []
    sides = (Revision.BASE, Revision.HEAD)
    with standing(request, world, *sides, change=against_itself) as (brief, stands):
        count = len(brief.settings.suites)
        for stand in stands:
            now = world.clock()
            share = max(0.0, end - now) / (count - len(suites))
            ground = Ground(stand=stand, brief=brief, until=now + share)
            audited, found = audit_suite(ground, repeats)
            suites.append(audited)
            findings += found
        return Audit(
            commit=brief.subject.head,
            tree=tree_id(brief.subject.sides.head),
            suites=tuple(suites),
            findings=tuple(findings),
            trials=brief.trials,
            seconds=round(world.clock() - begun, 3),
            exit_code=exit_code(suites, findings),
        )


def exit_code(
    suites: Sequence[AuditedSuite], findings: Sequence[AuditFinding]
) -> ExitCode:
    """10: something was found. 11: not all was tried, so nothing found says little."""
    if findings:
        return ExitCode.REPAIR
    complete = bool(suites) and all(
        suite.state is AuditState.COMPLETE and not suite.failing for suite in suites
    )
    return ExitCode.PASS if complete else ExitCode.INCONCLUSIVE
