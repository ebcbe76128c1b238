"""Whether base's version of an edited test still holds on head's production.

Base's tests are tried on head's production in one trial. What fails there is inquired
into exactly as a failure of head is: base's own production is the other side, so the
same evidence is asked for before production is blamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import (
    Experiment,
    Observation,
    Purpose,
    Trust,
)
from fairtrial.domain.names import OverlayId, TestId
from fairtrial.domain.paths import PERSONS_CLASSES, PathClass
from fairtrial.domain.report import Verdict
from fairtrial.domain.results import FAILURES, Failure, Outcome, Phase
from fairtrial.domain.trees import BASE, BASE_TESTS, Revision, canonical
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.inquest import begin, pursued
from fairtrial.pipeline.judging import failure_of, verdicts_of
from fairtrial.pipeline.opening import Opening, listed_trial
from fairtrial.pipeline.unbuilt import misses, try_by_itself
from fairtrial.policy.effects import Oracle

#: What a pytest assertion, and most others, end in.
_ASSERTIONS = frozenset({"AssertionError", "Failed", "ExceptionGroup"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What base's version of one test showed on head's production."""

    oracle: Oracle
    because: str = ""
    #: The inquiry's verdict, where there was a failure to inquire into.
    verdict: Verdict | None = None


def try_base_tests(
    opening: Opening, brief: Brief, tests: Sequence[TestId]
) -> Mapping[TestId, Tried]:
    """What each of base's tests shows on head's production; one entry for each."""
    if not tests:
        return {}
    changed = brief.changed - {PathClass.TEST}
    laboratory = opening.stand.laboratory
    tree = canonical(replace(BASE_TESTS, control=opening.control), changed)
    (first,) = laboratory.perform(
        [listed_trial(opening.stand, tree, tests, Purpose.ORACLE)]
    )
    if first.trust is not Trust.SOUND:
        because = f"the trial of base's tests proves nothing: {first.distrust}"
        return dict.fromkeys(tests, Tried(oracle=Oracle.UNKNOWN, because=because))
    outcomes = {
        test: first.results[test].outcome if test in first.results else Outcome.MISSING
        for test in tests
    }
    found = {
        test: Tried(oracle=Oracle.HOLDS)
        for test, outcome in outcomes.items()
        if outcome is Outcome.PASSED
    }
    failing = tuple(test for test in tests if outcomes[test] in FAILURES)
    if failing:
        found.update(inquired(opening, brief, first, failing))
    skipped = tuple(t for t in tests if outcomes[t] is Outcome.SKIPPED)
    if skipped:
        found.update(_skipped(opening, skipped))
    for test in tests:
        if outcomes[test] is Outcome.UNBUILDABLE:
            oracle, because = try_by_itself(opening, brief, test, first)
            found[test] = Tried(oracle=oracle, because=because)
    lost = Tried(oracle=Oracle.UNKNOWN, because="its trial brought no result of it")
    return {test: found.get(test, lost) for test in tests}


def _skipped(
    opening: Opening, tests: tuple[TestId, ...]
) -> Iterator[tuple[TestId, Tried]]:
    """Tests that base's production skips as well demand nothing at either side."""
    tree = replace(BASE, control=opening.control)
    (base,) = opening.stand.laboratory.perform(
        [listed_trial(opening.stand, tree, tests, Purpose.ORACLE)]
    )
    for test in tests:
        result = base.results.get(test)
        alike = (
            base.trust is Trust.SOUND
            and result is not None
            and result.outcome is Outcome.SKIPPED
        )
        yield (
            test,
            Tried(oracle=Oracle.HOLDS)
            if alike
            else Tried(
                oracle=Oracle.UNKNOWN,
                because="base's version is skipped on head's production",
            ),
        )


def inquired(
    opening: Opening,
    brief: Brief,
    first: Observation,
    failing: tuple[TestId, ...],
    overlay: OverlayId | None = None,
) -> Iterator[tuple[TestId, Tried]]:
    """What each failing test of base shows on head's production, to the end.

    `first` is the trial in which they failed, and `overlay` what lies over head's
    production in it.
    """
    inquiry = _inquiry(opening, brief, first, failing, overlay)
    pre_existing_max = brief.settings.policy.pre_existing_max
    for verdict in verdicts_of(inquiry, pre_existing_max, lambda _: ""):
        failure = failure_of(inquiry, verdict.test)
        oracle = oracle_of(verdict, failure)
        if oracle is Oracle.FAILS and failure is not None and misses(brief, failure):
            oracle = Oracle.CONTRACT_REMOVED
        yield (
            verdict.test,
            Tried(oracle=oracle, because=verdict.because, verdict=verdict),
        )


def _inquiry(
    opening: Opening,
    brief: Brief,
    first: Observation,
    failing: tuple[TestId, ...],
    overlay: OverlayId | None,
) -> Inquiry:
    """The ended inquiry into base's tests: head and base differ but in their tests."""
    changed = brief.changed - {PathClass.TEST}
    inquiry = replace(
        begin(opening, brief),
        evidence=Evidence(observations=(first,), changed=changed),
        failed=failing,
        touches_production=bool(PERSONS_CLASSES & changed),
        orders=first.orders,
        listed=first.experiment.tests or first.listed,
        edited=frozenset(),
        suite_seconds=opening.head.seconds,
    )

    def perform(batch: Sequence[Experiment]) -> tuple[Observation, ...]:
        same = [replace(one, tree=canonical(one.tree, changed)) for one in batch]
        return performed(opening, same, overlay)

    return pursued(inquiry, perform, brief.world.clock)


def performed(
    opening: Opening, batch: Sequence[Experiment], overlay: OverlayId | None
) -> tuple[Observation, ...]:
    """What the trials show, with an overlay on whatever has head's production."""
    laid = [
        replace(one, tree=replace(one.tree, overlay=overlay))
        if overlay is not None
        and one.tree.overlay is None
        and Revision.HEAD in {one.tree.production, one.tree.dependencies}
        else one
        for one in batch
    ]
    seen = opening.stand.laboratory.perform(laid)
    # Evidence is kept by tree; here the overlay is part of what head's is.
    return tuple(
        replace(each, experiment=one) for each, one in zip(seen, batch, strict=True)
    )


def oracle_of(verdict: Verdict, failure: Failure | None) -> Oracle:
    """What a verdict on base's version of a test says of head's production."""
    match verdict.category:
        case (
            Category.REGRESSION
            | Category.VICTIM
            | Category.BRITTLE
            | Category.NON_DETERMINISTIC
            | Category.INTERACTION
        ):
            match verdict.decision:
                case Decision.BLOCK:
                    return Oracle.FAILS
                case Decision.PASS:
                    return Oracle.CONTAMINATED
                case Decision.REPAIR | Decision.INCONCLUSIVE:
                    return Oracle.UNKNOWN
        case Category.PRE_EXISTING:
            return Oracle.RED_BEFORE if asserted(failure) else Oracle.BROKEN_BEFORE
        case Category.UNPROVEN:
            return Oracle.OTHERWISE
        case Category.CONTRACT_REMOVED:
            return Oracle.CONTRACT_REMOVED
        case (
            Category.TEST_DEFECT
            | Category.ENVIRONMENT
            | Category.BASE_BROKEN
            | Category.UNTRIED
            | Category.INCONCLUSIVE
            | Category.HEAD_BROKEN
            | Category.CONTROL_EFFECT
            | Category.HIDDEN_REGRESSION
            | Category.ORACLE_DISPUTE
            | Category.EXPECTATIONS_CHANGED
            | Category.WEAKENED
            | Category.OUT_OF_BOUNDS
        ):
            return Oracle.UNKNOWN


def asserted(failure: Failure | None) -> bool:
    """Whether a test ran and found something else than it demands."""
    if failure is None:
        return True
    name = failure.type.rpartition(".")[2]
    return failure.phase is Phase.CALL and name in _ASSERTIONS
