"""How a process that is PID 1 stops in time when the runner cancels the job."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from fairtrial.domain.errors import ExitCode

#: Seconds to clean up in. The runner sends SIGINT, after 7.5 s SIGTERM, 2.5 s later
#: it kills the client; the container would then live on.
GRACE: Final = 7.0


@contextmanager
def interruptible(
    *, grace: float = GRACE, give_up: Callable[[int], object] = os._exit
) -> Iterator[None]:
    """Turns the first SIGINT or SIGTERM into `KeyboardInterrupt`, in the main thread.

    The kernel drops signals without a handler for PID 1, so both get one. A second
    signal does not interrupt the cleaning up; `grace` seconds after the first one the
    process ends whatever it is doing, and with it all that runs in its container.
    """
    first = threading.Lock()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if not first.acquire(blocking=False):
            return
        timer = threading.Timer(grace, give_up, [int(ExitCode.INTERRUPTED)])
        timer.daemon = True
        timer.start()
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
