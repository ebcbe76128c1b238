"""How a suite's failures are inquired into: plan, perform, until nothing is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import Experiment, Observation, Unit
from fairtrial.domain.names import TestId
from fairtrial.domain.paths import PERSONS_CLASSES, PathClass
from fairtrial.inquiry.culprit import WHOLE_CLASSES
from fairtrial.inquiry.plan import next_experiments
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.contracts import contracts
from fairtrial.pipeline.edited import edited_tests
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.prior import prior_of
from fairtrial.pipeline.restoring import Restorable

Perform = Callable[[Sequence[Experiment]], tuple[Observation, ...]]


def inquire(opening: Opening, brief: Brief, equal: frozenset[TestId]) -> Inquiry:
    """The inquiry into all failures of one suite, when it has ended.

    `equal` are the tests that demand at head what they did at base. Time counts from
    the end of the opening trial.
    """
    inquiry = replace(begin(opening, brief), demands_equal=equal)
    return pursued(inquiry, opening.stand.laboratory.perform, brief.world.clock)


def pursued(inquiry: Inquiry, perform: Perform, clock: Callable[[], float]) -> Inquiry:
    """An inquiry to its end: plan, perform, until nothing is left to ask."""
    begun = clock()
    while batch := next_experiments(inquiry):
        inquiry = inquiry.plus(perform(batch), spent=clock() - begun)
    return inquiry


def begin(opening: Opening, brief: Brief) -> Inquiry:
    """All that the planner reads, before the first question."""
    changed = brief.changed
    runner = opening.stand.laboratory.runner
    listed = opening.listed
    # A unit's members are those of either side: one that the change removed may be
    # what the others need.
    known = tuple(dict.fromkeys((*listed, *opening.inventory)))

    def widen(test: TestId, unit: Unit) -> tuple[TestId, ...]:
        return runner.widen(test, unit, known)

    observations = (opening.head, *opening.beside)
    return Inquiry(
        suite=opening.stand.suite.name,
        evidence=Evidence(observations=observations, changed=changed),
        failed=opening.failed,
        touches_production=bool(PERSONS_CLASSES & changed),
        orders=opening.head.orders,
        listed=listed,
        base_listed=opening.inventory,
        edited=edited_tests(brief, listed, frozenset(opening.inventory)),
        restorable=_restorable(opening, brief),
        removed=contracts(brief) if opening.failed else frozenset(),
        hunks=brief.hunks,
        files={each: brief.paths(each) for each in WHOLE_CLASSES},
        widen=widen,
        forks=runner.forks(),
        prior=prior_of(brief, opening.stand.suite.name),
        budget=brief.budget,
        suite_seconds=opening.head.seconds,
        control=opening.control,
    )


def _restorable(opening: Opening, brief: Brief) -> Restorable:
    """Base's tests that may be tried by themselves where their files can't be built."""
    runner = opening.stand.laboratory.runner
    tests = opening.inventory if PathClass.TEST in brief.changed else ()
    places = {test: runner.place_of(test) for test in tests}
    return Restorable(brief=brief, tests=places, control=opening.control)
