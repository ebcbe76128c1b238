"""Are the statistics exact?"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.evidence import Cell
from fairtrial.domain.results import Outcome, Phase, Signature
from fairtrial.inquiry.cases import Rates
from fairtrial.inquiry.statistics import (
    RUNS_A_SIDE,
    SIGNIFICANT,
    Tally,
    compare,
    fisher,
    never_failed,
)


def signature(name: str) -> Signature:
    return Signature(
        outcome=Outcome.FAILED,
        phase=Phase.CALL,
        exception=name,
        test_frame=None,
        production_frame=None,
    )


def tally(failed: int, runs: int, *names: str) -> Tally:
    return Tally(
        failed=failed,
        passed=runs - failed,
        signatures=frozenset(signature(name) for name in names),
    )


def by_drawing(worse: Tally, better: Tally) -> Fraction:
    """The same chance by the product rule, one failure drawn after the other."""
    failures = worse.failed + better.failed
    chances = {0: Fraction(1)}
    for drawn in range(failures):
        after: dict[int, Fraction] = {}
        for on_worse, chance in chances.items():
            left = worse.runs + better.runs - drawn
            here = worse.runs - on_worse
            there = better.runs - (drawn - on_worse)
            for gain, weight in ((1, here), (0, there)):
                if weight:
                    key = on_worse + gain
                    share = chance * Fraction(weight, left)
                    after[key] = after.get(key, Fraction(0)) + share
        chances = after
    return sum(
        (chance for on_worse, chance in chances.items() if on_worse >= worse.failed),
        start=Fraction(0),
    )


def test_the_tea_tasting_table_has_its_known_chances() -> None:
    assert Fraction(17, 70) == fisher(tally(3, 4), tally(1, 4))
    assert Fraction(1, 70) == fisher(tally(4, 4), tally(0, 4))


def test_a_side_without_runs_proves_nothing() -> None:
    assert 1 == fisher(tally(3, 3), tally(0, 0))
    assert 1 == fisher(tally(0, 0), tally(3, 3))


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_exact_test_agrees_with_drawing_one_after_the_other(
    failed: int, passed: int, failed_there: int, passed_there: int
) -> None:
    worse = Tally(failed=failed, passed=passed)
    better = Tally(failed=failed_there, passed=passed_there)

    assert by_drawing(worse, better) == fisher(worse, better)


def test_three_against_three_are_just_significant() -> None:
    assert SIGNIFICANT == fisher(tally(3, 3), tally(0, 3))
    assert Rates.FLAKIER is compare(tally(3, 3), tally(0, 3))
    assert Rates.UNDECIDED is compare(tally(2, 3), tally(0, 3))


def test_one_more_failure_at_head_never_makes_it_less_flaky() -> None:
    order = [Rates.NOT_FLAKIER, Rates.UNDECIDED, Rates.FLAKIER]
    for runs, failed_at_base in product((3, 19, 20), range(21)):
        base = tally(failed_at_base, 20, "a")
        found = []
        for more in range(25):
            head = tally(more, runs + more, "a")
            found.append(fisher(head, base))
        assert found == sorted(found, reverse=True)
        for failed in range(20):
            before = compare(tally(failed, failed + runs, "a"), base)
            after = compare(tally(failed + 1, failed + 1 + runs, "a"), base)
            # Where nothing was decided, one more run may make them enough.
            if before is not Rates.UNDECIDED:
                assert order.index(before) <= order.index(after)


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (tally(5, 20, "a"), tally(5, 20, "a")),
        (tally(5, 20, "a"), tally(6, 20, "a", "b")),
        (tally(0, 20), tally(0, 20)),
        (tally(5, 21, "a"), tally(5, 20, "a")),
    ],
)
def test_enough_runs_that_fail_no_more_often_alike_are_not_flakier(
    head: Tally, base: Tally
) -> None:
    assert Rates.NOT_FLAKIER is compare(head, base)


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (tally(5, 19, "a"), tally(6, 20, "a")),
        (tally(5, 20, "a"), tally(6, 19, "a")),
        (tally(6, 20, "a"), tally(5, 20, "a")),
        (tally(5, 20, "a", "b"), tally(6, 20, "a")),
        (tally(5, 20, "a"), tally(5, 21, "a")),
    ],
)
def test_fewer_runs_more_failures_or_a_new_way_decide_nothing(
    head: Tally, base: Tally
) -> None:
    assert Rates.UNDECIDED is compare(head, base)


def test_a_clean_tree_has_to_have_runs_enough_to_exclude_heads_rate() -> None:
    assert never_failed(tally(0, 20), tally(6, 20))
    assert never_failed(tally(0, 3), tally(3, 3))
    assert not never_failed(tally(0, 3), tally(6, 20))
    assert not never_failed(tally(1, 20), tally(20, 20))


def test_one_failure_more_than_the_level_is_what_significance_takes() -> None:
    assert 20 == RUNS_A_SIDE
    assert Rates.FLAKIER is compare(tally(5, 20), tally(0, 20))
    assert Rates.UNDECIDED is compare(tally(4, 20), tally(0, 20))


def test_a_tally_counts_what_says_something_only() -> None:
    counts = {
        Outcome.PASSED: 2,
        Outcome.FAILED: 1,
        Outcome.CRASHED: 1,
        Outcome.TIMED_OUT: 1,
        Outcome.SKIPPED: 5,
        Outcome.ERRORED: 7,
        Outcome.MISSING: 9,
        Outcome.UNBUILDABLE: 4,
    }
    seen = frozenset({signature("a")})

    assert Tally(failed=3, passed=2, signatures=seen) == Tally.of(
        Cell(counts=counts, signatures=seen)
    )
