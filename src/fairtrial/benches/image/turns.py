"""Who may run now: several side by side, or one that wants to be alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Up to so many at a time; a quiet one waits for all others and keeps them out."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._running = 0
        self._quiet_waiting = 0
        self._quiet_running = False

    @contextmanager
    def taken(self, *, quiet: bool) -> Iterator[None]:
        """Waits for a turn, and gives it back when the block is left."""
        self._begin(quiet=quiet)
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                if quiet:
                    self._quiet_running = False
                self._changed.notify_all()

    def wait_until_idle(self, seconds: float) -> bool:
        """Whether nothing runs any more within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._running == 0, seconds)

    def _begin(self, *, quiet: bool) -> None:
        with self._changed:
            if quiet:
                self._quiet_waiting += 1
                try:
                    self._changed.wait_for(lambda: self._running == 0)
                finally:
                    self._quiet_waiting -= 1
                self._quiet_running = True
            else:
                self._changed.wait_for(
                    lambda: (
                        self._running < self._most
                        and not self._quiet_running
                        and self._quiet_waiting == 0
                    )
                )
            self._running += 1
