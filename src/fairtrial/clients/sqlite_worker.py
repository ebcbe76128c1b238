"""The process that opens a trial's SQLite file: standard library only, no rights.

Run as a program: `python -I -S FILE TASK FOLDER`. The files lie in the folder; more to
do comes as JSON on standard input, and what was found goes out as JSON. The tasks:

    compare   how `now` differs from `was`
    put       rows into `now`
    catalog   tables and foreign keys of `now`

A file that a trial wrote is hostile: functions of its schema are not trusted, and
nothing is loaded.
"""

# ruff: noqa: S608 - names stand in quotes, and values are bound

from __future__ import annotations

import json
import os
import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_NOBODY: Final = 65534
#: Bytes of memory and of files, seconds of computing.
_MEMORY: Final = 2 * 1024**3
_FILES: Final = 1024**3
_SECONDS: Final = 100

#: How many rows that differ are told, and how many characters of them together.
MOST_ROWS: Final = 20_000
MOST_TEXT: Final = 32 * 1024**2

#: What SQLite keeps for itself.
_OWN: Final = "sqlite_%"

Values = dict[str, "str | None"]


def drop_rights() -> None:
    """Become nobody, when root; never use more than so much memory and time."""
    "é".encode().decode("utf-8", "replace")
    if os.geteuid() == 0:
        with suppress(PermissionError):
            os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    for kind, limit in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_FSIZE, _FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))


def name(text: str) -> str:
    """A name in quotes."""
    return '"' + text.replace('"', '""') + '"'


def opened(file: str) -> sqlite3.Connection:
    """The database in a file, with nothing of it trusted."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def rows_of(connection: sqlite3.Connection, statement: str, *given: Any) -> list[Any]:
    """All rows of one statement."""
    return connection.execute(statement, given).fetchall()


class Table:
    """One ordinary table: its columns, and what tells its rows apart."""

    def __init__(self, connection: sqlite3.Connection, schema: str, table: str) -> None:
        """Its columns; generated ones are left out, since nobody can write them."""
        self.at = f"{schema}.{name(table)}"
        found = rows_of(
            connection,
            "SELECT name, pk, hidden FROM pragma_table_xinfo(?, ?) ORDER BY cid",
            table,
            schema,
        )
        self.columns = [each for each, _, hidden in found if hidden == 0]
        keys = sorted((pk, each) for each, pk, hidden in found if pk and hidden == 0)
        self.key = [each for _, each in keys]
        self.rowid = ""
        if not self.key:
            taken = {each.lower() for each in self.columns}
            free = [each for each in ("rowid", "oid", "_rowid_") if each not in taken]
            self.rowid = free[0] if free else ""
            self.key = [self.rowid] if self.rowid else self.columns
        self.read = [*self.columns, *([self.rowid] if self.rowid else [])]


def tables(connection: sqlite3.Connection, schema: str) -> list[str]:
    """The ordinary tables, which are neither virtual nor a virtual one's shadow."""
    with suppress(sqlite3.OperationalError):
        return [
            each
            for (each,) in rows_of(
                connection,
                "SELECT name FROM pragma_table_list WHERE schema = ?"
                " AND type = 'table' AND name NOT LIKE ?",
                schema,
                _OWN,
            )
        ]
    return [
        each
        for (each,) in rows_of(
            connection,
            f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'"
            " AND name NOT LIKE ? AND sql NOT LIKE 'CREATE VIRTUAL%'",
            _OWN,
        )
    ]


def told(value: Any) -> tuple[str | None, str]:
    """A value as text, and its type."""
    if value is None:
        return None, "null"
    if isinstance(value, bytes):
        return "\\x" + value.hex(), "blob"
    if isinstance(value, (int, float)):
        return repr(value), "real" if isinstance(value, float) else "integer"
    return str(value), "text"


def meant(text: str | None, kind: str) -> Any:
    """The value that was told."""
    if text is None:
        return None
    if kind == "blob":
        return bytes.fromhex(text.removeprefix("\\x"))
    if kind in {"integer", "real"}:
        return int(text) if kind == "integer" else float(text)
    return text


# ---- compare -------------------------------------------------------------------------


class TooMuch(Exception):  # noqa: N818 - said as people say it
    """More differs than is told."""


class Comparison:
    """How the database in `main` differs from the one in `was`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Nothing is read before it is asked for."""
        self.connection = connection
        self.room = MOST_TEXT
        self.count = 0

    def changes(self) -> Iterator[dict[str, Any]]:
        """Rows that are new, gone or different; raises TooMuch."""
        before = set(tables(self.connection, "was"))
        for table in tables(self.connection, "main"):
            yield from self._of(table, known=table in before)

    def _of(self, table: str, *, known: bool) -> Iterator[dict[str, Any]]:
        now = Table(self.connection, "main", table)
        was = Table(self.connection, "was", table) if known else None
        # A table of another shape is a new one: its rows can't be held together.
        same = was if was is not None and was.read == now.read else None
        new = list(self._rows(now, same))
        old = list(self._rows(same, now)) if same is not None else []
        places = [now.read.index(each) for each in now.key]
        before = {tuple(row[at] for at in places): row for row in old}
        for row in new:
            was_row = before.pop(tuple(row[at] for at in places), None)
            verb = "insert" if was_row is None else "update"
            yield self._change(table, verb, now, row, was_row)
        for row in before.values():
            yield self._change(table, "delete", now, None, row)

    def _rows(self, table: Table, other: Table | None) -> Iterator[tuple[Any, ...]]:
        # EXCEPT takes 1 for 1.0, and 'A' for 'a' where the column says so.
        exact = ", ".join(
            f"typeof({name(each)}), {name(each)} COLLATE BINARY" for each in table.read
        )
        statement = f"SELECT {exact} FROM {table.at}"
        if other is not None:
            statement += f" EXCEPT SELECT {exact} FROM {other.at}"
        for row in self.connection.execute(statement):
            self.count += 1
            values = row[1::2]
            self.room -= sum(
                len(each) for each in values if isinstance(each, (str, bytes))
            )
            if self.count > MOST_ROWS or self.room < 0:
                raise TooMuch
            yield values

    def _change(
        self, table: str, verb: str, shape: Table, row: Any, was: Any
    ) -> dict[str, Any]:
        kinds: dict[str, str] = {}
        values: Values = {}
        key: Values = {}
        for at, column in enumerate(shape.read):
            if row is not None and column != shape.rowid:
                values[column], kinds[column] = told(row[at])
            if was is not None and column in shape.key:
                key[column], kind = told(was[at])
                kinds.setdefault(column, kind)
        return {
            "table": table,
            "verb": verb,
            "key": key,
            "values": values,
            "types": kinds,
        }

    def alterations(self) -> list[tuple[str, str, str, str]]:
        """What differs and is no row: kind, name, how it was and is."""
        found = []
        was, now = (self._things(schema) for schema in ("was", "main"))
        for thing in sorted(was.keys() | now.keys()):
            before, after = was.get(thing, ""), now.get(thing, "")
            if before != after:
                found.append((*thing, before, after))
        return found

    def _things(self, schema: str) -> dict[tuple[str, str], str]:
        things = {
            (kind, each): text
            for kind, each, text in rows_of(
                self.connection,
                f"SELECT type, name, coalesce(sql, '') FROM {schema}.sqlite_master"
                " WHERE name NOT LIKE ?",
                _OWN,
            )
        }
        with suppress(sqlite3.OperationalError):
            for each, at in rows_of(
                self.connection,
                f"SELECT name, seq FROM {schema}.sqlite_sequence",
            ):
                things["sequence", str(each)] = str(at)
        for setting in ("user_version", "application_id", "journal_mode"):
            ((value,),) = rows_of(self.connection, f"PRAGMA {schema}.{setting}")
            things["setting", setting] = str(value)
        return things


def compare(folder: str) -> dict[str, Any]:
    """How `now` differs from `was`; `more` when not all of it is told."""
    connection = opened(str(Path(folder, "now")))
    connection.execute("ATTACH ? AS was", (str(Path(folder, "was")),))
    comparison = Comparison(connection)
    alterations = comparison.alterations()
    try:
        return {"changes": list(comparison.changes()), "alterations": alterations}
    except TooMuch:
        return {"changes": [], "alterations": alterations, "more": True}


# ---- put -----------------------------------------------------------------------------


def put(folder: str, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """Make these changes, with neither foreign keys nor triggers in the way."""
    connection = opened(str(Path(folder, "now")))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    triggers = rows_of(
        connection, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    )
    for each, _ in triggers:
        connection.execute(f"DROP TRIGGER {name(each)}")
    for change in changes:
        made = _put_one(connection, change)
        if made == 0:
            return {"wrong": f"there is no such row in {change['table']}"}
    for _, text in triggers:
        connection.execute(text)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return {}


def _put_one(connection: sqlite3.Connection, change: dict[str, Any]) -> int:
    table, kinds = name(change["table"]), change["types"]
    key = {each: meant(text, kinds[each]) for each, text in change["key"].items()}
    values = {each: meant(text, kinds[each]) for each, text in change["values"].items()}
    where = " AND ".join(f"{name(each)} IS ?" for each in key)
    verb = change["verb"]
    if verb == "insert":
        columns = ", ".join(map(name, values))
        marks = ", ".join("?" * len(values))
        text = f"({columns}) VALUES ({marks})" if values else "DEFAULT VALUES"
        statement, given = f"INSERT INTO {table} {text}", [*values.values()]
    elif verb == "update":
        pairs = ", ".join(f"{name(each)} = ?" for each in values)
        statement = f"UPDATE {table} SET {pairs} WHERE {where}"
        given = [*values.values(), *key.values()]
    elif verb == "delete":
        statement, given = f"DELETE FROM {table} WHERE {where}", [*key.values()]
    else:
        connection.execute(f"DELETE FROM {table}")
        return 1
    return connection.execute(statement, given).rowcount


# ---- catalog -------------------------------------------------------------------------


def catalog(folder: str) -> dict[str, Any]:
    """All ordinary tables, and the foreign keys as (child, parent, columns, action)."""
    connection = opened(str(Path(folder, "now")))
    found = tables(connection, "main")
    by_name = {each.lower(): each for each in found}
    keys: dict[tuple[str, int], list[Any]] = {}
    nullable: dict[tuple[str, int], bool] = {}
    for table in found:
        columns = {
            each.lower(): bool(required)
            for each, required in rows_of(
                connection, 'SELECT name, "notnull" FROM pragma_table_info(?)', table
            )
        }
        for number, parent, column, action in rows_of(
            connection,
            'SELECT id, "table", "from", on_delete FROM pragma_foreign_key_list(?)'
            " ORDER BY id, seq",
            table,
        ):
            at = (table, number)
            keys.setdefault(
                at, [table, by_name.get(parent.lower(), parent), [], action]
            )
            keys[at][2].append(column)
            nullable[at] = nullable.get(at, True) and not columns.get(column.lower())
    return {
        "tables": found,
        "keys": [[*each, nullable[at]] for at, each in keys.items()],
    }


def main() -> None:
    """Do one task, and say what came of it."""
    task, folder = sys.argv[1:3]
    given = json.load(sys.stdin)
    drop_rights()
    try:
        if task == "compare":
            found = compare(folder)
        elif task == "put":
            found = put(folder, given)
        else:
            found = catalog(folder)
    except (sqlite3.Error, OverflowError, ValueError, KeyError, MemoryError) as error:
        found = {"wrong": f"{type(error).__name__}: {error}"[:500]}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
