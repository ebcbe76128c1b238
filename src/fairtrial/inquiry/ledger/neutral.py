"""What a column may hold instead, so that its own value is out of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.databases import Change, Verb
from fairtrial.inquiry.ledger.net import Left

#: How SQLite, where values have types and columns need none, calls that of NULL, and
#: what stands for it.
_NULL: Final = "null"
_NOT_NULL: Final = "integer"
#: A value for each family of types, by a word that its name has in either server; the
#: first that fits counts. `{n}` is a number that differs from row to row.
_DEFAULTS: Final = (
    (rf"^{_NULL}$", "{n}"),
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
        values, types = dict(change.values), dict(change.types)
        for column in columns & values.keys():
            values[column] = self.value(column, change, number)
            if types.get(column) == _NULL:
                known = self.types.get(column, _NULL)
                types[column] = _NOT_NULL if known == _NULL else known
        return replace(change, values=values, types=types)


def neutral(table: str, changes: Iterable[Change]) -> Neutral:
    """What is known of one table's columns, from all changes of a trial."""
    here = [change for change in changes if change.table == table]
    seen: dict[str, dict[str, None]] = {}
    types: dict[str, str] = {}
    for change in here:
        for column, kind in change.types.items():
            if kind != _NULL or column not in types:
                types[column] = kind
        for column, value in change.values.items():
            if value is not None:
                seen.setdefault(column, {})[value] = None
    return Neutral(
        seen={column: tuple(values) for column, values in seen.items()},
        types=types,
        keys=_keys(here) | {name for name in types if _NAMES_A_ROW.fullmatch(name)},
    )


def _keys(changes: Sequence[Change]) -> frozenset[str]:
    """The columns that name rows; a key that is the whole row says nothing of that."""
    found: set[str] = set()
    widest = max((len(change.values) for change in changes), default=0)
    for change in changes:
        if not widest or len(change.key) < widest:
            found |= change.key.keys()
    return frozenset(found)


def _default(type_name: str, number: int) -> str | None:
    for pattern, value in _DEFAULTS:
        if re.search(pattern, type_name, re.IGNORECASE):
            return value.format(n=number + 1) if "{n" in value else value
    return None
