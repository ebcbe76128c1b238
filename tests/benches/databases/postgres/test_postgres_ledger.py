from __future__ import annotations

import time
from typing import Any

import pytest

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import EmbeddedServer, clone
from fairtrial.domain.databases import Change, Ledger, Verb

from .conftest import Enter, MakeClone

SCHEMA = (
    "CREATE TABLE orders (id bigserial PRIMARY KEY, note text, discount numeric)",
    "CREATE TABLE log (at int, line text)",
    "CREATE UNLOGGED TABLE seen (what text)",
    "CREATE MATERIALIZED VIEW total AS SELECT count(*) FROM orders",
    "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE TYPE mood AS ENUM ('sad')",
)


@pytest.fixture
def watched(make_clone: MakeClone) -> Clone:
    one = make_clone(*SCHEMA)
    one.watch()
    return one


def told(ledger: Ledger) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    assert "" == ledger.blind
    return [
        (c.verb.value, c.table, dict(c.key), dict(c.values)) for c in ledger.changes
    ]


def altered(ledger: Ledger) -> list[tuple[str, str, str, str]]:
    return [(a.kind, a.name, a.was, a.now) for a in ledger.alterations]


def test_a_trial_that_does_nothing_leaves_nothing(watched: Clone) -> None:
    assert Ledger() == watched.ledger()


def test_what_is_committed_is_told_with_its_time_and_what_is_rolled_back_is_not(
    watched: Clone, enter: Enter
) -> None:
    inside = enter(watched)
    begun = time.time()
    inside.run("INSERT INTO orders (note) VALUES ('kept')")
    inside.run("BEGIN")
    inside.run("INSERT INTO orders (note) VALUES ('undone')")
    inside.run("ROLLBACK")
    ended = time.time()
    ledger = watched.ledger()

    assert [
        ("insert", "public.orders", {}, {"id": "1", "note": "kept", "discount": None})
    ] == told(ledger)
    [change] = ledger.changes
    assert "orders" == change.database
    assert begun <= change.at <= ended
    assert change.transaction
    assert {"id": "bigint", "note": "text", "discount": "numeric"} == change.types
    # The row that was undone has used up a number all the same.
    assert [("sequence", "public.orders_id_seq", "unused", "2")] == altered(ledger)
    assert ledger is watched.ledger()


def test_a_commit_that_does_not_wait_for_the_disk_is_told_as_well(
    watched: Clone, enter: Enter
) -> None:
    inside = enter(watched)
    inside.run("SET synchronous_commit = off")
    for number in range(20):
        inside.run("INSERT INTO log VALUES (:n, 'x')", n=number)

    assert 20 == len(watched.ledger().changes)


def test_each_verb_is_told_with_what_identifies_the_row(
    watched: Clone, enter: Enter
) -> None:
    inside = enter(watched)
    for statement in (
        "INSERT INTO orders (note) VALUES ('a')",
        "UPDATE orders SET note = 'b'",
        "UPDATE orders SET id = 7",
        "DELETE FROM orders",
        "INSERT INTO log VALUES (1, NULL)",
        "UPDATE log SET line = 'x'",
        "DELETE FROM log",
        "TRUNCATE log, orders",
    ):
        inside.run(statement)
    none = {"discount": None}

    assert [
        ("insert", "public.orders", {}, {"id": "1", "note": "a", **none}),
        ("update", "public.orders", {"id": "1"}, {"id": "1", "note": "b", **none}),
        ("update", "public.orders", {"id": "1"}, {"id": "7", "note": "b", **none}),
        ("delete", "public.orders", {"id": "7"}, {}),
        ("insert", "public.log", {}, {"at": "1", "line": None}),
        (
            "update",
            "public.log",
            {"at": "1", "line": None},
            {"at": "1", "line": "x"},
        ),
        ("delete", "public.log", {"at": "1", "line": "x"}, {}),
        ("truncate", "public.log", {}, {}),
        ("truncate", "public.orders", {}, {}),
    ] == told(watched.ledger())


def test_a_large_value_that_an_update_left_alone_is_not_made_up(
    watched: Clone, enter: Enter
) -> None:
    inside = enter(watched)
    inside.run("ALTER TABLE orders ALTER note SET STORAGE EXTERNAL")
    inside.run("INSERT INTO orders (note) VALUES (repeat('x', 10000))")
    inside.run("UPDATE orders SET discount = 1")
    [first, second] = watched.ledger().changes

    assert "x" * 10_000 == first.values["note"]
    assert {"id": "1", "discount": "1"} == second.values


def test_what_was_put_in_is_neither_a_change_nor_an_alteration_of_the_trial(
    make_clone: MakeClone,
) -> None:
    one = make_clone(*SCHEMA)
    one.put(
        [
            Change(
                database="orders",
                table="public.orders",
                verb=Verb.INSERT,
                values={"id": "5", "note": "x"},
            )
        ]
    )
    one.watch()

    assert Ledger() == one.ledger()


def test_what_is_no_row_is_told_as_an_alteration(watched: Clone, enter: Enter) -> None:
    inside = enter(watched)
    for statement in (
        "ALTER TABLE orders ADD COLUMN vat numeric NOT NULL DEFAULT 0",
        "CREATE INDEX by_note ON orders (note)",
        "CREATE TABLE extra (a int PRIMARY KEY)",
        "CREATE VIEW notes AS SELECT note FROM orders",
        "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 2'",
        "ALTER TYPE mood ADD VALUE 'glad'",
        "INSERT INTO seen VALUES ('it')",
        "REFRESH MATERIALIZED VIEW total",
        "SELECT lo_create(0)",
        "CREATE EXTENSION hstore",
        "CREATE SCHEMA other",
        "DROP TABLE log",
    ):
        inside.run(statement)
    found = {
        (kind, name): (was, now) for kind, name, was, now in altered(watched.ledger())
    }

    assert ("", "numeric not null default 0") == found["column", "public.orders.vat"]
    assert ("", "there") == found["table", "public.extra"]
    assert ("there", "") == found["table", "public.log"]
    assert "by_note" in found["index", "public.by_note"][1]
    assert "note" in found["view", "public.notes"][1]
    assert "SELECT 2" in found["function", "public.one()"][1]
    assert ("e 'sad'", "e 'sad', 'glad'") == found["type", "public.mood"]
    assert found["unlogged table", "public.seen"][1].startswith("1 rows")
    assert found["large object", "count"] == ("", "1")
    assert ("", "there") == found["schema", "other"]
    assert found["extension", "hstore"][1]
    # What a new table or an extension brings along is not told one by one.
    assert not [name for kind, name in found if kind == "column" and "extra" in name]
    assert not [name for kind, name in found if "hstore" in name and kind == "type"]


def test_hostile_names_and_values_are_told_as_they_are(
    watched: Clone, enter: Enter
) -> None:
    inside = enter(watched)
    inside.run("""CREATE SCHEMA "sch'ema" """)
    inside.run(
        """CREATE TABLE "sch'ema"."a"": INSERT: [x" ("c]: 'd" text PRIMARY KEY)"""
    )
    inside.run(
        """INSERT INTO "sch'ema"."a"": INSERT: [x" VALUES (:v)""",
        v="it's\nCOMMIT 1 (at never)\n\\ \" \u2028 \U0001f600",
    )
    inside.run("CREATE TEMPORARY TABLE gone (a int)")
    inside.run("INSERT INTO gone VALUES (1)")

    assert [
        (
            "insert",
            """"sch'ema"."a"": INSERT: [x\"""",
            {},
            {"c]: 'd": "it's\nCOMMIT 1 (at never)\n\\ \" \u2028 \U0001f600"},
        )
    ] == told(watched.ledger())


def test_a_record_that_does_not_begin_in_time_is_blind_and_says_why(
    make_clone: MakeClone, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clone, "_PATIENCE", 1)
    holding, one = enter(make_clone(*SCHEMA)), make_clone(*SCHEMA)
    holding.run("BEGIN")
    holding.run("INSERT INTO log VALUES (1, 'open')")
    one.watch()
    enter(one).run("INSERT INTO log VALUES (1, 'x')")
    ledger = one.ledger()

    assert () == ledger.changes
    assert "stayed open for 1 s" in ledger.blind


def test_tests_that_drop_their_database_leave_a_blind_ledger(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.watch()
    enter(one, database="postgres").run(f"DROP DATABASE {one.connection.name}")
    ledger = one.ledger()

    assert "the tests dropped their database" == ledger.blind
    assert [("database", one.connection.name, "there", "")] == altered(ledger)


def test_tests_that_make_their_database_anew_leave_a_blind_ledger(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.watch()
    common, name = enter(one, database="postgres"), one.connection.name
    common.run(f"DROP DATABASE {name}")
    common.run(f"CREATE DATABASE {name} TEMPLATE template0")
    ledger = one.ledger()

    assert "record of commits can't be read" in ledger.blind
    assert ("table", "public.orders", "there", "") in altered(ledger)


def test_a_trial_nobody_watched_says_so(make_clone: MakeClone, enter: Enter) -> None:
    one = make_clone(*SCHEMA)
    enter(one).run("INSERT INTO log VALUES (1, 'x')")

    assert "nobody asked to watch it" == one.ledger().blind


def test_a_ledger_leaves_no_slot_behind(
    server: EmbeddedServer, make_clone: MakeClone, enter: Enter
) -> None:
    read, dropped = make_clone(*SCHEMA), make_clone(*SCHEMA)
    read.watch()
    dropped.watch()
    read.ledger()
    dropped.drop()
    left = enter(make_clone(*SCHEMA)).run("SELECT slot_name FROM pg_replication_slots")

    assert {read.connection.name, dropped.connection.name}.isdisjoint(
        name for (name,) in left or ()
    )


def test_databases_that_the_tests_made_are_told_though_they_are_gone(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.watch()
    connection, name = enter(one), one.connection.name
    connection.run(f"CREATE DATABASE test_{name}")
    connection.run(f"CREATE DATABASE {name}_kept")
    time.sleep(1)
    connection.run(f"DROP DATABASE test_{name}")
    ledger = one.ledger()

    assert {
        ("database", "test_orders", "", "removed again"),
        ("database", "orders_kept", "", "there"),
    } == set(altered(ledger))
    assert "" == ledger.blind
