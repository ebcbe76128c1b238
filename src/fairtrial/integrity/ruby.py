"""What tests in Ruby demand: RSpec and minitest."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.ruby.file import Reader
from fairtrial.integrity.reading.ruby.words import with_heredocs
from fairtrial.integrity.reading.script.sources import grow, refuse_broken

SUFFIXES: tuple[str, ...] = (".rb",)


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead."""
    whole = grow(text, "ruby")
    refuse_broken(whole)
    try:
        return Reader(with_heredocs(whole)).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
