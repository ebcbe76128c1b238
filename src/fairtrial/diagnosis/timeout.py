"""The test did not end within its time."""

from __future__ import annotations

from fairtrial.domain.results import Failure, Outcome


def recognise(failure: Failure) -> bool:
    """Whether the test ran out of its time."""
    return failure.signature.outcome is Outcome.TIMED_OUT
