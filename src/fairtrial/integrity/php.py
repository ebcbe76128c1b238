"""What tests in PHP demand: PHPUnit and Pest."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity._php_file import Reader
from fairtrial.integrity._sources import grow, refuse_broken
from fairtrial.integrity.errors import CannotRead

SUFFIXES: tuple[str, ...] = (".php",)


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead."""
    whole = grow(text, "php")
    refuse_broken(whole)
    try:
        return Reader(whole).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
