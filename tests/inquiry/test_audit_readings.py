"""What an audit reads off runs in different orders."""

from __future__ import annotations

from collections.abc import Mapping

from tests.inquiry.simulated import failed

from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.audit.readings import (
    failed_in,
    fails_again,
    is_explained,
    steadiness,
)

A, B, C = (TestId(f"t.py::{name}") for name in "abc")
AGAIN = TestId("t.py::a::again")


def run(results: Mapping[TestId, Outcome], trust: Trust = Trust.SOUND) -> Observation:
    experiment = Experiment(
        suite=SuiteName("unit"),
        tree=HEAD,
        context=SUITE,
        shape=Shape.LISTED,
        purpose=Purpose.AUDIT,
    )
    return Observation(
        trial=TrialId("t1"),
        experiment=experiment,
        results={
            test: failed(test, "x")
            if outcome is Outcome.FAILED
            else Result(test=test, outcome=outcome)
            for test, outcome in results.items()
        },
        trust=trust,
        orders={"main": tuple(results)},
    )


PASSED, FAILED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED


def test_what_was_seen_is_counted_and_what_can_not_be_believed_is_not() -> None:
    runs = (
        run({A: PASSED, B: PASSED, C: SKIPPED}),
        run({A: PASSED, B: FAILED, C: SKIPPED}),
        run({A: FAILED, B: FAILED, C: FAILED}, Trust.ERRORED),
        run({A: FAILED}, Trust.CONTRADICTORY),
    )

    found = steadiness(runs, (A, B, C))

    assert found[A].always_passes
    assert found[B].is_mixed
    assert (1, 1) == (found[B].passed, found[B].failed)
    assert (0, 0) == (found[C].passed, found[C].failed)
    assert not found[C].always_passes
    assert not found[C].always_fails


def test_failures_count_where_the_run_is_sound_and_the_test_is_asked_about() -> None:
    seen = {B: FAILED, A: FAILED, C: PASSED}

    assert (B, A) == failed_in(run(seen), (A, B, C))
    assert (A,) == failed_in(run(seen), (A, C))
    assert () == failed_in(run(seen, Trust.CONTRADICTORY), (A, B))


def test_a_second_run_tells_only_behind_a_first_that_passed() -> None:
    second = {A: AGAIN}

    assert (A,) == fails_again(run({A: PASSED, AGAIN: FAILED}), second)
    assert () == fails_again(run({A: PASSED, AGAIN: PASSED}), second)
    assert () == fails_again(run({A: FAILED, AGAIN: FAILED}), second)
    assert () == fails_again(run({A: PASSED}), second)
    doubted = run({A: PASSED, AGAIN: FAILED}, Trust.ERRORED)
    assert () == fails_again(doubted, second)


def test_a_failure_is_explained_by_a_known_polluter_that_ran_before() -> None:
    behind = run({A: PASSED, B: PASSED, C: FAILED})
    first = run({C: FAILED, A: PASSED, B: PASSED})

    assert is_explained(behind, C, polluters=((A,),), setters=())
    assert is_explained(behind, C, polluters=((A, B),), setters=())
    assert not is_explained(first, C, polluters=((A,),), setters=())
    assert not is_explained(behind, C, polluters=(), setters=())


def test_a_failure_is_explained_by_the_want_of_every_known_setter() -> None:
    behind = run({A: PASSED, C: FAILED})

    assert is_explained(behind, C, polluters=(), setters=((B,),))
    assert not is_explained(behind, C, polluters=(), setters=((B,), (A,)))
