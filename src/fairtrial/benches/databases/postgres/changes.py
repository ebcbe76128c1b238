"""Which changes of rows the lines of a decoder amount to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases.postgres import decoding
from fairtrial.benches.databases.postgres.decoding import NotUnderstood
from fairtrial.domain.databases import Change, Verb

#: Changes that are kept of one trial; what a test leaves is some rows, and whoever
#: writes more can't be pinned by trying subsets of them anyway.
MOST: Final = 100_000
#: Characters of one change that are read; a line that is longer comes cut off.
LONGEST: Final = 1_000_000
#: Characters of all changes together.
TOGETHER: Final = 256_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What the catalog knows about a table that the decoder does not tell."""

    #: Its name with its schema, as the server quotes it.
    quoted: str = ""
    #: Its columns in their order, with their types.
    columns: Mapping[str, str] = field(default_factory=dict)
    #: What identifies a row; empty with `whole`: all columns do.
    key: tuple[str, ...] = ()
    whole: bool = False
    #: Columns that are computed when they are read, and so never stored.
    virtual: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The changes, and why some are missing; empty: all are there."""

    changes: tuple[Change, ...] = ()
    missing: str = ""


def gather(
    database: str,
    lines: Iterable[str],
    tables: Mapping[tuple[str, str], Table],
) -> Told:
    """All changes in order; a line that is cut off or strange is said, not guessed."""
    changes: list[Change] = []
    told: list[decoding.Row] = []
    missing, size, full = "", 0, False
    for line in lines:
        size += len(line)
        if size > TOGETHER:
            missing = missing or "only the first of very many changes are told"
            break
        if full and line.startswith("table "):
            # Still read on to the end of the transaction, which tells its time.
            missing = missing or f"only the first {MOST:,} changes are told"
            continue
        said, why = _read(line)
        missing = missing or why
        match said:
            case None | decoding.Begin():
                continue
            case decoding.Commit():
                for row in told:
                    changes += _changes(database, row, said, tables)
                told = []
            case decoding.Row():
                told.append(said)
                full = len(changes) + len(told) >= MOST
    return Told(changes=tuple(changes[:MOST]), missing=missing)


def _read(line: str) -> tuple[decoding.Line | None, str]:
    """What a line says, or why that can't be known."""
    if len(line) > LONGEST:
        where = line[:200].partition(": ")[0]
        return None, f"a row of {where} is too large to be told"
    try:
        return decoding.read(line), ""
    except NotUnderstood as error:
        return None, f"a change could not be read: {error}"


def _changes(
    database: str,
    row: decoding.Row,
    commit: decoding.Commit,
    tables: Mapping[tuple[str, str], Table],
) -> Iterable[Change]:
    for name in row.tables:
        table = tables.get(name, Table())
        new, old = row.new or decoding.Tuple(), row.old
        key = _key(table, row, old, new)
        values = {c: v for c, v in new.values.items() if c not in table.virtual}
        types = {**table.columns, **(old.types if old else {}), **new.types}
        yield Change(
            database=database,
            table=table.quoted or ".".join(map(_quoted, name)),
            verb=row.verb,
            key=key,
            values=values,
            types={c: types[c] for c in (*values, *key) if c in types},
            at=commit.at,
            transaction=commit.transaction,
        )


def _key(
    table: Table, row: decoding.Row, old: decoding.Tuple | None, new: decoding.Tuple
) -> Mapping[str, str | None]:
    if row.verb in (Verb.INSERT, Verb.TRUNCATE):
        return {}
    if old is not None:
        # Of the old row only what is not NULL is told; with all columns as the key,
        # those that are missing were NULL.
        absent = dict.fromkeys(table.columns) if table.whole else {}
        whole = {**absent, **old.values}
        return {c: v for c, v in whole.items() if c not in table.virtual}
    # The key is the same before and after, so it is told with the new row only.
    return {c: new.values[c] for c in table.key if c in new.values}


def _quoted(name: str) -> str:
    plain = name.isascii() and name.isidentifier() and name == name.lower()
    if plain:
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
