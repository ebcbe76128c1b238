"""Makes a database that is like another one."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.benches.databases.mariadb.catalog import (
    Catalog,
    Program,
    name,
    writable,
)
from fairtrial.clients.mariadb import Refused, Session

#: Nothing of a copy is checked: it was, when the template was built. The mode is what
#: lets every definition be written again as it was.
QUIETLY = (
    "SET foreign_key_checks = 0, unique_checks = 0,"
    " sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00'"
)


def make_like(
    catalog: Catalog, template: str, database: str, admin: Session, owner: Session
) -> None:
    """Make everything of a template again in a database that is empty.

    Definitions are the owner's, so that what they do is done with the owner's rights;
    rows are copied by the administrator, whose session writes no log. Raises Refused.
    """
    owner.use(database)
    owner.script([QUIETLY, *_tables(catalog)])
    admin.script([QUIETLY, *_rows(catalog, template, database)])
    for program in catalog.programs:
        if program.kind != "TRIGGER":
            make_program(owner, program)
    _views(catalog, owner)
    for program in catalog.programs:
        if program.kind == "TRIGGER":
            make_program(owner, program)


def make_program(session: Session, program: Program) -> None:
    """One trigger, routine or event, under the mode it was written for."""
    session.run("SET sql_mode = %s", program.mode)
    # A per cent in it is not a place for a value, since none is given.
    session.run(program.text)


def _tables(catalog: Catalog) -> Iterator[str]:
    for each, (text, at) in catalog.sequences.items():
        yield text
        yield f"ALTER SEQUENCE {name(each)} RESTART {at}"
    yield from catalog.tables.values()


def _rows(catalog: Catalog, template: str, database: str) -> Iterator[str]:
    for table in catalog.tables:
        columns = writable(catalog.columns.get(table, ()))
        yield (
            f"INSERT INTO {name(database)}.{name(table)} ({columns})"  # noqa: S608 - names in quotes
            f" SELECT {columns} FROM {name(template)}.{name(table)}"
        )


def _views(catalog: Catalog, session: Session) -> None:
    """All views, each after those that it reads; raises Refused for what can't be."""
    waiting = dict(catalog.views)
    session.script([QUIETLY] if waiting else [])
    while waiting:
        refused: Refused | None = None
        for each, text in list(waiting.items()):
            try:
                session.run(text)
            except Refused as error:
                refused = error
            else:
                del waiting[each]
                refused = None
                break
        if refused is not None:
            raise refused
