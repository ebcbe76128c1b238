"""How a stop is told to a person."""

from __future__ import annotations

import sys
import traceback

from fairtrial import __version__
from fairtrial.domain.errors import FairtrialError


def story_of(stop: FairtrialError) -> str:
    """What happened, what it means, what to do."""
    return stop.diagnostics()


def bug() -> str:
    """What to paste into an issue about the exception that is being handled."""
    return (
        "fairtrial: a bug in Fairtrial, not in the change. Please report this:\n"
        f"```\nfairtrial {__version__}, Python {sys.version.split()[0]}, "
        f"{sys.platform}\n{traceback.format_exc()}```"
    )
