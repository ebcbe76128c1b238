"""Which failures are for want of head's control, and which ones it hides."""

from __future__ import annotations

import pytest

from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.results import Failure, Outcome, Phase, Result, Signature
from fairtrial.domain.trees import HEAD
from fairtrial.pipeline.masking import cured, wants_control

TEST = TestId("test_a.py::test_a")


def fell(
    outcome: Outcome = Outcome.FAILED, exception: str = "AssertionError"
) -> Result:
    signature = Signature(
        outcome=outcome,
        phase=Phase.CALL,
        exception=exception,
        test_frame="test_a.py",
        production_frame=None,
    )
    failure = Failure(
        phase=Phase.CALL,
        type=exception,
        message="",
        where="test_a.py:1",
        signature=signature,
        outside_frame=None,
    )
    return Result(test=TEST, outcome=outcome, failure=failure)


def seen(result: Result | None, trust: Trust = Trust.SOUND) -> Observation:
    return Observation(
        trial=TrialId("t1"),
        experiment=Experiment(
            suite=SuiteName("unit"),
            tree=HEAD,
            context=SUITE,
            shape=Shape.LISTED,
            purpose=Purpose.CONFIRM,
        ),
        results={} if result is None else {TEST: result},
        trust=trust,
    )


PASSED = Result(test=TEST, outcome=Outcome.PASSED)
SKIPPED = Result(test=TEST, outcome=Outcome.SKIPPED)


@pytest.mark.parametrize("under", [PASSED, SKIPPED, None])
def test_a_failure_that_is_gone_under_heads_control_is_cured(
    under: Result | None,
) -> None:
    assert (TEST,) == cured(seen(fell()), seen(under))


def test_what_fails_under_both_or_passes_under_both_is_not_cured() -> None:
    assert () == cured(seen(fell()), seen(fell()))
    assert () == cured(seen(PASSED), seen(None))


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.UNBUILDABLE])
def test_what_falls_alike_with_bases_production_wants_heads_control(
    outcome: Outcome,
) -> None:
    assert wants_control(TEST, seen(fell(outcome)), seen(fell(outcome)))


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (seen(fell()), seen(PASSED)),
        (seen(fell()), seen(SKIPPED)),
        (seen(fell()), seen(None)),
        (seen(PASSED), seen(PASSED)),
        (seen(fell()), seen(fell(exception="KeyError"))),
        (seen(fell()), seen(fell(), Trust.CONTRADICTORY)),
        (seen(fell(), Trust.ERRORED), seen(fell())),
    ],
)
def test_anything_else_is_hidden(head: Observation, base: Observation) -> None:
    assert not wants_control(TEST, head, base)
