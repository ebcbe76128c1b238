"""Something raised that no demand of the test speaks of."""

from __future__ import annotations

from fairtrial.domain.results import Failure, Outcome


def recognise(failure: Failure) -> bool:
    """Whether an exception with a name ended the test."""
    return bool(failure.type) and failure.signature.outcome is Outcome.FAILED
