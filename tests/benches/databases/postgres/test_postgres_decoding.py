from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.benches.databases.postgres.decoding import (
    Begin,
    Commit,
    NotUnderstood,
    Row,
    Tuple,
    read,
)
from fairtrial.domain.databases import Verb


def row(line: str) -> Row:
    said = read(line)
    assert isinstance(said, Row)
    return said


def test_a_transaction_is_told_with_its_number_and_its_time() -> None:
    assert Begin(transaction=755) == read("BEGIN 755")
    assert Commit(transaction=755, at=1769853600.5) == read(
        "COMMIT 755 (at 2026-01-31 10:00:00.5+00)"
    )
    assert Commit(transaction=755, at=1769853600.0) == read(
        "COMMIT 755 (at 2026-01-31 15:30:00+05:30)"
    )
    assert Begin() == read("BEGIN")
    assert Commit() == read("COMMIT")


def test_a_message_is_no_change() -> None:
    line = "message: transactional: 1 prefix: fairtrial, sz: 3 content:end"

    assert read(line) is None


def test_an_insert_is_told_with_types_and_values() -> None:
    said = row(
        "table public.orders: INSERT: id[integer]:1 note[text]:'it''s\n \"x\"'"
        " tags[text[]]:'{a,\"b]c\"}' paid[boolean]:true sum[numeric]:NaN"
        " discount[numeric]:null mask[bit]:B'101' word[text]:'null'"
    )

    assert (("public", "orders"),) == said.tables
    assert Verb.INSERT is said.verb
    assert said.old is None
    assert said.new == Tuple(
        values={
            "id": "1",
            "note": 'it\'s\n "x"',
            "tags": '{a,"b]c"}',
            "paid": "true",
            "sum": "NaN",
            "discount": None,
            "mask": "101",
            "word": "null",
        },
        types={
            "id": "integer",
            "note": "text",
            "tags": "text[]",
            "paid": "boolean",
            "sum": "numeric",
            "discount": "numeric",
            "mask": "bit",
            "word": "text",
        },
    )


def test_names_that_have_to_be_quoted_are_taken_out_of_their_quotes() -> None:
    said = row(
        'table "my.schema"."a ""b"": [c": INSERT: "old-key:"[public."Mo]od"]:\'x\''
    )

    assert (("my.schema", 'a "b": [c'),) == said.tables
    assert said.new == Tuple(
        values={"old-key:": "x"}, types={"old-key:": 'public."Mo]od"'}
    )


def test_an_update_has_its_old_key_when_that_is_told() -> None:
    bare = row("table a.b: UPDATE: id[integer]:1 t[text]:unchanged-toast-datum")
    keyed = row(
        "table a.b: UPDATE: old-key: id[integer]:1 t[text]:' new-tuple:'"
        " new-tuple: id[integer]:2 t[text]:null"
    )

    assert bare.old is None
    assert bare.new == Tuple(
        values={"id": "1"},
        types={"id": "integer", "t": "text"},
        unchanged=("t",),
    )
    assert keyed.old is not None
    assert {"id": "1", "t": " new-tuple:"} == keyed.old.values
    assert keyed.new is not None
    assert {"id": "2", "t": None} == keyed.new.values


def test_a_delete_tells_the_key_or_nothing() -> None:
    keyed = row("table a.b: DELETE: id[integer]:1")

    assert keyed.old is not None
    assert {"id": "1"} == keyed.old.values
    assert keyed.new is None
    assert row("table a.b: DELETE: (no-tuple-data)").old is None


def test_a_truncate_names_all_its_tables() -> None:
    said = row('table a.b, a."c, d": TRUNCATE: restart_seqs cascade')

    assert Verb.TRUNCATE is said.verb
    assert (("a", "b"), ("a", "c, d")) == said.tables
    assert Verb.TRUNCATE is row("table a.b: TRUNCATE: (no-flags)").verb


@pytest.mark.parametrize(
    "line",
    [
        "",
        "BEGIN x",
        "COMMIT 1 (at yesterday)",
        "COMMIT 1 (at 2026-13-31 10:00:00+00)",
        "table",
        "table a",
        "table a.b: MERGE: id[integer]:1",
        "table a.b: INSERT: id[integer:1",
        "table a.b: INSERT: id[integer]",
        "table a.b: INSERT: id[integer]: ",
        "table a.b: INSERT: t[text]:'cut o",
        "table a.b: INSERT: t[bit]:B'1",
        "table a.b: INSERT: t[text]:'a'b",
        'table a."b: INSERT: t[text]:null',
        "table a.b: UPDATE: old-key: id[integer]:1",
    ],
)
def test_a_line_that_is_cut_off_or_strange_is_not_understood(line: str) -> None:
    with pytest.raises(NotUnderstood):
        read(line)


NAMES = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1)
TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@given(
    table=st.tuples(NAMES, NAMES),
    columns=st.dictionaries(NAMES, st.tuples(NAMES, st.none() | TEXTS)),
    old=st.dictionaries(NAMES, st.tuples(NAMES, TEXTS)),
)
def test_whatever_names_and_texts_there_are_they_are_read_as_they_were(
    table: tuple[str, str],
    columns: dict[str, tuple[str, str | None]],
    old: dict[str, tuple[str, str]],
) -> None:
    def written(values: dict[str, tuple[str, str | None]]) -> str:
        return "".join(
            f" {quoted(name)}[{quoted(type_)}[]]:"
            + ("null" if value is None else "'" + value.replace("'", "''") + "'")
            for name, (type_, value) in values.items()
        )

    line = (
        f"table {quoted(table[0])}.{quoted(table[1])}: UPDATE: old-key:"
        f"{written({**old})} new-tuple:{written(columns)}"
    )
    said = row(line)

    assert (table,) == said.tables
    assert said.old is not None
    assert said.new is not None
    assert {name: value for name, (_, value) in old.items()} == said.old.values
    assert {name: value for name, (_, value) in columns.items()} == said.new.values
    assert {n: f"{quoted(t)}[]" for n, (t, _) in columns.items()} == said.new.types


@given(st.text() | st.text().map(lambda text: f"table a.b: INSERT:{text}"))
def test_no_line_makes_it_stumble(line: str) -> None:
    with contextlib.suppress(NotUnderstood):
        assert read(line) == read(line)
