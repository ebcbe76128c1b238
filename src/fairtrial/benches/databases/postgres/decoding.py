"""What a line of PostgreSQL's test_decoding says.

The form is that of contrib/test_decoding/test_decoding.c, PostgreSQL 12 to 18: names
and types are quoted as identifiers, texts as SQL strings with doubled quotes, numbers
and booleans stand bare. Values may hold line ends, so a line is what one call of the
decoder wrote, not what ends with a newline.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.databases import Verb

#: What stands for a large value that an update left alone.
_UNCHANGED: Final = "unchanged-toast-datum"
_VERBS: Final = {
    "INSERT": Verb.INSERT,
    "UPDATE": Verb.UPDATE,
    "DELETE": Verb.DELETE,
    "TRUNCATE": Verb.TRUNCATE,
}
_BEGIN: Final = re.compile(r"BEGIN(?: (\d+))?\Z")
_COMMIT: Final = re.compile(r"COMMIT(?: (\d+))?(?: \(at ([^)]+)\))?\Z")
_QUOTED: Final = r'"(?:[^"]|"")*"'
#: One part of a name: in quotes with doubled ones inside, or bare.
_NAME: Final = re.compile(_QUOTED + r'|[^\s".:,\[]+')
#: A column with its type and value; the value ends where the next column begins, so
#: that a text that was cut off inside doubled quotes is none. Types of arrays and names
#: in quotes have brackets of their own.
_COLUMN: Final = re.compile(
    rf" (?P<name>{_NAME.pattern})"
    rf'\[(?P<type>[^\[\]"]*(?:(?:\[\]|{_QUOTED})[^\[\]"]*)*)\]:'
    r"(?:B?'(?P<text>[^']*(?:''[^']*)*)'|(?P<bare>[^\s'B]\S*))(?= |\Z)"
)
_WORD: Final = re.compile(r"\S+")
_DOUBLED: Final = '""'


class NotUnderstood(ValueError):  # noqa: N818 - said as people say it
    """A line is not in the form that the decoder writes, or was cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """A transaction that committed begins to be told."""

    transaction: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """It is told completely; `at` in seconds since the epoch."""

    transaction: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuple:
    """Columns by name in their order; those not told are left out."""

    values: Mapping[str, str | None] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    #: Columns whose large value was left alone.
    unchanged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row changed, or each table of a truncate; tables as (schema, name)."""

    tables: tuple[tuple[str, str], ...]
    verb: Verb
    old: Tuple | None = None
    new: Tuple | None = None


Line = Begin | Commit | Row


def read(line: str) -> Line | None:
    """What a line says; None for what is no change of a row, such as a message.

    Raises NotUnderstood.
    """
    if line.startswith("table "):
        return _Reader(line, len("table ")).row()
    if begin := _BEGIN.match(line):
        return Begin(transaction=int(begin[1] or 0))
    if commit := _COMMIT.match(line):
        return Commit(
            transaction=int(commit[1] or 0),
            at=_seconds(commit[2]) if commit[2] else 0.0,
        )
    if line.startswith("message: "):
        return None
    raise NotUnderstood(f"no line of the decoder: {line[:100]!r}")


def _seconds(text: str) -> float:
    try:
        return dt.datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise NotUnderstood(f"no time: {text!r}") from error


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: str, at: int) -> None:
        self._line = line
        self._at = at

    def row(self) -> Row:
        tables = [self._table()]
        while self._took(", "):
            tables.append(self._table())
        self._expect(": ")
        word = _WORD.match(self._line, self._at)
        verb = _VERBS.get(word[0].rstrip(":")) if word else None
        if verb is None or word is None:
            raise self._wrong("a verb")
        self._at = word.end()
        if verb is Verb.TRUNCATE:
            return Row(tables=tuple(tables), verb=verb)
        if self._took(" (no-tuple-data)"):
            return Row(tables=tuple(tables), verb=verb)
        old = self._tuple() if self._took(" old-key:") else None
        if old is not None:
            self._expect(" new-tuple:")
        only = self._tuple()
        if verb is Verb.DELETE:
            return Row(tables=tuple(tables), verb=verb, old=only)
        return Row(tables=tuple(tables), verb=verb, old=old, new=only)

    def _table(self) -> tuple[str, str]:
        schema = self._name()
        self._expect(".")
        return schema, self._name()

    def _tuple(self) -> Tuple:
        values: dict[str, str | None] = {}
        types: dict[str, str] = {}
        unchanged = []
        while self._at < len(self._line):
            match = _COLUMN.match(self._line, self._at)
            if match is None:
                if self._line.startswith(" new-tuple:", self._at):
                    break
                raise self._wrong("a column")
            self._at = match.end()
            name, type_, text, bare = match.group("name", "type", "text", "bare")
            name = _unquoted(name)
            types[name] = type_
            if text is not None:
                values[name] = text.replace("''", "'") if "'" in text else text
            elif bare == _UNCHANGED:
                unchanged.append(name)
            else:
                values[name] = None if bare == "null" else bare
        return Tuple(values=values, types=types, unchanged=tuple(unchanged))

    def _name(self) -> str:
        match = _NAME.match(self._line, self._at)
        if match is None:
            raise self._wrong("a name")
        self._at = match.end()
        return _unquoted(match[0])

    def _took(self, text: str) -> bool:
        found = self._line.startswith(text, self._at)
        if found:
            self._at += len(text)
        return found

    def _expect(self, text: str) -> None:
        if not self._took(text):
            raise self._wrong(repr(text))

    def _wrong(self, wanted: str) -> NotUnderstood:
        there = self._line[self._at : self._at + 40]
        return NotUnderstood(f"{wanted} is missing at {self._at}, there is {there!r}")


def _unquoted(name: str) -> str:
    return name[1:-1].replace(_DOUBLED, '"') if name[0] == '"' else name
