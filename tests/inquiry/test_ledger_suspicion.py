"""Guesses follow what a failure says, then NULLs, then what is smallest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.inquiry.ledgers import insert
from tests.inquiry.simulated import failed

from fairtrial.domain.databases import Change
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Failure
from fairtrial.inquiry.ledger.net import net
from fairtrial.inquiry.ledger.suspicion import (
    Group,
    Words,
    groups,
    short,
    words_of,
)
from fairtrial.inquiry.ledger.windows import Owned

NONE = Words(frozenset(), frozenset())


def failure(message: str, text: str = "") -> Failure:
    made = failed(TestId("v"), message).failure
    assert made is not None
    return replace(made, text=text)


def grouped(changes: Sequence[Change], words: Words) -> tuple[Group, ...]:
    lefts = net(Owned(change=one, tests=(TestId("p"),)) for one in changes)
    return groups(lefts, changes, words)


def tables(changes: Sequence[Change], words: Words) -> list[str]:
    return [group.table for group in grouped(changes, words)]


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("KeyError: 'unit_price'", {"unitprice"}),
        ("no unitPrice here", {"unitprice", "unit", "price"}),
        ("relation public.order_lines", {"orderlines", "public"}),
        ("", set()),
    ],
)
def test_names_are_read_whatever_their_spelling(message: str, names: set[str]) -> None:
    assert names <= words_of(failure(message)).said


def test_what_is_said_is_told_from_what_a_trace_shows() -> None:
    words = words_of(failure("'a'", text="SELECT b FROM c"))

    assert {"a"} == words.said
    assert {"b", "c"} <= words.shown
    assert NONE == words_of(None)


def test_a_huge_trace_is_read_at_its_end() -> None:
    words = words_of(failure("", text="early " * 100_000 + "late"))

    assert "late" in words.shown
    assert len(words.shown) <= 3


CHANGES = [
    *(insert("public.orders", id=str(n), discount=None, note="x") for n in range(3)),
    insert("public.audit", id="1", note="x"),
    *(insert("shop.rates", id=str(n), rate="1") for n in range(2)),
]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (NONE, ["public.audit", "shop.rates", "public.orders"]),
        (words_of(failure("no order 7")), ["public.orders"]),
        (words_of(failure("'discount'")), ["public.orders"]),
        (words_of(failure("bad rate")), ["shop.rates"]),
        (words_of(failure("?", text="from rates")), ["shop.rates"]),
        (words_of(failure("'discount'", text="from rates")), ["public.orders"]),
    ],
)
def test_tables_are_ranked_by_what_the_failure_says(
    words: Words, first: list[str]
) -> None:
    assert first == tables(CHANGES, words)[: len(first)]


def test_a_column_is_guessed_that_is_named_and_null() -> None:
    rows = [insert("t", id=str(n), a=None, b=None, c="1") for n in range(2)]

    assert {"b"} == grouped(rows, words_of(failure("'b' and 'c'")))[0].guess


def test_a_named_column_is_guessed_though_it_holds_something() -> None:
    rows = [insert("t", id=str(n), a=None, c=str(n)) for n in range(2)]

    assert {"c"} == grouped(rows, words_of(failure("'c'")))[0].guess


def test_without_a_name_every_null_is_a_guess() -> None:
    rows = [insert("t", id=str(n), a=None, b=None, c="1") for n in range(2)]

    assert {"a", "b"} == grouped(rows, NONE)[0].guess


def test_without_a_hint_there_is_no_guess() -> None:
    assert frozenset() == grouped([insert("t", id="1", c="1")], NONE)[0].guess


def test_columns_that_name_rows_are_never_suspected() -> None:
    (group,) = grouped([insert("t", id=None, x="1")], words_of(failure("'id'")))

    assert ("x",) == group.columns
    assert frozenset() == group.guess


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("public.orders", "orders"),
        ('public."Odd.Name"', 'public."Odd.Name"'),
        ("main.orders", "orders"),
        ("shop.orders", "shop.orders"),
        ("orders", "orders"),
        ("`orders`", "orders"),
        ('public."Orders"', "Orders"),
    ],
)
def test_everyone_s_schema_is_left_out(table: str, name: str) -> None:
    assert name == short(table)
