"""Which wider unit a test needs that fails alone even at base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.domain.experiments import ALONE, SUITE, Experiment, Purpose, Unit
from fairtrial.domain.names import TestId
from fairtrial.inquiry.asking import alone_in, listed
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.company import members
from fairtrial.inquiry.contexts import FAILING
from fairtrial.inquiry.summaries import ALWAYS_ALONE, Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Wider:
    """The first unit that passes at base, if one does; or what to ask to find out."""

    unit: Unit | None = None
    asks: tuple[Experiment, ...] = ()


def is_too_small(book: Book, test: TestId) -> bool:
    """Whether head and base both fail alone while base's own suite passes."""
    alone, suite = book.reading(test, ALONE), book.reading(test, SUITE)
    return (
        alone.head in FAILING and alone.base in FAILING and suite.base is Summary.PASSES
    )


def wider(book: Book, test: TestId) -> Wider:
    """How far the widening has come: class, file, directory, at base and then head."""
    if not is_too_small(book, test):
        return Wider()
    inquiry = book.inquiry
    for unit in _units(book, test):
        context = alone_in(unit)
        base = book.attempts(test, inquiry.base, context)
        if base.failed or base.unable:
            continue
        if base.wants(ALWAYS_ALONE):
            ask = listed(book, test, inquiry.base, context, Purpose.UNIT)
            return Wider(unit=None, asks=(ask,))
        if base.passed < ALWAYS_ALONE:
            continue
        head = book.attempts(test, inquiry.head, context)
        if head.wants(ALWAYS_ALONE):
            ask = listed(book, test, inquiry.head, context, Purpose.UNIT)
            return Wider(unit=unit, asks=(ask,))
        return Wider(unit=unit)
    return Wider()


def _units(book: Book, test: TestId) -> Iterator[Unit]:
    """The units that hold more tests than the narrower one, narrow to wide."""
    narrower: tuple[TestId, ...] = (test,)
    for unit in (Unit.CLASS, Unit.FILE, Unit.DIRECTORY):
        tests = members(book, test, unit)
        if tests != narrower:
            yield unit
        narrower = tests
