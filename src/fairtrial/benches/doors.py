"""What it means that a trial's door led to nothing."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.errors import SurroundingsLost


def shut(told: Sequence[str]) -> SurroundingsLost:
    """The error for doors that something of a trial knocked at in vain."""
    return SurroundingsLost(
        f"what the suite needs did not answer during a trial: {told[0]}",
        means="A database or a service ended, or is not reachable from here; what its "
        "tests did without it says nothing about the code.",
        remedy="Look at that server's own log.",
    )
