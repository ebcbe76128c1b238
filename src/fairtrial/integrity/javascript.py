"""What tests in JavaScript demand."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.reading.ecmascript import file as ecmascript

SUFFIXES: tuple[str, ...] = (".js", ".jsx", ".mjs", ".cjs")


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead.

    Files with type annotations (Flow's) are read by TypeScript's grammar.
    """
    return ecmascript.read(text, "javascript", "tsx")
