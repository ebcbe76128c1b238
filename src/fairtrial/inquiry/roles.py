"""Whether a failed test has polluters or setters to be looked for."""

from __future__ import annotations

from enum import StrEnum

from fairtrial.domain.experiments import ALONE, SUITE, Purpose
from fairtrial.domain.names import TestId
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.contexts import FAILING
from fairtrial.inquiry.summaries import Summary
from fairtrial.inquiry.units import is_too_small


class Role(StrEnum):
    """What the tests that are looked for do to the one that failed."""

    #: They make a victim fail at head.
    POLLUTER = "polluter"
    #: They let a brittle test pass at base.
    SETTER = "setter"

    @property
    def purpose(self) -> Purpose:
        """Why the trials of the search are made."""
        return Purpose(self.value)


def role_of(book: Book, test: TestId) -> Role | None:
    """What is looked for, if anything: a victim's polluters, a brittle test's setters.

    It takes a test that does the same every time: trials of one that fails now and
    then would name the innocent.
    """
    if is_too_small(book, test):
        return Role.SETTER
    alone, suite = book.reading(test, ALONE), book.reading(test, SUITE)
    wanted = (Summary.PASSES, Summary.FAILS, Summary.ABSENT)
    is_victim = alone.head is Summary.PASSES and suite.head in FAILING
    return Role.POLLUTER if is_victim and suite.base in wanted else None
