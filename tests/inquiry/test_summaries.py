"""Does a cell amount to what its attempts show, and to nothing more?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.evidence import Cell
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.results import Outcome, Phase, Signature
from fairtrial.inquiry.summaries import Summary, summarise

PASSED, FAILED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED
CRASHED, TIMED_OUT = Outcome.CRASHED, Outcome.TIMED_OUT
UNBUILDABLE, ERRORED, MISSING = Outcome.UNBUILDABLE, Outcome.ERRORED, Outcome.MISSING


def signature(name: str) -> Signature:
    return Signature(
        outcome=FAILED,
        phase=Phase.CALL,
        exception=name,
        test_frame=None,
        production_frame=None,
    )


ONE, OTHER = signature("one"), signature("other")


@pytest.mark.parametrize(
    ("expected", "counts"),
    [
        (Summary.PASSES, {PASSED: 3}),
        (Summary.UNKNOWN, {PASSED: 2}),
        (Summary.FAILS, {FAILED: 3}),
        (Summary.FAILS, {FAILED: 1, CRASHED: 1, TIMED_OUT: 1}),
        (Summary.UNKNOWN, {FAILED: 2}),
        (Summary.MIXED, {PASSED: 1, FAILED: 1}),
        (Summary.MIXED, {PASSED: 1, FAILED: 1, SKIPPED: 1}),
        (Summary.UNKNOWN, {PASSED: 3, SKIPPED: 1}),
        (Summary.UNKNOWN, {FAILED: 3, SKIPPED: 1}),
        (Summary.UNKNOWN, {PASSED: 3, UNBUILDABLE: 1}),
        (Summary.UNKNOWN, {FAILED: 3, UNBUILDABLE: 1}),
        (Summary.ABSENT, {SKIPPED: 1}),
        (Summary.UNBUILDABLE, {UNBUILDABLE: 1}),
        (Summary.UNKNOWN, {SKIPPED: 1, UNBUILDABLE: 1}),
        (Summary.UNKNOWN, {}),
        (Summary.UNKNOWN, {ERRORED: 3}),
        (Summary.UNKNOWN, {MISSING: 3}),
        (Summary.PASSES, {PASSED: 3, ERRORED: 2, MISSING: 1}),
    ],
)
def test_a_cell_amounts_to_its_row_alone(
    expected: Summary, counts: dict[Outcome, int]
) -> None:
    failed = {FAILED, CRASHED, TIMED_OUT} & set(counts)
    signatures = frozenset({ONE}) if failed else frozenset()
    cell = Cell(counts=counts, signatures=signatures)

    assert expected is summarise(cell, ContextKind.ALONE, signatures)


@pytest.mark.parametrize("kind", [ContextKind.SUITE, ContextKind.AFTER])
def test_two_attempts_are_always_in_company(kind: ContextKind) -> None:
    seen = frozenset({ONE})

    assert Summary.PASSES is summarise(Cell(counts={PASSED: 2}), kind, seen)
    assert Summary.UNKNOWN is summarise(Cell(counts={PASSED: 1}), kind, seen)
    failing = Cell(counts={FAILED: 2}, signatures=seen)
    assert Summary.FAILS is summarise(failing, kind, seen)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({OTHER}, {ONE}),
        ({ONE, OTHER}, {ONE}),
        ({ONE}, {ONE, OTHER}),
        ({ONE}, set()),
    ],
)
def test_signatures_have_to_be_the_same_both_ways(
    base: set[Signature], head: set[Signature]
) -> None:
    cell = Cell(counts={FAILED: 3}, signatures=frozenset(base))

    assert Summary.FAILS_OTHERWISE is summarise(cell, ContextKind.ALONE, head)


@given(
    st.dictionaries(st.sampled_from(Outcome), st.integers(0, 4)),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(ContextKind),
)
def test_errored_and_missing_attempts_change_nothing(
    counts: dict[Outcome, int], errored: int, missing: int, kind: ContextKind
) -> None:
    bare = {**counts, ERRORED: 0, MISSING: 0}
    more = {**counts, ERRORED: errored, MISSING: missing}

    assert summarise(Cell(counts=bare), kind, frozenset()) is summarise(
        Cell(counts=more), kind, frozenset()
    )
