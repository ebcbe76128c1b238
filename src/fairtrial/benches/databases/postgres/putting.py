"""Puts rows into a database as a trial left them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.clients.postgres import Session, identifier
from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.errors import BenchFailed

_COLUMNS: Final = """
    SELECT a.attname, a.attgenerated::text, a.attidentity::text,
        t.typname IN ('json', 'xml') OR t.typtype = 'c' OR NOT EXISTS (
            SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod
            WHERE m.amname = 'btree' AND o.opcdefault AND o.opcintype = t.oid)
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""

#: Sequences that fill a column of the table: by default, or as an identity.
_SEQUENCES: Final = """
    SELECT s.oid::regclass::text, a.attname, q.seqincrement > 0
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    LEFT JOIN pg_attrdef f ON f.adrelid = c.oid AND f.adnum = a.attnum
    JOIN pg_depend d ON
        d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid
            AND d.refclassid = 'pg_class'::regclass
        OR d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
            AND d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype = 'i'
    JOIN pg_class s ON s.relkind = 'S' AND s.oid =
        CASE WHEN d.deptype = 'i' THEN d.objid ELSE d.refobjid END
    JOIN pg_sequence q ON q.seqrelid = s.oid
    WHERE c.oid = $1::regclass AND a.atttypid IN (20, 21, 23) AND NOT a.attisdropped
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """What has to be known of a table to write into it."""

    name: str
    columns: tuple[str, ...]
    #: Columns that the server computes.
    computed: frozenset[str]
    #: Identity columns that take no value of ours in an update.
    fixed: frozenset[str]
    #: Columns that are compared as text, having no equality of their own.
    textual: frozenset[str]


def put(session: Session, changes: Sequence[Change]) -> tuple[str, ...]:
    """The sequences that were moved on; all changes are in, in order, or none is.

    A row's sequences are moved past its key, since the victim's own rows would else
    collide with it, which they did not in the suite, where the sequence had given it.
    Raises BenchFailed when a change can't be made, Refused when the server says no.
    """
    tables: dict[str, _Table] = {}
    with session.transaction():
        for change in changes:
            table = tables.get(change.table)
            if table is None:
                table = tables[change.table] = _table(session, change.table)
            _apply(session, table, change)
        touched: dict[str, list[Change]] = {}
        for change in changes:
            if change.verb in (Verb.INSERT, Verb.UPDATE):
                touched.setdefault(change.table, []).append(change)
        moved = [
            name
            for one in sorted(touched)
            for name in _move(session, one, touched[one])
        ]
    return tuple(moved)


def _apply(session: Session, table: _Table, change: Change) -> None:
    match change.verb:
        case Verb.INSERT:
            _insert(session, table, change.values)
        case Verb.UPDATE:
            _update(session, table, change)
        case Verb.DELETE:
            where, values = _where(table, change)
            session.count(f"DELETE FROM ONLY {table.name}{where}", *values)  # noqa: S608
        case Verb.TRUNCATE:
            # TRUNCATE would ask for every table that refers to this one.
            session.count(f"DELETE FROM ONLY {table.name}")  # noqa: S608


def _table(session: Session, name: str) -> _Table:
    known = session.run("SELECT to_regclass($1)::text", name)
    if not known or known[0][0] is None:
        raise BenchFailed(f"there is no table {name} to put rows into")
    quoted = str(known[0][0])
    rows = session.run(_COLUMNS, quoted)
    return _Table(
        name=quoted,
        columns=tuple(str(row[0]) for row in rows),
        computed=frozenset(str(row[0]) for row in rows if row[1]),
        fixed=frozenset(str(row[0]) for row in rows if row[2] == "a"),
        textual=frozenset(str(row[0]) for row in rows if row[3]),
    )


def _insert(session: Session, table: _Table, values: Mapping[str, str | None]) -> None:
    written = _written(table, values)
    if not written:
        session.count(f"INSERT INTO {table.name} DEFAULT VALUES")
        return
    names = ", ".join(map(identifier, written))
    places = ", ".join(f"${number}" for number in range(1, len(written) + 1))
    session.count(
        f"INSERT INTO {table.name} ({names})"  # noqa: S608 - names are quoted
        f" OVERRIDING SYSTEM VALUE VALUES ({places})",
        *written.values(),
    )


def _update(session: Session, table: _Table, change: Change) -> None:
    written = _written(table, change.values)
    if any(
        name in table.fixed and change.key.get(name, value) != value
        for name, value in written.items()
    ):
        raise BenchFailed(f"an identity column of {table.name} can't be updated")
    new = {name: value for name, value in written.items() if name not in table.fixed}
    where, keys = _where(table, change, first=len(new) + 1)
    if new and where:
        sets = ", ".join(
            f"{identifier(name)} = ${number}" for number, name in enumerate(new, 1)
        )
        hit = session.count(
            f"UPDATE ONLY {table.name} SET {sets}{where}",  # noqa: S608
            *new.values(),
            *keys,
        )
        if hit:
            return
    # The row that was updated is not there: an earlier change made it. As the trial
    # left it, it is there, so it is put in whole, if the whole of it is known.
    if set(table.columns) - table.computed - set(written):
        raise BenchFailed(
            f"the row of {table.name} that was updated is not there, and not all of "
            "it is known"
        )
    _insert(session, table, change.values)


def _written(table: _Table, values: Mapping[str, str | None]) -> dict[str, str | None]:
    unknown = values.keys() - set(table.columns)
    if unknown:
        raise BenchFailed(f"{table.name} has no column {min(unknown)!r} here")
    return {name: value for name, value in values.items() if name not in table.computed}


def _where(
    table: _Table, change: Change, *, first: int = 1
) -> tuple[str, list[str | None]]:
    """What finds the row; nothing finds a row without a key."""
    terms: list[str] = []
    values: list[str | None] = []
    for name, value in change.key.items():
        if name not in table.columns:
            continue
        column = identifier(name)
        if value is None:
            terms.append(f"{column} IS NULL")
            continue
        place = f"${first + len(values)}"
        textual = name in table.textual
        terms.append(
            f"{column}::text = {place}::text" if textual else f"{column} = {place}"
        )
        values.append(value)
    if not terms:
        if change.verb is Verb.DELETE:
            raise BenchFailed(f"a row deleted from {table.name} has no key")
        return "", []
    alike = "".join(f" AND {term}" for term in terms).removeprefix(" AND ")
    if not table.textual.isdisjoint(change.key) or len(terms) == len(table.columns):
        # Without a primary key several rows may be alike; one was meant.
        found = f"SELECT ctid FROM ONLY {table.name} WHERE {alike} LIMIT 1"  # noqa: S608
        return f" WHERE ctid = ({found})", values
    return f" WHERE {alike}", values


def _move(session: Session, table: str, changes: Sequence[Change]) -> list[str]:
    moved = []
    for sequence, column, rises in session.run(_SEQUENCES, table):
        if not rises:
            continue
        name = identifier(str(column))
        [[last]] = session.run("SELECT pg_sequence_last_value($1::regclass)", sequence)
        [[most]] = session.run(f"SELECT max({name})::bigint FROM {table}")  # noqa: S608
        # A row that was taken out again had its number all the same.
        given = (change.values.get(str(column)) for change in changes)
        numbers = [int(each) for each in (most, *given) if each is not None]
        if numbers and max(numbers) > (0 if last is None else int(last)):
            session.run("SELECT setval($1::regclass, $2)", str(sequence), max(numbers))
            moved.append(str(sequence))
    return moved
