"""The test needed more memory than its trial had."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.results import Failure

#: "OutOfMemory" is what a trial reports when the engine says that the limit was hit;
#: the others are raised by interpreters themselves.
_NAMES: Final = frozenset({"OutOfMemory", "OutOfMemoryError", "MemoryError"})


def recognise(failure: Failure) -> bool:
    """Whether memory ran out, as told by the engine or the interpreter."""
    return failure.type.rpartition(".")[2] in _NAMES
