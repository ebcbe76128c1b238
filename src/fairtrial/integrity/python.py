"""What Python test code demands: pytest, unittest and what is common beside them."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity._python_file import read_file
from fairtrial.integrity._python_tree import tree
from fairtrial.integrity.errors import CannotRead

SUFFIXES: tuple[str, ...] = (".py",)


def read(text: str) -> FileDemands:
    """What one Python file demands; raises CannotRead."""
    try:
        return read_file(tree(text))
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
