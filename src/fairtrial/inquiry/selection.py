"""Which failed tests get experiments of their own, and which have said enough."""

from __future__ import annotations

from fairtrial.domain.names import TestId
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.bounds import BLOCKS, TESTS, ranked
from fairtrial.inquiry.canary import lacking
from fairtrial.inquiry.gathering import case_in
from fairtrial.inquiry.standings import standing

#: Tests whose first questions are asked together; a wave's blocks may spare the rest.
WAVE = 8


def in_order(book: Book) -> tuple[TestId, ...]:
    """The failed tests that a trial can say something of, worthiest first."""
    without_bench = lacking(book)
    tests = (test for test in book.inquiry.failed if test not in without_bench)
    return ranked(book, tuple(tests))


def in_play(book: Book) -> tuple[TestId, ...]:
    """The tests with experiments of their own."""
    return in_order(book)[:TESTS]


def beyond(book: Book) -> tuple[TestId, ...]:
    """The tests that get one trial a side."""
    return in_order(book)[TESTS:]


def waves(book: Book) -> tuple[tuple[TestId, ...], ...]:
    """The tests in play, a few at a time."""
    tests = in_play(book)
    return tuple(tests[start : start + WAVE] for start in range(0, len(tests), WAVE))


def blocked(book: Book) -> tuple[TestId, ...]:
    """The tests in play for which production, or more, is known to have to change."""

    def make() -> tuple[TestId, ...]:
        return tuple(
            test
            for test in in_play(book)
            if standing(case_in(book, test)).attribution is Attribution.PRODUCTION
        )

    return book.once("blocked", make)


def is_enough(book: Book) -> bool:
    """Whether more verdicts would change nothing: enough blocks are proven."""
    return len(blocked(book)) >= BLOCKS
