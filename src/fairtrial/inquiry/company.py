"""Which tests make up a unit, and which ones load the files that a replay lacks."""

from __future__ import annotations

from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import TestId
from fairtrial.inquiry.book import Book


def members(book: Book, test: TestId, unit: Unit) -> tuple[TestId, ...]:
    """The tests of the unit around a test; the test itself where there is no such."""
    found = book.inquiry.widen(test, unit) if unit is not Unit.TEST else ()
    return found if test in found else (test,)


def with_loaders(book: Book, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """A part of a recorded order, and behind it a test of each file it lacks.

    A suite loads all its files before it runs a test, and loading can leave state
    behind: without the later files, a replay would not be the suite.
    """
    return (*tests, *loaders(book, tests))


def loaders(book: Book, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """A test of each file that none of these tests is in, in recorded order.

    One that both sides have, or else one of each side's.
    """
    here = frozenset(tests)
    return tuple(
        test
        for family in book.once("families", lambda: _families(book))
        if here.isdisjoint(family)
        for test in _that_load(book, family)
    )


def _families(book: Book) -> tuple[tuple[TestId, ...], ...]:
    """The tests of each file, as far as a suite runs them."""
    everything = [test for worker in book.orders for test in worker.head]
    runs = frozenset(everything)
    families: list[tuple[TestId, ...]] = []
    known: set[TestId] = set()
    for test in everything:
        if test not in known:
            family = members(book, test, Unit.FILE)
            families.append(tuple(each for each in family if each in runs))
            known.update(family)
    return tuple(families)


def _that_load(book: Book, family: tuple[TestId, ...]) -> tuple[TestId, ...]:
    at_head, at_base = (
        [test for test in family if test in listing]
        for listing in (book.at_head, book.at_base)
    )
    both = [test for test in at_head if test in book.at_base]
    return tuple(both[:1] or (*at_head[:1], *at_base[:1]))
