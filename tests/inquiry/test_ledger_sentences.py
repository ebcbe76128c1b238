"""Sentences say what was tried, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.inquiry.ledgers import delete, insert, truncate, update

from fairtrial.domain.databases import Change
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger import sentences
from fairtrial.inquiry.ledger.net import Left
from fairtrial.inquiry.ledger.proving import Proof

V, P = TestId("v"), (TestId("p"),)


def lefts(*changes: Change) -> tuple[Left, ...]:
    return tuple(Left(change=change, by=P) for change in changes)


def rows(count: int, **values: str | None) -> tuple[Left, ...]:
    return lefts(*(insert("public.t", id=str(n), **values) for n in range(count)))


def proof(
    enough: tuple[Left, ...],
    few: int | None = None,
    columns: tuple[str, ...] = (),
    alike: tuple[str, ...] = (),
) -> Proof:
    return Proof(
        enough=enough,
        lefts=enough if few is None else enough[:few],
        columns=columns,
        columns_of=enough if columns else (),
        alike=alike,
    )


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (
            proof(rows(3, x=None), 1, ("x",)),
            (
                "3 rows of `t` left by `p`, `x` NULL in each, are enough to make `v` "
                "fail; so is one of them. With other values there it passes."
            ),
        ),
        (
            proof(rows(1, x=None), columns=("x",)),
            (
                "1 row of `t` left by `p`, `x` NULL, is enough to make `v` fail. "
                "With another value there it passes."
            ),
        ),
        (
            proof(rows(2, x="open"), columns=("x",)),
            (
                "2 rows of `t` left by `p`, `x` `'open'` in each, are enough to make "
                "`v` fail. With other values there it passes."
            ),
        ),
        (
            proof(rows(1, x="y" * 200), columns=("x",)),
            (
                "1 row of `t` left by `p`, whose `x` counts, is enough to make `v` "
                "fail. With another value there it passes."
            ),
        ),
        (
            proof(rows(2), alike=("a", "b")),
            (
                "2 rows of `t` left by `p` are enough to make `v` fail. "
                "With other values of `a` and `b` it fails, too."
            ),
        ),
        (
            proof(rows(9), 2),
            "9 rows of `t` left by `p` are enough to make `v` fail; so are 2 of them.",
        ),
        (
            proof(lefts(truncate("public.t"))),
            "The emptying of `t` by `p` is enough to make `v` fail.",
        ),
        (
            proof(lefts(update("t", {"id": "1"}, {}), update("t", {"id": "2"}, {}))),
            "The update of 2 rows of `t` by `p` is enough to make `v` fail.",
        ),
        (
            proof(lefts(insert("t", id="1"), delete("u", {"id": "1"})), 1),
            (
                "1 row of `t` and the deletion of 1 row of `u` by `p` are enough to "
                "make `v` fail; so is 1 row of `t` alone."
            ),
        ),
    ],
)
def test_a_proof_is_told_as_it_was_tried(shown: Proof, said: str) -> None:
    assert said == sentences.proven(shown, V, P)


@pytest.mark.parametrize(
    ("shown", "by", "said"),
    [
        (
            proof(lefts(insert("public.t", id="1"), insert("u", id="1"))),
            P,
            "Roll back what `p` commits, or empty `t` and `u` before the test.",
        ),
        (proof(rows(1)), (), "Empty `t` before the test."),
        (
            proof(lefts(delete("t", {"id": "1"}))),
            (*P, TestId("q")),
            "Roll back what `p` and `q` commit.",
        ),
        (proof(lefts(delete("t", {"id": "1"}))), (), ""),
    ],
)
def test_what_would_mend_it_is_advised(
    shown: Proof, by: tuple[TestId, ...], said: str
) -> None:
    assert said == sentences.advice(shown, by)


def test_columns_of_different_values_are_only_named() -> None:
    different = lefts(insert("t", x="1"), insert("t", x="2"))

    assert ", whose `x` counts," in sentences.proven(
        proof(different, columns=("x",)), V, P
    )


def test_a_value_can_t_break_out_of_its_quotes() -> None:
    hostile = lefts(insert("t", x="a`b\n`c"))

    assert "`x` `'a b c'`" in sentences.proven(proof(hostile, columns=("x",)), V, P)


def test_many_kinds_and_tests_are_counted() -> None:
    many = lefts(*(insert(f"t{n}", id="1") for n in range(6)))
    names: Sequence[TestId] = [TestId(f"p{n}") for n in range(5)]

    assert "1 row of `t0`, 1 row of `t1` and changes of 4 more kinds" == (
        sentences.things(many)
    )
    assert "`p0`, `p1` and 3 more tests" == sentences.tests(names)


def test_what_was_not_enough_is_said_plainly() -> None:
    assert "2 rows of `t` left by `p` alone did not make it fail" == (
        sentences.not_enough(rows(2), P)
    )
