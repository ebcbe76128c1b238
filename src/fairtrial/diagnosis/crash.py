"""The test took its process with it: a signal, an abort, an exit."""

from __future__ import annotations

from fairtrial.domain.results import Failure, Outcome


def recognise(failure: Failure) -> bool:
    """Whether the process ended while the test ran."""
    return failure.signature.outcome is Outcome.CRASHED
