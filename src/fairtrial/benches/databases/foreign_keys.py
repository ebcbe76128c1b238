"""Which tables a database has, and which of them refer to which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.databases.postgres.clone import PostgresClone
from fairtrial.benches.databases.sqlite import SqliteClone
from fairtrial.clients import mariadb, mariadb_url, postgres, postgres_url, sqlite
from fairtrial.domain.databases import Engine
from fairtrial.domain.errors import BenchFailed, BenchUnavailable, ServiceError
from fairtrial.policy.clean_order import ForeignKey, OnDelete, Table

_POSTGRES_TABLES: Final = """
    SELECT n.nspname, c.relname FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (
        SELECT FROM pg_depend e WHERE e.objid = c.oid
        AND e.classid = 'pg_class'::regclass AND e.deptype = 'e')
"""
_POSTGRES_KEYS: Final = """
    SELECT n.nspname, c.relname, m.nspname, p.relname, k.confdeltype::text,
        a.attname, a.attnotnull, k.oid::text
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class p ON p.oid = k.confrelid JOIN pg_namespace m ON m.oid = p.relnamespace
    CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS u(number, place)
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number
    WHERE k.contype = 'f' AND NOT c.relispartition AND NOT p.relispartition
    ORDER BY k.oid, u.place
"""
_MARIADB_TABLES: Final = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = %s"
    " AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')"
)
_MARIADB_KEYS: Final = (
    "SELECT k.table_name, k.referenced_table_name, r.delete_rule, k.column_name,"
    " c.is_nullable = 'NO', k.constraint_name"
    " FROM information_schema.key_column_usage k"
    " JOIN information_schema.referential_constraints r"
    " ON r.constraint_schema = k.constraint_schema"
    " AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name"
    " JOIN information_schema.columns c ON c.table_schema = k.table_schema"
    " AND c.table_name = k.table_name AND c.column_name = k.column_name"
    " WHERE k.table_schema = %s AND k.referenced_table_schema = k.table_schema"
    " ORDER BY k.table_name, k.constraint_name, k.ordinal_position"
)

_RULES: Final = {
    "c": OnDelete.CASCADE,
    "n": OnDelete.SET_NULL,
    "CASCADE": OnDelete.CASCADE,
    "SET NULL": OnDelete.SET_NULL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """One database's tables and foreign keys."""

    engine: Engine
    tables: tuple[Table, ...]
    keys: tuple[ForeignKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One column of one foreign key, as a catalog tells it."""

    key: str
    child: Table
    parent: Table
    rule: str
    column: str
    required: bool


def of_clone(clone: Clone) -> References:
    """What a fresh copy of a template has; raises BenchFailed."""
    try:
        match clone:
            case PostgresClone():
                with clone.house.inside(clone.name) as session:
                    return _of_postgres(session)
            case MariaClone():
                with clone.house.session() as admin:
                    return _of_mariadb(admin, clone.database)
            case SqliteClone():
                return _of_sqlite(clone.content)
            case _:
                raise BenchFailed(f"{clone.connection.engine} has no known catalog.")
    except ServiceError as error:
        raise BenchFailed(f"The catalog can't be read: {error.happened}") from error


def of_url(url: str, variable: str) -> References:
    """What the database in a URL has, which is only read.

    Raises ConfigurationError for a URL that is none, BenchUnavailable when the database
    does not answer.
    """
    scheme = urlsplit(url.strip()).scheme.partition("+")[0]
    try:
        if scheme == "sqlite":
            return _of_sqlite(Path(unquote(urlsplit(url).path[1:])).read_bytes())
        if scheme in {"mysql", "mariadb"}:
            address, login = mariadb_url.parse(url, variable)
            mine = mariadb.Session(address, login)
            try:
                return _of_mariadb(mine, unquote(urlsplit(url).path.lstrip("/")))
            finally:
                mine.close()
        known = postgres_url.parse(url, variable)
        session = postgres.Session(known.route(), known.login, known.database)
        try:
            return _of_postgres(session)
        finally:
            session.close()
    except (ServiceError, OSError) as error:
        raise BenchUnavailable(
            f"The database that ${variable} names can't be read: {error}",
            means="It is not up, or refuses this user.",
        ) from error


def _of_postgres(session: postgres.Session) -> References:
    return References(
        engine=Engine.POSTGRESQL,
        tables=tuple((str(a), str(b)) for a, b in session.run(_POSTGRES_TABLES)),
        keys=_keys(
            _Column(
                key=str(key),
                child=(str(schema), str(child)),
                parent=(str(other), str(parent)),
                rule=str(rule),
                column=str(column),
                required=bool(required),
            )
            for schema, child, other, parent, rule, column, required, key in (
                session.run(_POSTGRES_KEYS)
            )
        ),
    )


def _of_mariadb(session: mariadb.Session, database: str) -> References:
    return References(
        engine=Engine.MARIADB,
        tables=tuple(
            (str(name),) for (name,) in session.run(_MARIADB_TABLES, database)
        ),
        keys=_keys(
            _Column(
                key=f"{child}.{key}",
                child=(str(child),),
                parent=(str(parent),),
                rule=str(rule),
                column=str(column),
                required=bool(required),
            )
            for child, parent, rule, column, required, key in session.run(
                _MARIADB_KEYS, database
            )
        ),
    )


def _of_sqlite(file: bytes) -> References:
    found = sqlite.catalog(file)
    return References(
        engine=Engine.SQLITE,
        tables=tuple((str(name),) for name in found["tables"]),
        keys=tuple(
            ForeignKey(
                child=(str(child),),
                parent=(str(parent),),
                columns=tuple(map(str, columns)),
                on_delete=_RULES.get(str(rule), OnDelete.REFUSED),
                nullable=bool(nullable),
            )
            for child, parent, columns, rule, nullable in found["keys"]
            # A reference to a table that is not there binds nothing to be deleted.
            if str(parent) in found["tables"]
        ),
    )


def _keys(columns: Iterable[_Column]) -> tuple[ForeignKey, ...]:
    grouped: dict[str, list[_Column]] = {}
    for each in columns:
        grouped.setdefault(each.key, []).append(each)
    return tuple(
        ForeignKey(
            child=parts[0].child,
            parent=parts[0].parent,
            columns=tuple(each.column for each in parts),
            on_delete=_RULES.get(parts[0].rule, OnDelete.REFUSED),
            nullable=not any(each.required for each in parts),
        )
        for parts in grouped.values()
    )
