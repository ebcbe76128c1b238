"""What a name stands for at a place in a test file of a language without types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fairtrial.integrity.reading.script.sources import Piece

#: A value of more words keeps its name: values of values would grow without bound.
LONGEST_VALUE: Final = 150
#: The same, in characters.
_LONGEST_TEXT: Final = 3_000


def is_short(value: Sequence[str]) -> bool:
    """Whether a value may stand for its name wherever that is said."""
    return len(value) <= LONGEST_VALUE and sum(map(len, value)) <= _LONGEST_TEXT


class Origin(StrEnum):
    """Where a name comes from."""

    LOCAL = "local"
    #: A constant of the file or of a describe block.
    OUTER = "outer"
    #: A parameter row.
    ROW = "row"
    #: A set-up hook, or what the runner hands to the test.
    FIXTURE = "fixture"
    #: A function or class of the file.
    HELPER = "helper"
    IMPORTED = "imported"


class Numbers:
    """The numbers that a test's unknowable locals and like values bear."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, ...], int] = {}
        self._names = 0

    def fresh(self) -> tuple[str]:
        """A name for a local whose value is not known."""
        self._names += 1
        return (f"local{self._names}",)

    def distinct(self, value: Sequence[str]) -> Sequence[str]:
        """A value, with a number where an equal one was made before it.

        Two `new Cart()` are two carts.
        """
        key = tuple(value)
        self._values[key] = count = self._values.get(key, 0) + 1
        return value if count == 1 else [*value, f"#{count}"]


@dataclass(slots=True, eq=False, kw_only=True)
class Binding:
    """One name."""

    origin: Origin
    #: What stands for it; None where it stands for itself.
    words: Sequence[str] | None = None
    #: Its name is a number of these, from its first use on.
    numbers: Numbers | None = None
    #: It is a value that is written out.
    literal: bool = False
    #: Its initial value, where that is all it ever is.
    value: Piece | None = None
    #: Its name among the supports or imports of the file; "" for none.
    support: str = ""
    #: A function that asserts.
    asserts: bool = False
    #: Some demand mentions it.
    used: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """The names of a block, and those around it."""

    outer: Scope | None = None
    names: dict[str, Binding] = field(default_factory=dict)

    def find(self, name: str) -> Binding | None:
        """What a name stands for here; None where no declaration was seen."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def inner(self) -> Scope:
        """A block inside it."""
        return Scope(self)
