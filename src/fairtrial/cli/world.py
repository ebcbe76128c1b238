"""The real world: clock, environment, folders. Read here and handed down."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from fairtrial.pipeline.world import World
from fairtrial.reporters.progress import LiveProgress, PlainProgress, Progress


def real_world() -> World:
    """The world of this process."""
    environ = dict(os.environ)
    cache = environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return World(
        environ=environ,
        clock=time.monotonic,
        scratch=Path(tempfile.gettempdir()),
        cache=Path(cache) / "fairtrial",
        progress=_progress(live=sys.stderr.isatty() and "CI" not in environ),
    )


def _progress(*, live: bool) -> Progress:
    """One line that is written over where a person watches, plain lines elsewhere."""

    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    if live:
        return LiveProgress(write, shutil.get_terminal_size().columns)
    return PlainProgress(write)
