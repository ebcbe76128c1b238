"""The test's file could not be collected: an import or syntax error, most often."""

from __future__ import annotations

from fairtrial.domain.results import Failure, Phase


def recognise(failure: Failure) -> bool:
    """Whether it failed before there was a test to run."""
    return failure.phase is Phase.COLLECT
