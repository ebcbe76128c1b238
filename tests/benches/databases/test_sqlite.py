from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.benches.databases.carrying import Carried
from fairtrial.benches.databases.sqlite import SqliteClone, SqliteServer
from fairtrial.clients import sqlite
from fairtrial.domain.databases import (
    Alteration,
    Change,
    DatabaseSettings,
    Engine,
    Ledger,
    Verb,
)
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.trials import Ending, Places, TrialOutput

PLACES = Places(
    workspace=PurePosixPath("/w"),
    inputs=PurePosixPath("/in"),
    outputs=PurePosixPath("/out"),
)
LOCAL = DatabaseSettings(name="local", engine=Engine.SQLITE)
NAME = "database-local.sqlite"

SCHEMA = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, discount REAL, note TEXT, raw BLOB);
    CREATE TABLE "Line items" (
        "order" INTEGER NOT NULL REFERENCES orders, what TEXT,
        twice INTEGER GENERATED ALWAYS AS ("order" * 2) VIRTUAL);
    CREATE TABLE pairs (a TEXT, b INTEGER, c TEXT COLLATE NOCASE, PRIMARY KEY (a, b))
        WITHOUT ROWID;
    CREATE TRIGGER noted AFTER INSERT ON orders
        BEGIN INSERT INTO "Line items" ("order") VALUES (new.id); END;
    INSERT INTO orders VALUES (1, 0.5, 'first', NULL);
"""

Act = Callable[[sqlite3.Connection], object]


def run(clone: SqliteClone, folder: Path, act: Act) -> Ledger:
    """What a trial does that gets the clone's file, and what is found afterwards."""
    file = folder / NAME
    (data,) = clone.inputs.values()
    file.write_bytes(data)
    connection = sqlite3.connect(file)
    act(connection)
    connection.commit()
    clone.take(output(folder))
    connection.close()
    return clone.ledger()


def output(folder: Path) -> TrialOutput:
    files = {path.name: path.read_bytes() for path in folder.glob(f"{NAME}*")}
    return TrialOutput(ending=Ending.EXITED, code=0, files=files)


@pytest.fixture
def server(tmp_path: Path) -> SqliteServer:
    made = SqliteServer(places=PLACES)

    def build(clone: object) -> None:
        assert isinstance(clone, SqliteClone)
        run(clone, tmp_path, lambda connection: connection.executescript(SCHEMA))

    made.template("k", LOCAL, build)
    (tmp_path / NAME).unlink()
    return made


@pytest.fixture
def clone(server: SqliteServer) -> Iterator[SqliteClone]:
    made = server.clone("k", LOCAL, 0)
    assert isinstance(made, SqliteClone)
    yield made
    made.drop()
    made.drop()


def test_a_clone_is_a_file_that_is_carried(clone: SqliteClone) -> None:
    assert isinstance(clone, Carried)
    assert "/out/database-local.sqlite" == clone.connection.path
    assert ("/in/database-local.sqlite", "/out/database-local.sqlite") == clone.copied
    assert clone.door is None


def test_what_a_trial_leaves_is_found_by_comparison(
    clone: SqliteClone, tmp_path: Path
) -> None:
    clone.watch()
    found = run(
        clone,
        tmp_path,
        lambda connection: connection.executescript("""
            INSERT INTO orders VALUES (7, NULL, 'it''s', X'00FF');
            UPDATE orders SET discount = 1 WHERE id = 1;
            DELETE FROM "Line items" WHERE "order" = 1;
        """),
    )
    assert {
        ("insert", "orders", "7"),
        ("update", "orders", "1"),
        ("insert", '"Line items"', None),
        ("delete", '"Line items"', None),
    } == {
        (each.verb.value, each.table, each.values.get("id") or each.key.get("id"))
        for each in found.changes
    }
    (inserted,) = (each for each in found.changes if each.values.get("id") == "7")
    assert {"id": "7", "discount": None, "note": "it's", "raw": "\\x00ff"} == (
        inserted.values
    )
    assert {
        "id": "integer",
        "discount": "null",
        "note": "text",
        "raw": "blob",
    } == inserted.types
    assert "which test left it is not" in found.blind
    assert all(each.at == 0 for each in found.changes)


def test_rows_that_were_found_can_be_put_into_a_fresh_copy(
    server: SqliteServer, clone: SqliteClone, tmp_path: Path
) -> None:
    clone.watch()
    found = run(
        clone,
        tmp_path,
        lambda connection: connection.executescript("""
            INSERT INTO orders VALUES (7, 1e300, 'é', X'FF'), (8, 3, NULL, 'x');
            UPDATE orders SET note = NULL WHERE id = 1;
            INSERT INTO pairs VALUES ('A', 1, 'B');
            DELETE FROM "Line items" WHERE "order" = 1;
        """),
    )
    again = server.clone("k", LOCAL, 0)
    assert isinstance(again, SqliteClone)
    again.watch()
    again.put(found.changes)
    (tmp_path / NAME).unlink()
    after = run(again, tmp_path, lambda _: None)
    assert set(map(repr, found.changes)) == set(map(repr, after.changes))


def test_case_and_types_count_where_sqlite_takes_them_for_equal(
    clone: SqliteClone, tmp_path: Path
) -> None:
    first = run(
        clone,
        tmp_path,
        lambda connection: connection.execute(
            "INSERT INTO pairs VALUES ('a', 1, 'loud')"
        ),
    )
    assert first.changes == ()
    clone.content = clone.file
    clone.watch()
    found = run(
        clone,
        tmp_path,
        lambda connection: connection.execute("UPDATE pairs SET c = 'LOUD'"),
    )
    assert ["LOUD"] == [each.values["c"] for each in found.changes]


def test_what_is_committed_in_the_log_counts(
    clone: SqliteClone, tmp_path: Path
) -> None:
    clone.watch()

    def act(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO orders (id) VALUES (9)")
        connection.commit()
        assert (tmp_path / f"{NAME}-wal").stat().st_size

    found = run(clone, tmp_path, act)
    assert "9" in [each.values.get("id") for each in found.changes]
    assert (
        Alteration(
            database="local",
            kind="setting",
            name="journal_mode",
            was="delete",
            now="wal",
        )
        in found.alterations
    )


def test_a_schema_that_a_test_changed_is_told(
    clone: SqliteClone, tmp_path: Path
) -> None:
    clone.watch()
    found = run(
        clone,
        tmp_path,
        lambda connection: connection.executescript(
            "CREATE TABLE more (id INTEGER); INSERT INTO more VALUES (1);"
            "DROP TRIGGER noted; PRAGMA user_version = 3"
        ),
    )
    assert {("table", "more"), ("trigger", "noted"), ("setting", "user_version")} == {
        (each.kind, each.name) for each in found.alterations
    }
    assert ["more"] == [each.table for each in found.changes]


def test_a_file_in_the_middle_of_a_transaction_is_not_read(clone: SqliteClone) -> None:
    clone.watch()
    files = {NAME: clone.content, f"{NAME}-journal": bytes.fromhex("d9d505f920a163d7")}
    clone.take(TrialOutput(ending=Ending.SIGNALLED, code=9, files=files))
    assert (
        Ledger(
            blind="the file of database local can't be read:"
            " it was left in the middle of a transaction"
        )
        == clone.ledger()
    )


def test_a_file_that_is_gone_is_told(clone: SqliteClone) -> None:
    clone.watch()
    clone.take(TrialOutput(ending=Ending.EXITED, code=0))
    assert "it was removed" in clone.ledger().blind


@pytest.mark.parametrize(
    "junk", [b"nonsense" * 1000, b"SQLite format 3\0" + b"\xff" * 999]
)
def test_a_file_that_is_no_database_is_told(clone: SqliteClone, junk: bytes) -> None:
    clone.watch()
    clone.take(TrialOutput(ending=Ending.EXITED, code=0, files={NAME: junk}))
    found = clone.ledger()
    assert () == found.changes
    assert "can't be read: SQLite: DatabaseError" in found.blind


def test_a_schema_that_leaves_no_file_is_no_template() -> None:
    made = SqliteServer(places=PLACES)

    def build(clone: object) -> None:
        assert isinstance(clone, SqliteClone)
        clone.take(TrialOutput(ending=Ending.EXITED, code=0))

    with pytest.raises(BenchFailed, match="it was removed"):
        made.template("k", LOCAL, build)


def test_a_row_that_is_not_there_can_not_be_changed(clone: SqliteClone) -> None:
    gone = Change(
        database="local",
        table="orders",
        verb=Verb.DELETE,
        key={"id": "99"},
        types={"id": "integer"},
    )
    with pytest.raises(BenchFailed, match="no such row in orders"):
        clone.put([gone])


def test_an_emptied_table_can_be_put(clone: SqliteClone, tmp_path: Path) -> None:
    clone.put([Change(database="local", table="orders", verb=Verb.TRUNCATE)])
    counted: list[object] = []
    run(
        clone,
        tmp_path,
        lambda connection: counted.extend(
            connection.execute("SELECT count(*) FROM orders").fetchone()
        ),
    )
    assert [0] == counted


@settings(max_examples=5, deadline=None)
@given(
    values=st.lists(
        st.one_of(
            st.none(),
            st.integers(-(2**63), 2**63 - 1),
            st.floats(allow_nan=False),
            st.text(st.characters(codec="utf-8")),
            st.binary(),
        ),
        min_size=1,
    )
)
def test_every_value_survives_being_found_and_put(values: list[object]) -> None:
    def file(rows: list[object]) -> bytes:
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
        connection.executemany("INSERT INTO t (v) VALUES (?)", [(one,) for one in rows])
        connection.commit()
        return connection.serialize()

    found = sqlite.compare(file([]), {sqlite.FILE: file(values)})
    made = sqlite.put(file([]), found["changes"])
    again = sqlite.compare(file(values), {sqlite.FILE: made})
    assert len(values) == len(found["changes"])
    assert [] == again["changes"]
