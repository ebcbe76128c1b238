"""Which of two expected values of one kind of assertion accepts more."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import AssertionKind
from fairtrial.integrity.comparing.words import contains, words

_Kind = AssertionKind
_BOUND: Final = re.compile(r"^\s*(<=|>=|<|>)\s*(-?\d[\d_]*(?:\.\d+)?)\s*$")
#: Types that every error has, so that asking for one asks for little.
_BROAD: Final = frozenset(
    {
        "Exception",
        "BaseException",
        "Throwable",
        "Error",
        "StandardError",
        "RuntimeException",
    }
)


def says_less(kind: AssertionKind, was: str, now: str) -> bool:
    """Whether the later value accepts all that the earlier did, and more."""
    if was == now:
        return False
    if not now and was:
        return True
    match kind:
        case _Kind.RAISES | _Kind.CALLED:
            return (
                _is_part(now, was) or _names_more_types(was, now) or _broader(was, now)
            )
        case _Kind.CONTAINS | _Kind.MATCHES:
            return _is_part(now, was) or _inner_part(now, was)
        case _Kind.TYPE:
            return _names_more_types(was, now)
        case _Kind.ORDERED:
            return _looser_bound(was, now)
        case (
            _Kind.EQUAL
            | _Kind.IDENTICAL
            | _Kind.NOT_EQUAL
            | _Kind.CLOSE
            | _Kind.LENGTH
            | _Kind.TRUE
            | _Kind.FALSE
            | _Kind.NONE
            | _Kind.NOT_NONE
            | _Kind.RAISES_ANY
            | _Kind.NOT_RAISES
            | _Kind.SNAPSHOT
            | _Kind.VACUOUS
            | _Kind.CUSTOM
        ):
            return False


def says_more(kind: AssertionKind, was: str, now: str) -> bool:
    """Whether the later value accepts less than the earlier did."""
    return says_less(kind, now, was)


def _is_part(part: str, whole: str) -> bool:
    return contains(whole, part)


def _inner_part(part: str, whole: str) -> bool:
    """Whether one string literal is a piece of another one."""
    inner, outer = part.strip(), whole.strip()
    quotes = {'"', "'", "`", "/"}
    if len(inner) < 2 or inner[0] not in quotes or outer[:1] != inner[0]:  # noqa: PLR2004
        return False
    return inner[1:-1] in outer[1:-1]


def _names_more_types(was: str, now: str) -> bool:
    old, new = words(was), words(now)
    if len(old) != 1 and old[:1] != ["("]:
        return False
    alternatives = new[:1] == ["("] or "|" in new
    names = {word for word in old if word not in "(),|"}
    return alternatives and names < {word for word in new if word not in "(),|"}


def _broader(was: str, now: str) -> bool:
    old, new = words(was), words(now)
    return bool(new) and new[0] in _BROAD and old[:1] != new[:1]


def _looser_bound(was: str, now: str) -> bool:
    old, new = _BOUND.match(was), _BOUND.match(now)
    if old is None or new is None or old[1][0] != new[1][0]:
        return False
    before, after = float(old[2].replace("_", "")), float(new[2].replace("_", ""))
    if before == after:
        return len(new[1]) > len(old[1])
    return after < before if old[1][0] == ">" else after > before
