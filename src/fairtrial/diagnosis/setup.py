"""A fixture failed before the test itself began."""

from __future__ import annotations

from fairtrial.domain.results import Failure, Phase


def recognise(failure: Failure) -> bool:
    """Whether it failed while the test was being prepared."""
    return failure.phase is Phase.SETUP
