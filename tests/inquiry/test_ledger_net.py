"""What is left of many changes does what they did, and says who did it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inquiry.ledgers import Tables, delete, insert, truncate, update

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.net import Left, net, written_by
from fairtrial.inquiry.ledger.windows import Owned

A, B = TestId("a"), TestId("b")


def by(test: TestId, *changes: Change) -> list[Owned]:
    return [Owned(change=change, tests=(test,)) for change in changes]


def shown(lefts: tuple[Left, ...]) -> list[tuple[Any, ...]]:
    return [
        (left.change.verb, dict(left.change.key), dict(left.change.values), left.by)
        for left in lefts
    ]


def test_no_changes_leave_nothing() -> None:
    assert () == net([])


def test_a_row_that_is_deleted_again_leaves_nothing() -> None:
    assert () == net(by(A, insert("t", id="1", x="a"), delete("t", {"id": "1"})))


def test_an_update_folds_into_its_insert_and_names_both() -> None:
    changes = (
        *by(A, insert("t", id="1", x="a")),
        *by(B, update("t", {"id": "1"}, {"id": "1", "x": None})),
    )

    assert [(Verb.INSERT, {}, {"id": "1", "x": None}, (A, B))] == shown(net(changes))


def test_a_template_row_keeps_the_name_it_had_there() -> None:
    changes = by(
        A,
        update("t", {"id": "1"}, {"id": "2", "x": "b"}),
        update("t", {"id": "2"}, {"id": "3", "x": "c"}),
    )

    expected = (Verb.UPDATE, {"id": "1"}, {"id": "3", "x": "c"}, (A,))
    assert [expected] == shown(net(changes))


def test_a_template_row_that_is_changed_and_deleted_is_deleted() -> None:
    changes = by(
        A,
        update("t", {"id": "1"}, {"id": "2", "x": "b"}),
        delete("t", {"id": "2"}),
    )

    assert [(Verb.DELETE, {"id": "1"}, {}, (A,))] == shown(net(changes))


def test_a_row_put_back_as_it_was_leaves_nothing() -> None:
    row = {"id": "1", "x": "a"}
    again = by(A, delete("t", row), insert("t", **row))
    changed = by(A, update("t", row, {"id": "1", "x": "b"}))
    back = by(B, update("t", {"id": "1", "x": "b"}, row))

    assert () == net(again)
    assert () == net([*changed, *back])


def test_a_table_that_is_emptied_holds_only_what_came_later() -> None:
    changes = by(A, insert("t", id="1"), truncate("t"), insert("t", id="2"))

    assert [
        (Verb.TRUNCATE, {}, {}, (A,)),
        (Verb.INSERT, {}, {"id": "2"}, (A,)),
    ] == shown(net(changes))


def test_a_change_whose_row_can_t_be_told_is_kept_as_it_is() -> None:
    nameless = delete("t", {})

    assert [(Verb.DELETE, {}, {}, (A,))] == shown(net(by(A, nameless)))
    assert [Verb.TRUNCATE] == [
        left.change.verb for left in net(by(A, nameless, truncate("t")))
    ]


def test_what_two_workers_may_have_written_is_not_certain() -> None:
    (left,) = net([Owned(change=insert("t", id="1"), tests=(A, B))])

    assert not left.certain


def test_one_uncertain_writer_makes_a_row_uncertain() -> None:
    written = [
        Owned(change=insert("t", id="1"), tests=(A,)),
        Owned(change=update("t", {"id": "1"}, {"id": "1"}), tests=(A, B)),
        Owned(change=update("t", {"id": "1"}, {"id": "1"}), tests=(B,)),
        Owned(change=delete("u", {}), tests=(A, B)),
    ]

    assert [False, False] == [left.certain for left in net(written)]


def test_what_is_left_tells_types_and_where_it_is() -> None:
    changes = by(
        A,
        insert("t", id="1", x="a"),
        update("u", {"id": "2"}, {"id": "2", "y": "b"}),
        delete("v", {"id": "3"}),
    )

    for left in net(changes):
        told = left.change
        assert "main" == told.database
        assert {*told.key, *told.values} == set(told.types)


def test_nameless_changes_of_other_tables_outlive_a_truncate() -> None:
    lefts = net(by(A, delete("u", {}), truncate("t")))

    assert {"t", "u"} == {left.change.table for left in lefts}


def test_rows_of_set_up_are_nobody_s() -> None:
    lefts = net(
        [
            Owned(change=insert("t", id="1"), tests=()),
            *by(A, insert("t", id="2")),
            *by(B, insert("t", id="3")),
        ]
    )

    assert ["2", "3"] == [each.change.values["id"] for each in written_by(lefts, None)]
    assert ["3"] == [
        each.change.values["id"] for each in written_by(lefts, frozenset({B}))
    ]


def test_a_row_that_takes_another_one_s_old_name_is_made_anew() -> None:
    """Rows that swap their keys can't be changed one after the other."""
    template = {"t": [{"id": "1", "x": "a"}, {"id": "2", "x": "b"}]}
    changes = by(
        A,
        update("t", {"id": "1"}, {"id": "9", "x": "a"}),
        update("t", {"id": "2"}, {"id": "1", "x": "b"}),
        update("t", {"id": "9"}, {"id": "2", "x": "a"}),
    )
    lefts = net(changes)
    made = Tables(template)
    for left in lefts:
        made.make(left.change)

    assert {"t": [(("id", "1"), ("x", "b")), (("id", "2"), ("x", "a"))]} == made.content
    assert [Verb.DELETE, Verb.DELETE, Verb.INSERT, Verb.INSERT] == [
        left.change.verb for left in lefts
    ]


NAMES = st.sampled_from(["t", "u"])
IDS = st.sampled_from([str(number) for number in range(3)])
XS = st.sampled_from(["a", "b", None])


@st.composite
def histories(draw: st.DrawFn) -> tuple[dict[str, list[Any]], list[Change]]:
    """A template with unique ids, and changes that a database could have made."""
    template = {
        table: [{"id": one, "x": draw(XS)} for one in draw(st.lists(IDS, unique=True))]
        for table in ("t", "u")
    }
    whole = draw(st.booleans())
    tables = Tables(template)
    changes: list[Change] = []
    for _ in range(draw(st.integers(0, 25))):
        table = draw(NAMES)
        rows = tables.rows[table]
        free = [one for one in map(str, range(3)) if all(one != r["id"] for r in rows)]
        kinds = [*(["insert"] if free else []), *(["update", "delete"] if rows else [])]
        kind = draw(st.sampled_from([*kinds, *kinds, "truncate"]))
        if kind == "insert":
            change = insert(table, id=draw(st.sampled_from(free)), x=draw(XS))
        elif kind == "truncate":
            change = truncate(table)
        else:
            row = draw(st.sampled_from(rows))
            key = dict(row) if whole else {"id": row["id"]}
            if kind == "delete":
                change = delete(table, key)
            else:
                new = draw(st.sampled_from([row["id"], *free]))
                change = update(table, key, {"id": new, "x": draw(XS)})
        tables.make(change)
        changes.append(change)
    return template, changes


@given(histories())
def test_what_is_left_makes_of_the_template_what_all_changes_made(
    history: tuple[dict[str, list[Any]], list[Change]],
) -> None:
    template, changes = history
    asked, folded = Tables(template), Tables(template)
    for change in changes:
        asked.make(change)
    for left in net(by(A, *changes)):
        folded.make(left.change)

    assert asked.content == folded.content


@given(histories())
def test_folding_what_is_left_changes_nothing_any_more(
    history: tuple[dict[str, list[Any]], list[Change]],
) -> None:
    template, changes = history
    once = net(by(A, *changes))
    again = net(by(A, *(left.change for left in once)))
    first, second = Tables(template), Tables(template)
    for left in once:
        first.make(left.change)
    for left in again:
        second.make(left.change)

    assert first.content == second.content


@pytest.mark.parametrize("size", [3000])
def test_long_ledgers_are_folded_in_no_time(size: int) -> None:
    inserted = [insert("t", id=str(number), x="a") for number in range(size)]
    deleted = [delete("t", {"id": str(number)}) for number in range(size)]

    assert () == net(by(A, *inserted, *deleted))
