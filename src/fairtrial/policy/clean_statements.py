"""Which statements empty the tables of a database, as each engine understands them."""

# ruff: noqa: S608 - names stand in quotes, and a person reads it first

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.databases import Engine
from fairtrial.domain.identifiers import quoted
from fairtrial.policy.clean_order import ForeignKey, Group, Table


def statements(groups: Sequence[Group], engine: Engine) -> tuple[str, ...]:
    """Lines of SQL, one statement or comment each, to be run from first to last.

    Cycles and tables that refer to themselves are named in a comment, with what breaks
    them.
    """
    lines = [line for group in groups for line in _of_group(group, engine)]
    if any(_looked_away(group, engine) for group in groups):
        match engine:
            case Engine.MARIADB:
                lines = [
                    "SET foreign_key_checks = 0;",
                    *lines,
                    "SET foreign_key_checks = 1;",
                ]
            case Engine.SQLITE:
                lines = [
                    "-- Outside of a transaction, where it would do nothing:",
                    "PRAGMA foreign_keys = OFF;",
                    *lines,
                    "PRAGMA foreign_keys = ON;",
                ]
            case Engine.POSTGRESQL:
                pass
    return tuple(lines)


def _of_group(group: Group, engine: Engine) -> Iterator[str]:
    if group.cycle:
        way = " -> ".join(_commented(table) for table in group.cycle)
        yield f"-- {way}: {_how(group, engine)}"
    for key in _loosened(group, engine):
        pairs = ", ".join(f"{quoted(each, engine)} = NULL" for each in key.columns)
        yield f"UPDATE {_name(key.child, engine)} SET {pairs};"
    if engine is Engine.POSTGRESQL and _looked_away(group, engine):
        # Tables that are truncated together may refer to each other.
        names = ", ".join(_name(table, engine) for table in group.tables)
        yield f"TRUNCATE {names};"
        return
    for table in group.tables:
        yield f"DELETE FROM {_name(table, engine)};"


def _looked_away(group: Group, engine: Engine) -> tuple[ForeignKey, ...]:
    """References that the engine has to be told to look away from."""
    return tuple(key for key in group.stuck if _counts(key, engine))


def _loosened(group: Group, engine: Engine) -> tuple[ForeignKey, ...]:
    return tuple(key for key in group.loosened if _counts(key, engine))


def _counts(key: ForeignKey, engine: Engine) -> bool:
    """Whether a reference is in the way; a statement's end is early enough but here.

    PostgreSQL and SQLite look at references when a statement has ended, so one DELETE
    empties a table that refers to itself; InnoDB looks row by row.
    """
    return key.child != key.parent or engine is Engine.MARIADB


def _how(group: Group, engine: Engine) -> str:
    alone = len(group.tables) == 1
    what = "a table that refers to itself" if alone else "a cycle"
    stuck = _looked_away(group, engine)
    if stuck:
        named = ", ".join(
            f"{_commented(key.child)} ({', '.join(map(_plain, key.columns))})"
            for key in stuck
        )
        return f"{what}, and {named} can't be NULL; {_instead(engine)}"
    if _loosened(group, engine):
        return f"{what}, broken by setting references to NULL first"
    if alone and any(key.binds for key in group.keys):
        return f"{what}, which one statement empties"
    return f"{what}, in which deletes take their references with them"


def _instead(engine: Engine) -> str:
    match engine:
        case Engine.POSTGRESQL:
            return "what is truncated together may refer to each other"
        case Engine.MARIADB | Engine.SQLITE:
            return "foreign keys are off meanwhile"


def _name(table: Table, engine: Engine) -> str:
    return ".".join(quoted(each, engine) for each in table)


def _commented(table: Table) -> str:
    return ".".join(map(_plain, table))


def _plain(name: str) -> str:
    """A name inside a comment, which ends with its line."""
    return "".join(each if each.isprintable() else "?" for each in name)
