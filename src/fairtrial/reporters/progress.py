"""What a run is doing right now, for whoever waits for it.

The gate calls `step`, `doing` and `done`; where the text goes is the caller's choice:
plain lines where a log is kept, one line that is written over where a person watches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from fairtrial.reporters.hostile import console

#: Back to the line's start, and the rest of the line erased (ECMA-48).
_OVERWRITE = "\r\x1b[K"


class Progress(Protocol):
    """Told by the gate what it does."""

    def step(self, text: str) -> None:
        """A new part of the run has begun; always shown."""

    def doing(self, text: str) -> None:
        """What is being done within it; only the newest matters."""

    def done(self) -> None:
        """Nothing more will be said."""


@dataclass(slots=True)
class SilentProgress:
    """Says nothing."""

    def step(self, text: str) -> None:
        """Says nothing."""

    def doing(self, text: str) -> None:
        """Says nothing."""

    def done(self) -> None:
        """Says nothing."""


@dataclass(slots=True)
class PlainProgress:
    """One line for each thing, for logs; `write` takes whole lines with their end.

    No line is a workflow command. A thing said twice running is written once.
    """

    write: Callable[[str], object]
    _last: str = field(default="", init=False)

    def step(self, text: str) -> None:
        """Writes the part's line."""
        self._line(console(text, 300))

    def doing(self, text: str) -> None:
        """Writes an indented line."""
        self._line(f"  {console(text, 300)}")

    def done(self) -> None:
        """Writes nothing: every line is already whole."""

    def _line(self, text: str) -> None:
        if text != self._last:
            self._last = text
            self.write(f"{text}\n")


@dataclass(slots=True)
class LiveProgress:
    """The newest thing on one line that is written over, for terminals.

    `columns` is the terminal's width: a longer line would wrap and stay.
    """

    write: Callable[[str], object]
    columns: int = 80
    _open: bool = field(default=False, init=False)

    def step(self, text: str) -> None:
        """Writes the part's line, which stays."""
        self._clear()
        self.write(f"{console(text, 300)}\n")

    def doing(self, text: str) -> None:
        """Writes over what was being done."""
        shown = console(text, max(1, self.columns - 3))
        self.write(f"{_OVERWRITE}  {shown}")
        self._open = True

    def done(self) -> None:
        """Leaves a clean line behind."""
        self._clear()

    def _clear(self) -> None:
        if self._open:
            self.write(_OVERWRITE)
            self._open = False
