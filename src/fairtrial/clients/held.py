"""A program that runs beside this one and ends when it is let go of, or with it."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Sequence
from typing import Final

from fairtrial.domain.errors import ServiceError

#: What the program says on standard output when it is ready.
_READY: Final = b"+"


class Held:
    """Its standard input stays open as long as it is to run."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it, and wait until it says "+"; else what it said is the error's.

        It has an empty environment. Raises ServiceError, also when it can't be started.
        """
        try:
            self._process = subprocess.Popen(
                argv,
                env={},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise ServiceError(f"{argv[0]} can't be started: {error}") from error
        said = self._read(1)
        if said != _READY:
            why = self._read(500).decode(errors="replace")
            self.end()
            raise ServiceError(why or "it ended at once")

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def end(self) -> None:
        """Return when it has ended; safe to call twice."""
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                with contextlib.suppress(OSError):
                    end.close()
        self._process.kill()
        self._process.wait()

    def _read(self, size: int) -> bytes:
        return b"" if self._process.stdout is None else self._process.stdout.read(size)
