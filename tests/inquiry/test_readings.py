"""Does a reading say what the observations show, and nothing more?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import (
    ALONE,
    SUITE,
    Context,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Failure, Outcome, Phase, Result, Signature
from fairtrial.domain.trees import (
    BASE,
    BASE_TESTS,
    HEAD,
    HEAD_CONTROL,
    HEAD_TESTS,
    Revision,
    Tree,
)
from fairtrial.inquiry.cases import Rates, Reading
from fairtrial.inquiry.readings import opening_seen_at_base, read
from fairtrial.inquiry.summaries import Summary

TEST = TestId("tests/test_cart.py::test_total")
BOTH = frozenset({PathClass.PRODUCTION, PathClass.TEST})
PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
UNBUILDABLE, ERRORED = Outcome.UNBUILDABLE, Outcome.ERRORED


def result(outcome: Outcome, way: str | None = "AssertionError") -> Result:
    if outcome not in (FAILED, UNBUILDABLE) or way is None:
        return Result(test=TEST, outcome=outcome)
    phase = Phase.CALL if outcome is FAILED else Phase.COLLECT
    signature = Signature(
        outcome=outcome,
        phase=phase,
        exception=way,
        test_frame=None,
        production_frame=None,
    )
    failure = Failure(
        phase=phase, type=way, message="", where=None, signature=signature
    )
    return Result(test=TEST, outcome=outcome, failure=failure)


def seen(
    tree: Tree,
    outcome: Outcome,
    context: Context = ALONE,
    way: str | None = "AssertionError",
) -> Observation:
    experiment = Experiment(
        suite=SuiteName("unit"),
        tree=tree,
        context=context,
        shape=Shape.LISTED,
        tests=(TEST,),
        subjects=(TEST,),
        purpose=Purpose.ALONE,
    )
    return Observation(
        trial=TrialId("t"),
        experiment=experiment,
        results={TEST: result(outcome, way)},
        trust=Trust.SOUND,
    )


OPENING = seen(HEAD, FAILED, SUITE)


def evidence(
    *observations: Observation,
    changed: frozenset[PathClass] = BOTH,
    opening: Observation = OPENING,
) -> Evidence:
    return Evidence(observations=(opening, *observations), changed=changed)


def times(count: int, observation: Observation) -> list[Observation]:
    return [observation] * count


def test_each_tree_has_its_own_summary() -> None:
    found = evidence(
        *times(3, seen(HEAD, FAILED)),
        *times(3, seen(BASE, PASSED)),
        *times(3, seen(HEAD_TESTS, PASSED)),
        *times(3, seen(BASE_TESTS, FAILED, way="KeyError")),
    )
    expected = Reading(
        head=Summary.FAILS,
        base=Summary.PASSES,
        head_tests=Summary.PASSES,
        base_tests=Summary.FAILS_OTHERWISE,
        rates=Rates.FLAKIER,
        base_tests_rates=Rates.FLAKIER,
    )

    assert expected == read(found, TEST, ALONE)


@pytest.mark.parametrize(
    ("expected", "context"), [(Summary.UNKNOWN, ALONE), (Summary.FAILS, SUITE)]
)
def test_twice_is_always_in_the_suite_and_not_alone(
    expected: Summary, context: Context
) -> None:
    found = read(
        evidence(
            *(
                attempt
                for tree in (HEAD, BASE, HEAD_TESTS, BASE_TESTS)
                for attempt in times(2, seen(tree, FAILED, context))
            )
        ),
        TEST,
        context,
    )

    assert [expected] * 4 == [
        found.head,
        found.base,
        found.head_tests,
        found.base_tests,
    ]


def test_what_was_not_tried_is_unknown() -> None:
    assert Reading() == read(evidence(), TEST, ALONE)
    assert Reading() == read(evidence(), TEST, SUITE)


def test_trees_that_are_equal_share_one_cell() -> None:
    found = read(
        evidence(
            *times(3, seen(HEAD, FAILED)),
            *times(3, seen(BASE, PASSED)),
            changed=frozenset({PathClass.PRODUCTION}),
        ),
        TEST,
        ALONE,
    )

    assert Summary.FAILS is found.base_tests
    assert Summary.PASSES is found.head_tests


def test_rates_are_told_apart_tree_by_tree() -> None:
    found = read(
        evidence(
            *times(6, seen(HEAD, FAILED)),
            *times(14, seen(HEAD, PASSED)),
            *times(6, seen(BASE, FAILED)),
            *times(14, seen(BASE, PASSED)),
            *times(20, seen(HEAD_TESTS, FAILED)),
            *times(20, seen(BASE_TESTS, PASSED)),
        ),
        TEST,
        ALONE,
    )
    expected = Reading(
        head=Summary.MIXED,
        base=Summary.MIXED,
        head_tests=Summary.FAILS,
        base_tests=Summary.PASSES,
        rates=Rates.NOT_FLAKIER,
        head_tests_rates=Rates.FLAKIER,
        base_tests_rates=Rates.NOT_FLAKIER,
        base_tests_never_failed=True,
    )

    assert expected == found


@pytest.mark.parametrize(
    ("expected", "base"),
    [
        (Summary.FAILS, times(3, seen(BASE, PASSED))),
        (Summary.FAILS, times(3, seen(BASE, FAILED))),
        (Summary.FAILS, [seen(BASE, FAILED), seen(BASE, PASSED)]),
        (Summary.UNBUILDABLE, [seen(BASE, UNBUILDABLE)]),
        (Summary.UNBUILDABLE, [seen(BASE, Outcome.SKIPPED)]),
        (Summary.UNBUILDABLE, []),
    ],
)
def test_a_file_that_head_cannot_collect_has_failed_where_base_has_the_test(
    expected: Summary, base: Sequence[Observation]
) -> None:
    found = read(evidence(seen(HEAD, UNBUILDABLE), *base), TEST, ALONE)

    assert expected is found.head
    assert found.base is not Summary.FAILS
    assert Summary.UNKNOWN is found.base_tests


@pytest.mark.parametrize(
    ("changed", "tests", "production"),
    [
        (PathClass.PRODUCTION, Summary.PASSES, Summary.FAILS),
        (PathClass.TEST, Summary.FAILS, Summary.PASSES),
    ],
)
def test_a_swap_that_is_head_itself_has_failed_to_be_collected_too(
    changed: PathClass, tests: Summary, production: Summary
) -> None:
    found = read(
        evidence(
            seen(HEAD, UNBUILDABLE),
            *times(3, seen(BASE, PASSED)),
            changed=frozenset({changed}),
        ),
        TEST,
        ALONE,
    )

    assert (tests, production) == (found.head_tests, found.base_tests)


def test_control_that_only_adds_is_read_where_it_was_applied() -> None:
    found = evidence(
        *times(3, seen(HEAD_CONTROL, FAILED)),
        *times(3, seen(replace(BASE_TESTS, control=Revision.HEAD), FAILED)),
        *times(3, seen(replace(HEAD_TESTS, control=Revision.HEAD), PASSED)),
        *times(3, seen(BASE, PASSED)),
        changed=BOTH | {PathClass.CONTROL},
    )
    with_it = read(found, TEST, ALONE, control=Revision.HEAD)
    without = read(found, TEST, ALONE)

    assert (Summary.FAILS, Summary.PASSES) == (with_it.head, with_it.base)
    assert (Summary.PASSES, Summary.FAILS) == (with_it.head_tests, with_it.base_tests)
    assert (Summary.UNKNOWN, Summary.PASSES) == (without.head, without.base)


def test_the_opening_failure_is_seen_where_base_fails_alike_in_its_suite() -> None:
    assert opening_seen_at_base(evidence(seen(BASE, FAILED, SUITE)), TEST)


@pytest.mark.parametrize(
    "base",
    [
        seen(BASE, FAILED, ALONE),
        seen(BASE, FAILED, SUITE, way="KeyError"),
        seen(HEAD, FAILED, SUITE),
        seen(BASE, PASSED, SUITE),
    ],
)
def test_another_company_way_tree_or_outcome_does_not_show_it(
    base: Observation,
) -> None:
    assert not opening_seen_at_base(evidence(base), TEST)


def test_an_opening_without_a_failure_of_the_test_has_none_to_be_seen() -> None:
    missing = seen(HEAD, Outcome.MISSING, SUITE)
    absent = replace(missing, results={})

    assert opening_seen_at_base(evidence(opening=missing), TEST)
    assert opening_seen_at_base(evidence(opening=absent), TEST)
    assert opening_seen_at_base(Evidence(), TEST)


@pytest.mark.parametrize("outcome", [FAILED, UNBUILDABLE])
def test_an_opening_failure_that_cannot_be_compared_is_not_seen(
    outcome: Outcome,
) -> None:
    unsigned = seen(HEAD, outcome, SUITE, way=None)

    assert not opening_seen_at_base(
        evidence(seen(BASE, outcome, SUITE), opening=unsigned), TEST
    )


def test_an_opening_that_could_not_be_collected_is_compared_too() -> None:
    broken = seen(HEAD, UNBUILDABLE, SUITE)

    assert not opening_seen_at_base(evidence(opening=broken), TEST)


trees = st.sampled_from([BASE, HEAD, HEAD_TESTS, BASE_TESTS])
observations = st.lists(
    st.builds(
        seen,
        trees,
        st.sampled_from(Outcome),
        st.sampled_from([ALONE, SUITE]),
        st.sampled_from(["KeyError", "AssertionError"]),
    ),
    max_size=30,
)


@given(observations)
def test_the_order_of_observations_does_not_matter(
    found: list[Observation],
) -> None:
    shuffled = sorted(found, key=lambda each: str(each.results))

    for context in (ALONE, SUITE):
        assert read(evidence(*found), TEST, context) == read(
            evidence(*shuffled), TEST, context
        )


@given(observations, trees, st.integers(0, 30))
def test_errored_attempts_change_no_reading(
    found: list[Observation], tree: Tree, place: int
) -> None:
    errored = seen(tree, ERRORED)
    distrusted = replace(seen(tree, FAILED), trust=Trust.ERRORED)
    more = [*found[:place], errored, distrusted, *found[place:]]

    assert read(evidence(*found), TEST, ALONE) == read(evidence(*more), TEST, ALONE)
