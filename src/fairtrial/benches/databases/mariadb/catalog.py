"""What is in a database: definitions that make it anew, and columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases.mariadb.values import Column
from fairtrial.clients.mariadb import Row, Session
from fairtrial.domain.databases import Alteration, Engine
from fairtrial.domain.identifiers import quoted, spelled

#: Characters of a definition that are told.
_TOLD: Final = 2000

#: Who made a thing; the copy is made by whoever the copy is for.
_DEFINER: Final = re.compile(
    r"\s+DEFINER\s*=\s*(?:`(?:[^`]|``)*`|\S+?)@(?:`(?:[^`]|``)*`|\S+)"
)
_COUNTER: Final = re.compile(r"\s+AUTO_INCREMENT=(\d+)")
#: What a table's own counter is called.
_OF_TABLE: Final = ".AUTO_INCREMENT"
_LABEL: Final = re.compile(r"'((?:[^']|'')*)'")

_TABLES: Final = (
    "SELECT table_name, table_type FROM information_schema.tables"
    " WHERE table_schema = %s ORDER BY table_name"
)
_COLUMNS: Final = (
    "SELECT table_name, column_name, column_type, character_set_name, column_key,"
    " extra FROM information_schema.columns WHERE table_schema = %s"
    " ORDER BY table_name, ordinal_position"
)
_CHARSET: Final = (
    "SELECT default_character_set_name, default_collation_name"
    " FROM information_schema.schemata WHERE schema_name = %s"
)
_TRIGGERS: Final = (
    "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = %s"
    " ORDER BY event_object_table, action_timing, event_manipulation, action_order"
)
_ROUTINES: Final = (
    "SELECT routine_name, routine_type FROM information_schema.routines"
    " WHERE routine_schema = %s AND routine_type IN ('FUNCTION', 'PROCEDURE')"
    " ORDER BY routine_type, routine_name"
)
_EVENTS: Final = (
    "SELECT event_name FROM information_schema.events WHERE event_schema = %s"
    " ORDER BY event_name"
)


def name(text: str) -> str:
    """A name in the server's quotes."""
    return quoted(text, Engine.MARIADB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A trigger, routine or event: its text, and the mode it was written under."""

    kind: str
    name: str
    text: str
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """One database, in the order in which it can be made again."""

    charset: str = "utf8mb4"
    collation: str = "utf8mb4_general_ci"
    #: Statements that make tables, by name.
    tables: Mapping[str, str] = field(default_factory=dict)
    #: Statements that make a sequence, and its next number.
    sequences: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    views: Mapping[str, str] = field(default_factory=dict)
    programs: tuple[Program, ...] = ()
    columns: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)

    def things(self) -> dict[tuple[str, str], str]:
        """All definitions by kind and name, counters apart from their tables."""
        found: dict[tuple[str, str], str] = {}
        for each, text in self.tables.items():
            found["table", each] = _COUNTER.sub("", text)
            counter = _COUNTER.search(text)
            if counter is not None:
                found["sequence", f"{each}{_OF_TABLE}"] = counter[1]
        for each, (text, at) in self.sequences.items():
            found["sequence", each] = f"{text} RESTART {at}"
        for each, text in self.views.items():
            found["view", each] = text
        for program in self.programs:
            found[program.kind.lower(), program.name] = program.text
        return found


def look(session: Session, database: str) -> Catalog:
    """All of it as the database has it now; the session works in the database then."""
    session.use(database)
    ((charset, collation),) = session.run(_CHARSET, database)
    kinds = [(str(each), str(kind)) for each, kind in session.run(_TABLES, database)]
    sequences = [each for each, kind in kinds if kind == "SEQUENCE"]
    return Catalog(
        charset=str(charset),
        collation=str(collation),
        tables={
            each: str(session.run(f"SHOW CREATE TABLE {name(each)}")[0][1])
            for each, kind in kinds
            if kind in {"BASE TABLE", "SYSTEM VERSIONED"}
        },
        sequences={each: _sequence(session, each) for each in sequences},
        views={
            each: _bare(session.run(f"SHOW CREATE VIEW {name(each)}")[0][1], database)
            for each, kind in kinds
            if kind == "VIEW"
        },
        programs=tuple(_programs(session, database)),
        columns=columns_of(session, database),
    )


def _sequence(session: Session, sequence: str) -> tuple[str, int]:
    text = str(session.run(f"SHOW CREATE SEQUENCE {name(sequence)}")[0][1])
    ((at,),) = session.run(
        f"SELECT next_not_cached_value FROM {name(sequence)}"  # noqa: S608 - in quotes
    )
    return text, int(at)


def _programs(session: Session, database: str) -> Iterator[Program]:
    kinds: list[tuple[str, str]] = [
        *((str(kind), str(each)) for each, kind in session.run(_ROUTINES, database)),
        *(("TRIGGER", str(each)) for (each,) in session.run(_TRIGGERS, database)),
        *(("EVENT", str(each)) for (each,) in session.run(_EVENTS, database)),
    ]
    for kind, each in kinds:
        row = session.run(f"SHOW CREATE {kind} {name(each)}")[0]
        # Name, mode and text; an event has its time zone between the last two.
        text = row[3] if kind == "EVENT" else row[2]
        yield Program(
            kind=kind, name=each, mode=str(row[1]), text=_bare(str(text), database)
        )


def _bare(text: str, database: str) -> str:
    """A definition without who made it, and without the database that it is in."""
    return _DEFINER.sub("", text, count=1).replace(f"{name(database)}.", "")


def columns_of(session: Session, database: str) -> dict[str, tuple[Column, ...]]:
    """The columns of all tables, in the order of the table."""
    found: dict[str, list[Column]] = {}
    for row in session.run(_COLUMNS, database):
        found.setdefault(str(row[0]), []).append(_column(row))
    return {table: tuple(columns) for table, columns in found.items()}


def _column(row: Row) -> Column:
    _, column, kind, charset, key, extra = (str(each or "") for each in row)
    labels = ()
    if kind.startswith(("enum(", "set(")):
        labels = tuple(each.replace("''", "'") for each in _LABEL.findall(kind))
    return Column(
        name=column,
        type=kind,
        charset=charset or None,
        in_key=key == "PRI",
        generated="GENERATED" in extra.upper().replace("DEFAULT_GENERATED", ""),
        labels=labels,
    )


def differences(
    database: str,
    was: Mapping[tuple[str, str], str],
    now: Mapping[tuple[str, str], str],
) -> tuple[Alteration, ...]:
    """What is new, gone or different."""
    return tuple(
        Alteration(
            database=database,
            kind=kind,
            name=_spelled(each),
            was=was.get((kind, each), "")[:_TOLD],
            now=now.get((kind, each), "")[:_TOLD],
        )
        for kind, each in sorted(was.keys() | now.keys())
        if was.get((kind, each)) != now.get((kind, each))
    )


def _spelled(thing: str) -> str:
    bare = thing.removesuffix(_OF_TABLE)
    return spelled((bare,), Engine.MARIADB) + thing[len(bare) :]


def writable(columns: Sequence[Column]) -> str:
    """The names of all columns that take a value, for a list of them."""
    return ", ".join(name(each.name) for each in columns if not each.generated)
