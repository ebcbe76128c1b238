"""A column's other value comes from its own table, or from its type."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.ledgers import delete, insert, update

from fairtrial.domain.databases import Change
from fairtrial.inquiry.ledger.net import Left
from fairtrial.inquiry.ledger.neutral import neutral


def typed(change: Change, **types: str) -> Change:
    return replace(change, types=types)


def test_a_value_of_another_row_comes_first() -> None:
    changes = [insert("t", id="1", x=None), insert("t", id="2", x="7")]

    assert "7" == neutral("t", changes).value("x", changes[0], 0)


def test_other_tables_lend_nothing() -> None:
    changes = [typed(insert("t", x=None), x="text"), insert("u", x="7")]

    assert "x1" == neutral("t", changes).value("x", changes[0], 0)


def test_different_rows_get_different_values() -> None:
    changes = [insert("t", x="a"), insert("t", x="b"), insert("t", x="c")]
    here = neutral("t", changes)

    assert ["b", "c", "b"] == [here.value("x", changes[0], n) for n in range(3)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("integer", "1"),
        ("bigint", "1"),
        ("int(11)", "1"),
        ("numeric(5,2)", "1"),
        ("double precision", "1"),
        ("tinyint(1)", "1"),
        ("boolean", "t"),
        ("text", "x1"),
        ("character varying(20)", "x1"),
        ("varchar(20)", "x1"),
        ("timestamp without time zone", "2001-02-03 04:05:01"),
        ("datetime", "2001-02-03 04:05:01"),
        ("date", "2001-02-03"),
        ("time without time zone", "04:05:06"),
        ("interval", "1 day"),
        ("uuid", "00000000-0000-4000-8000-000000000001"),
        ("jsonb", "{}"),
        ("text[]", "{}"),
        ("integer[]", "{}"),
        ("bytea", "\\x00"),
        ("inet", "192.0.2.1"),
        ("geography", None),
        ("", None),
    ],
)
def test_a_type_has_a_value_of_its_own(name: str, value: str | None) -> None:
    change = typed(insert("t", x=None), x=name)
    here = neutral("t", [change])

    assert value == here.value("x", change, 0)
    assert (value is not None) == here.can("x", [Left(change=change)])


def test_a_default_that_the_row_holds_already_is_no_other_value() -> None:
    change = typed(insert("t", x="t"), x="boolean")

    assert neutral("t", [change]).value("x", change, 0) is None


def test_what_names_rows_is_left_alone() -> None:
    changes = [
        insert("t", code="a", x="1", uuid="u"),
        delete("t", {"code": "b"}),
    ]

    assert {"code", "uuid"} == neutral("t", changes).keys


def test_a_key_that_is_the_whole_row_names_no_column() -> None:
    row = {"a": "1", "b": "2"}

    assert frozenset() == neutral("t", [insert("t", **row), delete("t", row)]).keys


def test_an_update_is_made_neutral_by_what_the_template_holds() -> None:
    was = {"k": "1", "x": None, "y": "b"}
    change = update("t", was, {"k": "1", "x": "7", "y": "b"})
    here = neutral("t", [change, insert("t", k="2", x="9", y="c")])
    left = Left(change=change)

    assert here.can("x", [left])
    assert not here.can("y", [left])
    assert {"k": "1", "x": None, "y": "b"} == here.without(
        left, frozenset({"x"}), 0
    ).values


def test_only_the_asked_columns_change() -> None:
    change = insert("t", x="1", y="2")
    here = neutral("t", [change, insert("t", x="3", y="4")])
    made = here.without(Left(change=change), frozenset({"y", "absent"}), 0)

    assert {"x": "1", "y": "4"} == made.values
    assert change == replace(made, values=change.values)


def test_where_values_have_types_the_new_one_has_its_own() -> None:
    change = typed(insert("t", a=None, b=None, c="z"), a="null", b="null", c="text")
    other = typed(insert("t", a=None, b="y"), a="null", b="text")
    here = neutral("t", [other, change])
    made = here.without(Left(change=change), frozenset({"a", "b"}), 0)

    assert {"a": "1", "b": "y", "c": "z"} == made.values
    assert {"a": "integer", "b": "text", "c": "text"} == made.types
