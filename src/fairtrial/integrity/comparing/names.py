"""Which names a text holds, and how a support's own name is said by others."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import Support

_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: Longest text whose names are gathered.
_LONGEST: Final = 200_000
#: What stands between a class, a block, and what it holds.
_BETWEEN: Final = re.compile(r" > |::|[.#]")
#: Methods that run around every test of their class, whoever inherits them.
_SET_UPS: Final = re.compile(
    r"(?:set_?up|tear_?down|before|after|around)(?:_?(?:class|module|each|all|"
    r"before_?class|after_?class|method|test|suite))?",
    re.IGNORECASE,
)
_CLASS: Final = re.compile(r"(?:\w+\s+){0,5}class\s+\w")


def names_in(text: str) -> frozenset[str]:
    """All names that a text holds, in strings and comments, too."""
    return frozenset(_NAME.findall(text[:_LONGEST]))


def last_name(name: str) -> str:
    """What a support is called where it is used: "check" for "Checks > check"."""
    return _BETWEEN.split(name)[-1]


def acts_alone(support: Support) -> bool:
    """Whether it applies without being named: hooks, and a file's own statements."""
    return (
        support.automatic
        or support.name.startswith("(")
        or _SET_UPS.fullmatch(last_name(support.name)) is not None
    )


def is_class_text(text: str) -> bool:
    """Whether a support is a class, whose members are supports of their own."""
    for line in text[:_LONGEST].splitlines():
        told = line.strip()
        if told and told[0] not in "@[#/*":
            return bool(_CLASS.match(told))
    return False
