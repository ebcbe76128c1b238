"""What is said of a bug in Fairtrial itself."""

from __future__ import annotations

import sys
import traceback

from fairtrial import __version__


def bug() -> str:
    """What to paste into an issue about the exception that is being handled."""
    return (
        "fairtrial: a bug in Fairtrial, not in the change. Please report this:\n"
        f"```\nfairtrial {__version__}, Python {sys.version.split()[0]}, "
        f"{sys.platform}\n{traceback.format_exc()}```"
    )
