"""Which rows to suspect first, and which of their columns: guesses for trials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.databases import Change
from fairtrial.domain.results import Failure
from fairtrial.inquiry.ledger.net import Left
from fairtrial.inquiry.ledger.neutral import Neutral, neutral

#: Characters of a failure's text that are searched for names.
_TEXT: Final = 20_000
_WORD: Final = re.compile(r"[^\W_]+(?:_[^\W_]+)*", re.UNICODE)
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What is left of one table."""

    database: str
    table: str
    lefts: tuple[Left, ...]
    #: What its columns may hold instead.
    neutral: Neutral
    #: Columns to suspect, likeliest first; those that can't be made neutral are out.
    columns: tuple[str, ...] = ()
    #: Of those, the ones that the failure or a NULL in every row points to.
    guess: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Words:
    """The names that a failure mentions, in lower case without underscores."""

    #: In its own words.
    said: frozenset[str]
    #: In its trace, which quotes source lines and statements.
    shown: frozenset[str]


def words_of(failure: Failure | None) -> Words:
    """The names in a failure; `unitPrice` and `unit_price` are one name."""
    if failure is None:
        return Words(frozenset(), frozenset())
    told = (failure.message, failure.expected or "", failure.actual or "")
    return Words(said=_names(" ".join(told)), shown=_names(failure.text[-_TEXT:]))


def groups(
    lefts: Iterable[Left], changes: Iterable[Change], words: Words
) -> tuple[Group, ...]:
    """What is left by table, the likeliest first.

    Tables that the failure names, in its own words or in its trace, then those with a
    column that it names; of equals the one with fewest rows.
    """
    tables: dict[tuple[str, str], list[Left]] = {}
    for left in lefts:
        key = (left.change.database, left.change.table)
        tables.setdefault(key, []).append(left)
    known = tuple(changes)
    found = []
    for (database, table), held in tables.items():
        here = neutral(table, (each for each in known if each.database == database))
        columns = _columns(held, here, words)
        found.append(
            Group(
                database=database,
                table=table,
                lefts=tuple(held),
                neutral=here,
                columns=columns,
                guess=_guess(held, columns, words),
            )
        )
    ranks = {id(group): _rank(group, words) for group in found}
    return tuple(sorted(found, key=lambda group: (ranks[id(group)], len(group.lefts))))


def short(table: str) -> str:
    """A table as people name it: without the schema that is everyone's, and quotes."""
    schema, _, name = table.rpartition(".")
    bare = name.strip('"`')
    return bare if schema.strip('"`') in {"", "public", "main"} else table


def _rank(group: Group, words: Words) -> int:
    names = _forms(short(group.table).rpartition(".")[2])
    values = [column for left in group.lefts for column in left.change.values]
    columns = {_plain(column) for column in (*values, *group.columns)}
    hints = (
        not names.isdisjoint(words.said),
        bool(group.guess) and any(_plain(c) in words.said for c in group.guess),
        not names.isdisjoint(words.shown),
        not columns.isdisjoint(words.said),
    )
    return next((place for place, hint in enumerate(hints) if hint), len(hints))


def _columns(lefts: list[Left], here: Neutral, words: Words) -> tuple[str, ...]:
    """The columns that can be made neutral, likeliest first."""
    every = dict.fromkeys(column for left in lefts for column in _written(left.change))
    usable = [
        column
        for column in every
        if column not in here.keys and here.can(column, lefts)
    ]
    nulls = {column: _nulls(column, lefts) for column in usable}

    def likely(column: str) -> tuple[bool, bool, bool, int]:
        plain = _plain(column)
        return (
            plain not in words.said,
            plain not in words.shown,
            nulls[column] < len(lefts),
            -nulls[column],
        )

    return tuple(sorted(usable, key=likely))


def _guess(lefts: list[Left], columns: tuple[str, ...], words: Words) -> frozenset[str]:
    """The columns that a first trial makes neutral; empty: there is no hint."""
    named = [column for column in columns if _plain(column) in words.said]
    empty = [column for column in columns if _nulls(column, lefts)]
    both = [column for column in named if column in empty]
    return frozenset(both or named[:1] or empty)


def _written(change: Change) -> Mapping[str, str | None]:
    """The columns that a change gave another value, as far as that can be told."""
    return {
        column: value
        for column, value in change.values.items()
        if column not in change.key or change.key[column] != value
    }


def _nulls(column: str, lefts: list[Left]) -> int:
    return sum(
        column in left.change.values and left.change.values[column] is None
        for left in lefts
    )


def _names(text: str) -> frozenset[str]:
    found = set()
    for word in _WORD.findall(text):
        found.add(_plain(word))
        found.update(_plain(part) for part in _HUMP.split(word))
    return frozenset(found)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _forms(name: str) -> frozenset[str]:
    """A table's name as one or as many: `orders` holds an `order`."""
    plain = _plain(name)
    return frozenset({plain, plain.removesuffix("s"), plain + "s"})
