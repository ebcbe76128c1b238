"""What tests in PHP demand: PHPUnit and Pest."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.php.file import Reader
from fairtrial.integrity.reading.script.sources import grow, refuse_broken

SUFFIXES: tuple[str, ...] = (".php",)


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead."""
    whole = grow(text, "php")
    refuse_broken(whole)
    try:
        return Reader(whole).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
