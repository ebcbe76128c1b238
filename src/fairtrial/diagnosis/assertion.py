"""Something was not as the test demands."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.results import Failure

#: Exceptions by which test libraries say that a demand does not hold.
_NAMES: Final = frozenset(
    {
        "AssertionError",
        "AssertionFailedError",
        "ComparisonFailure",
        "ExceptionGroup[AssertionError]",
        "Failed",
        "XPassed",
    }
)


def recognise(failure: Failure) -> bool:
    """Whether a demand of the test did not hold."""
    return failure.type.rpartition(".")[2] in _NAMES
