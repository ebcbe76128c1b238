"""Which of two expected values of one kind of assertion accepts more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fairtrial.domain.demands import AssertionKind
from fairtrial.integrity.comparing.words import contains, words

_Kind = AssertionKind
_BOUND: Final = re.compile(r"^\s*(<=|>=|<|>)\s*(-?\d[\d_]*(?:\.\d+)?)\s*$")
#: A value between two: `0 < _ <= 10`.
_RANGE: Final = re.compile(
    r"^\s*(-?[\d_.]+)\s*(<=|<|>=|>)\s*_\s*(<=|<|>=|>)\s*(-?[\d_.]+)\s*$"
)
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ONE_OF: Final = "one of "
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
            if was.startswith(_ONE_OF) or now.startswith(_ONE_OF):
                return _offers_more(was, now)
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


def _offers_more(was: str, now: str) -> bool:
    """Whether more values may be the one."""
    if not now.startswith(_ONE_OF) or not was.startswith(_ONE_OF):
        return now.startswith(_ONE_OF)
    signs = {"(", ")", "[", "]", "{", "}", ","}
    old, new = set(words(was)) - signs, set(words(now)) - signs
    return old < new


def _looser_bound(was: str, now: str) -> bool:
    old, new = _bounds(was), _bounds(now)
    if not old or not new or not old.keys() >= new.keys():
        return False
    return all(_is_looser(old[way], new[way]) for way in new) and old != new


def _bounds(text: str) -> Mapping[str, tuple[str, float]]:
    """The lower (">") and upper ("<") bound with their signs."""
    if found := _BOUND.match(text):
        return {found[1][0]: (found[1], _number(found[2]))}
    if found := _RANGE.match(text):
        low, high = _TURNED[found[2]], found[3]
        return {low[0]: (low, _number(found[1])), high[0]: (high, _number(found[4]))}
    return {}


def _is_looser(old: tuple[str, float], new: tuple[str, float]) -> bool:
    """Whether a bound lets through all that another does."""
    (sign, before), (other, after) = old, new
    if before == after:
        return len(other) >= len(sign)
    return after < before if sign[0] == ">" else after > before


def _number(text: str) -> float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return float("nan")
