"""How a source text is cut and spliced, in any language."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_NEWLINE: Final = re.compile(rb"\r\n|\r|\n")


class Operator(StrEnum):
    """What a mutant does to the code, the telling ones first."""

    COMPARISON = "comparison"
    CONSTANT = "constant"
    ARITHMETIC = "arithmetic"
    BOOLEAN = "boolean"
    CONDITION = "condition"
    DEFAULT = "default"
    SLICE = "slice"
    #: A function in the place of its counterpart: `min` for `max`.
    COUNTERPART = "counterpart"
    ARGUMENT = "argument"
    EQUALITY = "equality"
    STATEMENT = "statement"
    LOOP = "loop"
    RETURN = "return"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One edit of one file."""

    #: Where the edit begins; the first line is 1.
    line: int
    operator: Operator
    #: The edited piece before and after, as written.
    was: str
    now: str
    #: The edited bytes of the text in UTF-8: first, and the one behind the last.
    cut: tuple[int, int]
    #: A run of one of these lines may come to what was edited.
    reach: frozenset[int]
    #: The function that it is in, by its qualified name; empty outside of any.
    scope: str

    def of(self, text: str) -> str:
        """The text with the edit made."""
        first, behind = self.cut
        data = text.encode("utf-8")
        return (data[:first] + self.now.encode("utf-8") + data[behind:]).decode("utf-8")


@dataclass(frozen=True, slots=True)
class Source:
    """A source text as bytes, since syntax trees count bytes."""

    data: bytes
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Source:
        """Raises UnicodeEncodeError for a text that no file can hold."""
        data = text.encode("utf-8")
        ends = (found.end() for found in _NEWLINE.finditer(data))
        return cls(data=data, starts=(0, *ends))

    def at(self, line: int, column: int) -> int:
        """The offset of a line's byte; the first line is 1, the first column 0."""
        return self.starts[line - 1] + column

    def line_at(self, offset: int) -> int:
        """The line on which an offset lies; the first is 1."""
        return bisect_right(self.starts, offset)

    def cut(self, first: int, behind: int) -> str:
        """The text between two offsets."""
        return self.data[first:behind].decode("utf-8")
