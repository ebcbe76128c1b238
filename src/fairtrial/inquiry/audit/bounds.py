"""What runs without a failure exclude."""

from __future__ import annotations

from typing import Final

#: One in twenty: the chance that the statement is wrong.
_DOUBT: Final = 0.05


def rate_below(passes: int) -> float | None:
    """The failure rate that so many passes exclude at 95 %; None: they exclude none.

    A test that fails at a rate p passes n times with (1 - p)^n; below one in twenty
    for p above 1 - 0.05^(1/n), which is about 3/n (Hanley and Lippman-Hand, "If nothing
    goes wrong, is everything all right?", 1983).
    """
    return None if passes <= 0 else 1.0 - _DOUBT ** (1.0 / passes)
