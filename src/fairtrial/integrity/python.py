"""What Python test code demands: pytest, unittest and what is common beside them."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.python.file import read_file
from fairtrial.integrity.reading.python.tree import tree

SUFFIXES: tuple[str, ...] = (".py",)


def read(text: str) -> FileDemands:
    """What one Python file demands; raises CannotRead."""
    try:
        return read_file(tree(text))
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
