"""Who may run now: so many side by side, or one that nothing runs beside."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class Turns:
    """At most `places` at a time; a quiet one waits until it is alone, and stays so."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._running = 0
        self._waiting_for_quiet = 0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def turn(self, *, quiet: bool) -> Iterator[None]:
        """Wait for a turn and take it."""
        weight = self._places if quiet else 1
        with self._changed:
            # Whoever wants quiet is not overtaken, or it might wait for ever.
            self._waiting_for_quiet += quiet
            self._changed.wait_for(lambda: self._fits(weight, quiet=quiet))
            self._waiting_for_quiet -= quiet
            self._running += weight
        try:
            yield
        finally:
            with self._changed:
                self._running -= weight
                self._changed.notify_all()

    def wait_for_silence(self, seconds: float) -> None:
        """Return when nothing runs, or after that many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._running == 0, seconds)

    def _fits(self, weight: int, *, quiet: bool) -> bool:
        if self._waiting_for_quiet and not quiet:
            return False
        return self._running + weight <= self._places
