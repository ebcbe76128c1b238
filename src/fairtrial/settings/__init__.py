"""From the text of a configuration to frozen settings; pure."""

from __future__ import annotations

from fairtrial.settings.authority import (
    PERSON,
    Standing,
    agent_authority,
    named_in,
    standing_of,
    strictest,
)
from fairtrial.settings.parser import load

__all__ = [
    "PERSON",
    "Standing",
    "agent_authority",
    "load",
    "named_in",
    "standing_of",
    "strictest",
]
