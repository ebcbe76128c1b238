"""From the text of a configuration to frozen settings; pure."""

from __future__ import annotations

from fairtrial.settings.authority import authority_of, check_authority
from fairtrial.settings.detection import detect
from fairtrial.settings.parser import load

__all__ = ["authority_of", "check_authority", "detect", "load"]
