from __future__ import annotations

import itertools

import pytest

from fairtrial.benches.databases.postgres import changes
from fairtrial.benches.databases.postgres.changes import Table, Told, gather
from fairtrial.domain.databases import Change, Verb

BEGIN, COMMIT = "BEGIN 7", "COMMIT 7 (at 1970-01-01 00:01:00+00)"
ORDERS = ("public", "orders")


def told(*lines: str, table: Table | None = None) -> Told:
    return gather("shop", (BEGIN, *lines, COMMIT), {ORDERS: table or Table()})


def test_a_change_has_its_transaction_and_the_time_of_its_commit() -> None:
    line = "table public.orders: INSERT: id[integer]:1 discount[numeric]:null"

    assert told(line) == Told(
        changes=(
            Change(
                database="shop",
                table="public.orders",
                verb=Verb.INSERT,
                values={"id": "1", "discount": None},
                types={"id": "integer", "discount": "numeric"},
                at=60.0,
                transaction=7,
            ),
        )
    )


def test_what_is_not_told_to_its_commit_is_no_change() -> None:
    lines = ["BEGIN 1", "table public.orders: INSERT: id[integer]:1"]

    assert Told() == gather("shop", lines, {})


def test_a_key_that_an_update_left_alone_is_taken_from_the_new_row() -> None:
    table = Table(columns={"id": "integer", "note": "text"}, key=("id",))
    [change] = told(
        "table public.orders: UPDATE: id[integer]:1 note[text]:'a'", table=table
    ).changes

    assert {"id": "1"} == change.key
    assert {"id": "1", "note": "a"} == change.values


def test_nulls_that_the_decoder_leaves_out_of_an_old_row_are_put_back() -> None:
    table = Table(columns={"id": "integer", "note": "text"}, whole=True)
    [change] = told("table public.orders: DELETE: id[integer]:1", table=table).changes

    assert {"id": "1", "note": None} == change.key
    assert {"id": "integer", "note": "text"} == change.types


def test_a_column_that_is_computed_when_read_has_no_value_of_its_own() -> None:
    table = Table(
        columns={"id": "integer", "twice": "integer"},
        whole=True,
        virtual=frozenset({"twice"}),
    )
    [made, gone] = told(
        "table public.orders: INSERT: id[integer]:1 twice[integer]:null",
        "table public.orders: DELETE: id[integer]:1",
        table=table,
    ).changes

    assert {"id": "1"} == made.values
    assert {"id": "1"} == gone.key


def test_a_truncate_of_several_tables_is_a_change_of_each() -> None:
    found = told('table public.orders, public."Odd Name": TRUNCATE: (no-flags)')

    assert ["public.orders", 'public."Odd Name"'] == [c.table for c in found.changes]
    assert {Verb.TRUNCATE} == {c.verb for c in found.changes}


def test_the_servers_own_spelling_of_a_table_is_kept() -> None:
    table = Table(quoted='public."user"')
    found = gather(
        "shop",
        [BEGIN, 'table public."user": INSERT: id[integer]:1', COMMIT],
        {("public", "user"): table},
    )

    assert ['public."user"'] == [c.table for c in found.changes]


def test_a_row_that_is_too_large_is_said_to_be_missing() -> None:
    large = "x" * changes.LONGEST
    found = told(
        f"table public.orders: INSERT: note[text]:'{large}'",
        "table public.orders: INSERT: id[integer]:1",
    )

    assert "a row of table public.orders is too large to be told" == found.missing
    assert [{"id": "1"}] == [dict(c.values) for c in found.changes]


def test_a_line_that_is_not_understood_is_said_and_the_rest_is_told() -> None:
    found = told("table public.orders: INSERT: note[text]:'cut")

    assert found.missing.startswith("a change could not be read: ")
    assert () == found.changes


def test_more_changes_than_anybody_can_try_are_not_all_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "MOST", 5)
    line = "table public.orders: INSERT: id[integer]:1"
    one_by_one = gather("shop", [BEGIN, line, COMMIT] * 7, {})
    at_once = told(*[line] * 7)

    for found in (one_by_one, at_once):
        assert [60.0] * 5 == [c.at for c in found.changes]
        assert "only the first 5 changes are told" == found.missing


def test_very_large_changes_are_not_read_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "TOGETHER", 200)
    found = gather("shop", itertools.cycle([BEGIN, "x" * 50, COMMIT]), {})

    assert found.missing
