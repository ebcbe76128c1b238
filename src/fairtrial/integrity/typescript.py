"""What tests in TypeScript demand."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.reading.ecmascript import file as ecmascript

SUFFIXES: tuple[str, ...] = (".ts", ".tsx", ".mts", ".cts")


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead.

    Files with JSX are told from those with casts in angle brackets by what can be read.
    """
    return ecmascript.read(text, "typescript", "tsx")
