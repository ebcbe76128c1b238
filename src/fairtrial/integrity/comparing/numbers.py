"""Which of two written amounts allows more: tolerances, retries, time limits."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(
    r"(?<![\w.])(\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
    r"\s*(ms|msec|millis\w*|us|micros\w*|ns|nanos\w*|s|sec\w*|m|min\w*|h|hours?)?",
    re.IGNORECASE,
)
_UNITS: Final = (
    (("ms", "msec", "milli"), 1e-3),
    (("us", "micro"), 1e-6),
    (("ns", "nano"), 1e-9),
    (("min",), 60.0),
    (("s",), 1.0),
    (("h",), 3600.0),
)
#: Named amounts of which more means less room.
_DIGITS: Final = re.compile(r"places|decimal|digits|precision", re.IGNORECASE)
#: Longest text that is looked at for amounts.
_LONGEST: Final = 500


def amounts(text: str) -> list[float]:
    """The numbers of a text in their order, durations in seconds where units stand."""
    found = []
    for number, unit in _NUMBER.findall(text[:_LONGEST]):
        value = float(number.replace("_", ""))
        found.append(value * _factor(unit or _word_unit(text)))
    return found


def _word_unit(text: str) -> str:
    lowered = text.lower()
    for word in ("millis", "micros", "nanos", "minutes", "hours"):
        if word in lowered:
            return {"minutes": "min", "hours": "h"}.get(word, word)
    return ""


def _factor(unit: str) -> float:
    lowered = unit.lower()
    if lowered == "m":
        return 60.0
    for names, factor in _UNITS:
        if lowered.startswith(names):
            return factor
    return 1.0


def allows_more(was: str, now: str) -> bool | None:
    """Whether a changed amount allows more than before; None where it can't be told.

    Amounts are compared one by one in their order; a mixture of more and less counts
    as more, because whoever widens one of two may rely on it.
    """
    old, new = amounts(was), amounts(now)
    if not old or len(old) != len(new) or _shape(was) != _shape(now):
        return None
    fewer_digits = bool(_DIGITS.search(now))
    more = [
        (after < before) if fewer_digits else (after > before)
        for before, after in zip(old, new, strict=True)
        if before != after
    ]
    return any(more) if more else None


def _shape(text: str) -> str:
    return "".join(_NUMBER.sub("#", text[:_LONGEST]).split())
