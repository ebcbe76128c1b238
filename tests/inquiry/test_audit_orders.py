"""Every ordered pair becomes neighbours, in as many orders as said, group by group."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import TestId
from fairtrial.inquiry.audit import tuscan
from fairtrial.inquiry.audit.bounds import rate_below
from fairtrial.inquiry.audit.orders import Group, grouped
from fairtrial.runners import pytest as runner


@pytest.mark.parametrize("n", range(40))
def test_rows_are_permutations_that_cover_every_ordered_pair(n: int) -> None:
    made = [tuscan.row(n, number) for number in range(tuscan.rows(n))]
    seen: set[tuple[int, int]] = set()
    for number, row in enumerate(made, start=1):
        assert sorted(row) == list(range(n))
        seen |= set(pairwise(row))
        assert tuscan.pairs_in(n, number) <= len(seen)

    assert tuscan.pairs(n) == len(seen) == tuscan.pairs_in(n, len(made))
    assert len(made) <= n + 1


def suite(*files: int) -> tuple[TestId, ...]:
    """Files with so many tests: every second one in a class, with two rows each."""
    return tuple(
        TestId(f"test_{number}.py::{name}")
        for number, count in enumerate(files)
        for at in range(count)
        for name in (
            [f"TestIt::test_{at}"] if at % 2 else [f"test_{at}[a]", f"test_{at}[b]"]
        )
    )


def group(listed: tuple[TestId, ...]) -> Group:
    return grouped(listed, runner.file_of, runner.widen)


def neighbours(group: Group, orders: int) -> set[tuple[TestId, TestId]]:
    return {pair for number in range(orders) for pair in pairwise(group.order(number))}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(min_value=1, max_value=6), min_size=1, max_size=6))
def test_files_and_groups_stay_together_in_every_order(files: list[int]) -> None:
    listed = suite(*files)
    made = group(listed)

    for number in range(made.needed):
        order = made.order(number)
        assert len(set(order)) == len(order)
        assert set(order) <= set(listed)
        for unit in (Unit.FILE, Unit.CLASS):
            for test in order:
                block = [t for t in order if t in runner.widen(test, unit, listed)]
                start = order.index(block[0])
                assert tuple(block) == order[start : start + len(block)]
    assert set(made.order(0)) == set(listed)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(min_value=1, max_value=5), min_size=1, max_size=5))
def test_each_file_follows_each_other_and_so_does_each_test_in_its_group(
    files: list[int],
) -> None:
    listed = suite(*files)
    made = group(listed)
    seen = neighbours(made, made.needed)

    file_pairs = {(runner.file_of(a), runner.file_of(b)) for a, b in seen}
    names = {runner.file_of(test) for test in listed}
    assert {(a, b) for a in names for b in names if a != b} <= file_pairs
    for test in listed:
        block = runner.widen(test, Unit.CLASS, listed)
        assert {(a, b) for a in block for b in block if a != b} <= seen
    assert made.pairs == made.covered(made.needed)
    assert made.covered(0) == 0


def test_a_file_with_many_tests_does_not_make_the_others_run_so_often() -> None:
    listed = (*suite(1, 1), *(TestId(f"test_z.py::test[{n}]") for n in range(20)))
    made = group(listed)

    assert made.needed == 20
    assert set(made.order(19)) == set(listed[-20:])


def test_backwards_turns_everything_round() -> None:
    listed = suite(2, 3)

    assert group(listed).backwards() == tuple(reversed(group(listed).forwards()))
    assert group(listed).forwards() == listed


def test_what_passes_exclude() -> None:
    assert rate_below(0) is None
    assert [0.95, 0.632, 0.259, 0.049] == [
        round(rate_below(n) or 0, 3) for n in (1, 3, 10, 60)
    ]
