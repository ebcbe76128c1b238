"""What changes the kept events of a log amount to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases.mariadb import log
from fairtrial.benches.databases.mariadb.values import Column, Unreadable
from fairtrial.domain.databases import Change, Engine, Verb
from fairtrial.domain.identifiers import spelled

#: How many changes are told of one trial.
MOST_CHANGES: Final = 100_000

_NAME: Final = r"(?:`(?:[^`]|``)+`|[\w$]+)"
_EMPTYING: Final = re.compile(
    rf"\s*(?:/\*.*?\*/\s*)*(?:TRUNCATE(?:\s+TABLE)?|DROP\s+TABLE(?:\s+IF\s+EXISTS)?)\s+"
    rf"(?P<names>{_NAME}(?:\s*\.\s*{_NAME})?(?:\s*,\s*{_NAME}(?:\s*\.\s*{_NAME})?)*)",
    re.IGNORECASE | re.DOTALL,
)
_MAKING: Final = re.compile(
    rf"\s*(?:/\*.*?\*/\s*)*CREATE\s+(?:OR\s+REPLACE\s+)?(?:DATABASE|SCHEMA)\s+"
    rf"(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{_NAME})",
    re.IGNORECASE | re.DOTALL,
)
_PART: Final = re.compile(rf"(?:({_NAME})\s*\.\s*)?({_NAME})")


@dataclass(slots=True, kw_only=True)
class Kept:
    """An event of ours, and when the transaction that holds it was committed."""

    kind: int
    body: bytes
    at: float = 0.0
    transaction: int = 0


def emptied(current: str, text: str, database: str) -> list[str]:
    """The tables of a database that a statement empties or removes."""
    match = _EMPTYING.match(text)
    if match is None:
        return []
    return [
        _plain(table)
        for owner, table in _PART.findall(match["names"])
        if (_plain(owner) if owner else current) == database
    ]


def made(text: str, database: str) -> str:
    """The database that a statement makes and names after this one; empty: none."""
    match = _MAKING.match(text)
    name = _plain(match["name"]) if match is not None else ""
    theirs = name == f"test_{database}" or (
        name.removeprefix("test_").startswith(f"{database}_")
    )
    return name if theirs else ""


def _plain(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


@dataclass(slots=True, kw_only=True)
class Reading:
    """Turns events into changes, as far as they can be understood."""

    #: The configuration's name for the database, and the server's.
    name: str
    database: str
    #: The columns of each table, as they are now and as they were in the template.
    now: Mapping[str, Sequence[Column]]
    was: Mapping[str, Sequence[Column]]
    #: Tables that hold a sequence's state.
    sequences: Collection[str] = ()
    changes: list[Change] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)
    _maps: dict[int, log.TableMap] = field(default_factory=dict)

    def read(self, kept: Sequence[Kept]) -> None:
        """Read all events, in order."""
        for each in kept:
            if len(self.changes) > MOST_CHANGES:
                self._unseen(f"more than {MOST_CHANGES} rows were changed")
                return
            try:
                self._read(each)
            except (Unreadable, ValueError, IndexError) as error:
                table = self._maps.get(log.map_number(each.body))
                of = f" of table {table.table}" if table else ""
                self._unseen(f"changes{of} can't be read: {error}")

    def _unseen(self, why: str) -> None:
        sentence = f"database {self.name}: {why}"
        if sentence not in self.blind:
            self.blind.append(sentence)

    def _read(self, kept: Kept) -> None:
        if kept.kind == log.TABLE_MAP:
            table = log.table_map(kept.body)
            self._maps[table.number] = table
        elif kept.kind == log.QUERY:
            current, text = log.query(kept.body)
            for each in emptied(current, text, self.database):
                self._add(each, Verb.TRUNCATE, kept)
        else:
            table = self._maps[log.map_number(kept.body)]
            if table.table in self.sequences:
                return
            columns = self._columns(table)
            for before, after in log.rows(kept.kind, kept.body, table, columns):
                self._row(table.table, columns, (before, after), kept)

    def _columns(self, table: log.TableMap) -> Sequence[Column]:
        for known in (self.now, self.was):
            columns = known.get(table.table, ())
            if len(columns) == len(table.kinds):
                return columns
        raise Unreadable("it was altered or removed meanwhile")

    def _row(
        self,
        table: str,
        columns: Sequence[Column],
        row: tuple[log.Row, log.Row],
        kept: Kept,
    ) -> None:
        before, after = row
        names = [each.name for each in columns if each.in_key] or [
            each.name for each in columns if not each.generated
        ]
        given = {each.name for each in columns if not each.generated}
        self._add(
            table,
            log.ROWS[kept.kind],
            kept,
            key={each: before[each] for each in names if each in before},
            values={each: value for each, value in after.items() if each in given},
            types={each.name: each.type for each in columns},
        )

    def _add(
        self,
        table: str,
        verb: Verb,
        kept: Kept,
        *,
        key: Mapping[str, str | None] | None = None,
        values: Mapping[str, str | None] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> None:
        key, values = key or {}, values or {}
        self.changes.append(
            Change(
                database=self.name,
                table=spelled((table,), Engine.MARIADB),
                verb=verb,
                key=key,
                values=values,
                types={
                    each: kind
                    for each, kind in (types or {}).items()
                    if each in key or each in values
                },
                at=kept.at,
                transaction=kept.transaction,
            )
        )
