"""Who pollutes, or sets up, one test of head: an inquiry that compares with nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import Observation, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.request import Request
from fairtrial.domain.trees import HEAD, Revision
from fairtrial.inquiry.casing import Facts, facts_of
from fairtrial.inquiry.state import Inquiry
from fairtrial.laboratory.source import TreeSource
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.inquest import pursued
from fairtrial.pipeline.opening import suite_trial
from fairtrial.pipeline.single import standing_one
from fairtrial.pipeline.stand import Stand
from fairtrial.pipeline.world import World
from fairtrial.trees import Sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What came of it; `inquiry` is None when the test is not in the suite."""

    suite: Observation
    inquiry: Inquiry | None
    facts: Facts


def search(request: Request, world: World, test: TestId) -> Search:
    """The search for the tests that make one test fail, or that it needs."""
    sides = (Revision.BASE, Revision.HEAD)
    with standing_one(request, world, *sides, change=against_itself) as (brief, stand):
        (suite,) = stand.laboratory.perform([suite_trial(stand, HEAD, Purpose.SUITE)])
        if test not in suite.results:
            return Search(suite=suite, inquiry=None, facts=Facts())
        inquiry = pursued(
            _inquiry(suite, test, stand, brief), stand.laboratory.perform, world.clock
        )
    return Search(suite=suite, inquiry=inquiry, facts=facts_of(inquiry, test))


def against_itself(brief: Brief) -> Brief:
    """The same run with head in the place of base: only company can differ then."""
    head = brief.source.listing(HEAD)
    sides = Sides(base=head, head=head, classes={}, read=brief.subject.sides.read)
    return replace(
        brief,
        subject=replace(brief.subject, sides=sides, changed=()),
        source=TreeSource(sides=sides),
    )


def _inquiry(suite: Observation, test: TestId, stand: Stand, brief: Brief) -> Inquiry:
    runner = stand.laboratory.runner
    return Inquiry(
        suite=stand.suite.name,
        evidence=Evidence(observations=(suite,)),
        failed=(test,),
        touches_production=False,
        orders=suite.orders,
        listed=suite.listed,
        base_listed=suite.listed,
        widen=lambda one, unit: runner.widen(one, unit, suite.listed),
        budget=brief.budget,
        suite_seconds=suite.seconds,
    )
