"""Puts rows into a database as a trial left them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.benches.databases.mariadb.catalog import Catalog, name
from fairtrial.benches.databases.mariadb.copying import make_program
from fairtrial.benches.databases.mariadb.values import Column
from fairtrial.clients.mariadb import Session, Value
from fairtrial.domain.databases import Change, Engine, Verb
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.identifiers import names_in

#: What the server may not do while rows are put in; a value that a column can't hold is
#: refused, never bent.
_MODE = (
    "SET foreign_key_checks = 0, time_zone = '+00:00', sql_mode ="
    " 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,STRICT_ALL_TABLES'"
)


def put(
    admin: Session,
    owner: Session,
    database: str,
    catalog: Catalog,
    changes: Sequence[Change],
) -> None:
    """Make these changes, in order, with triggers taken away meanwhile.

    The owner makes the triggers again, since they do what they do with the rights of
    who made them. Raises BenchFailed when a row is not there, Refused when the server
    says no.
    """
    triggers = [each for each in catalog.programs if each.kind == "TRIGGER"]
    admin.use(database)
    owner.use(database)
    admin.run(_MODE)
    for each in triggers:
        owner.run(f"DROP TRIGGER {name(each.name)}")
    admin.run("START TRANSACTION")
    for change in changes:
        table = names_in(change.table, Engine.MARIADB)[-1]
        statement, values = _statement(change, table, catalog.columns.get(table, ()))
        if admin.count(statement, *values) == 0 and change.verb is not Verb.TRUNCATE:
            raise BenchFailed(f"There is no such row in {change.table}.")
    admin.run("COMMIT")
    for each in triggers:
        make_program(owner, each)


def _statement(
    change: Change, table: str, columns: Sequence[Column]
) -> tuple[str, list[Value]]:
    """Names stand in quotes, and values are bound."""
    kinds = {each.name: each.type for each in columns}
    at = _escaped(name(table))
    values = [_value(each, kinds, change.values) for each in change.values]
    keys = [_value(each, kinds, change.key) for each in change.key]
    where = " AND ".join(f"{_escaped(name(each))} <=> %s" for each in change.key)
    match change.verb:
        case Verb.INSERT:
            names = ", ".join(_escaped(name(each)) for each in change.values)
            marks = ", ".join(["%s"] * len(values))
            return f"INSERT INTO {at} ({names}) VALUES ({marks})", values  # noqa: S608
        case Verb.UPDATE:
            pairs = ", ".join(f"{_escaped(name(each))} = %s" for each in change.values)
            statement = f"UPDATE {at} SET {pairs} WHERE {where} LIMIT 1"  # noqa: S608
            return statement, [*values, *keys]
        case Verb.DELETE:
            return f"DELETE FROM {at} WHERE {where} LIMIT 1", keys  # noqa: S608
        case Verb.TRUNCATE:
            # Without values nothing is bound, and a per cent is one.
            return f"DELETE FROM {name(table)}", []  # noqa: S608


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def _value(
    column: str, kinds: Mapping[str, str], values: Mapping[str, str | None]
) -> Value:
    """A value as the column takes it; bytes come in hexadecimal digits."""
    text = values[column]
    family = kinds.get(column, "").partition("(")[0]
    if text is None:
        return None
    if family == "bit":
        return int(text)
    if text.startswith("\\x") and not _is_text(family):
        return bytes.fromhex(text[2:])
    return text


def _is_text(family: str) -> bool:
    return family.endswith(("char", "text")) or family in {"enum", "set", "json"}
