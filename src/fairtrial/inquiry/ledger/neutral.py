"""What a column may hold instead, so that its own value is out of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.databases import Change, Verb
from fairtrial.inquiry.ledger.net import Left

#: A value for each family of types, by a word that its name has in either server; the
#: first that fits counts. `{n}` is a number that differs from row to row.
_DEFAULTS: Final = (
    (r"\[\]$|^_", "{}"),
    (r"bool", "t"),
    (r"tinyint\(1\)", "1"),
    (r"interval", "1 day"),
    (r"(small|tiny)int|int2", "{n}"),
    (r"serial|int|numeric|decimal|real|double|float|money", "{n}"),
    (r"timestamp|datetime", "2001-02-03 04:05:{n:02d}"),
    (r"date", "2001-02-03"),
    (r"time", "04:05:06"),
    (r"year", "2001"),
    (r"uuid", "00000000-0000-4000-8000-{n:012d}"),
    (r"json", "{}"),
    (r"inet|cidr", "192.0.2.{n}"),
    (r"bytea|blob|binary", "\\x00"),
    (r"char|text|clob|citext|name", "x{n}"),
)
#: Columns of one of these names name their row: another value would be another row.
_NAMES_A_ROW: Final = re.compile(r"id|pk|(?:.*_)?uuid|rowid|oid", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Neutral:
    """Other values for the columns of one table, from what its ledger shows."""

    #: For each column, the values that were seen, in order; NULL is none.
    seen: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    #: Columns that name rows: they are left alone.
    keys: frozenset[str]

    def can(self, column: str, lefts: Iterable[Left]) -> bool:
        """Whether each of these rows can have another value there."""
        return all(
            self._differs(column, left.change, number)
            for number, left in enumerate(lefts)
            if column in left.change.values
        )

    def _differs(self, column: str, change: Change, number: int) -> bool:
        if change.verb is Verb.UPDATE:
            return column in change.key and change.key[column] != change.values[column]
        return self.value(column, change, number) is not None

    def value(self, column: str, change: Change, number: int) -> str | None:
        """Another value for one row; None: no other is known, or it is NULL."""
        mine = change.values.get(column)
        if change.verb is Verb.UPDATE:
            # What the template holds is neutral; any other value may be as wrong.
            return change.key.get(column, mine)
        others = [each for each in self.seen.get(column, ()) if each != mine]
        if others:
            return others[number % len(others)]
        default = _default(self.types.get(column, ""), number)
        return default if default != mine else None

    def without(self, left: Left, columns: frozenset[str], number: int) -> Change:
        """The change with neutral values in these columns."""
        change = left.change
        values = dict(change.values)
        for column in columns & values.keys():
            values[column] = self.value(column, change, number)
        return replace(change, values=values)


def neutral(table: str, changes: Iterable[Change]) -> Neutral:
    """What is known of one table's columns, from all changes of a trial."""
    seen: dict[str, dict[str, None]] = {}
    types: dict[str, str] = {}
    keys: set[str] = set()
    widths: set[int] = set()
    named: set[frozenset[str]] = set()
    for change in changes:
        if change.table != table:
            continue
        types.update(change.types)
        for column, value in change.values.items():
            if value is not None:
                seen.setdefault(column, {})[value] = None
        if change.values:
            widths.add(len(change.values))
        if change.key:
            named.add(frozenset(change.key))
    for columns in named:
        # A key that is the whole row says nothing of which columns name it.
        if not widths or len(columns) < max(widths):
            keys |= columns
    keys |= {column for column in types if _NAMES_A_ROW.fullmatch(column)}
    return Neutral(
        seen={column: tuple(values) for column, values in seen.items()},
        types=types,
        keys=frozenset(keys),
    )


def _default(type_name: str, number: int) -> str | None:
    for pattern, value in _DEFAULTS:
        if re.search(pattern, type_name, re.IGNORECASE):
            return value.format(n=number + 1) if "{n" in value else value
    return None
