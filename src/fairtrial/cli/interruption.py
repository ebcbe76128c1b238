"""How the command line takes a signal that tells it to end."""

from __future__ import annotations

import signal
from types import FrameType


def stop_when_told() -> None:
    """SIGTERM unwinds like SIGINT, so that everything that runs is ended.

    Whoever has set a handler of its own, as the action has, keeps it.
    """
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
