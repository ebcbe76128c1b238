"""What tests in Ruby demand: RSpec and minitest."""

from __future__ import annotations

from fairtrial.domain.demands import FileDemands
from fairtrial.integrity._ruby_file import Reader
from fairtrial.integrity._ruby_words import with_heredocs
from fairtrial.integrity._sources import grow, refuse_broken
from fairtrial.integrity.errors import CannotRead

SUFFIXES: tuple[str, ...] = (".rb",)


def read(text: str) -> FileDemands:
    """What one file of test code demands; raises CannotRead."""
    whole = grow(text, "ruby")
    refuse_broken(whole)
    try:
        return Reader(with_heredocs(whole)).read()
    except RecursionError:
        raise CannotRead("it is nested too deeply to be read") from None
