"""What all contexts tried so far say of one test, and which of them decides."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.domain.experiments import ALONE, SUITE, Context
from fairtrial.domain.names import TestId
from fairtrial.inquiry.asking import alone_in, behind
from fairtrial.inquiry.attribution import attribute
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.bounds import ranked
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Company, Says, says
from fairtrial.inquiry.polluters import Hunt, hunt
from fairtrial.inquiry.readings import opening_seen_at_base
from fairtrial.inquiry.suspects import Tests
from fairtrial.inquiry.units import wider


def hunts(book: Book) -> dict[TestId, Hunt]:
    """The searches for polluters and setters, in the order they are made.

    One after the other, because what was found for one test is the best guess for
    the next.
    """

    def make() -> dict[TestId, Hunt]:
        found = {}
        known: tuple[Tests, ...] = ()
        for test in ranked(book, book.inquiry.failed):
            one = hunt(book, test, known)
            if one is not None:
                found[test] = one
                known = tuple(dict.fromkeys((*known, *one.sets)))
        return found

    return book.once("hunts", make)


def case_in(book: Book, test: TestId) -> Case:
    """The case of one failed test, as far as it was tried."""
    return book.once(f"case {test}", lambda: _case(book, test))


def _case(book: Book, test: TestId) -> Case:
    inquiry = book.inquiry
    found = hunts(book).get(test)
    unit = wider(book, test).unit
    case = Case(
        alone=book.reading(test, ALONE),
        suite=book.reading(test, SUITE),
        wider=None if unit is None else book.reading(test, alone_in(unit)),
        necessary=found is not None and found.necessary,
        opening_seen_at_base=opening_seen_at_base(book.evidence(test, SUITE), test),
        touches_production=inquiry.touches_production,
        demands_equal=test in inquiry.demands_equal,
        edited=test in inquiry.edited,
        never_acquitted=_is_never_acquitted(book, test),
    )
    if unit is not None:
        case = replace(case, unit=unit)
    first = deciding_set(book, case, test)
    if first is None:
        return case
    return replace(case, after=book.reading(test, behind(first)))


def deciding_set(book: Book, case: Case, test: TestId) -> Tests | None:
    """The confirmed set that speaks for context `after`: any that convicts decides.

    Of several the one that holds most against head; the first found of equals.
    """
    found = hunts(book).get(test)
    if found is None or not found.sets:
        return None

    def weight(tests: Tests) -> tuple[bool, int]:
        reading = book.reading(test, behind(tests))
        said = says(reading, Company.AFTER, case.suite.base)
        return said is Says.CONVICTS, attribute(case, reading, said)

    return max(found.sets, key=weight)


def context_in(book: Book, case: Case, test: TestId, company: Company) -> Context:
    """The context of a case by which its cells are looked up."""
    match company:
        case Company.ALONE:
            return ALONE
        case Company.AFTER:
            return behind(deciding_set(book, case, test) or ())
        case Company.WIDER:
            return alone_in(case.unit)
        case Company.SUITE:
            return SUITE


def _is_never_acquitted(book: Book, test: TestId) -> bool:
    """Whether a race, a sanitizer or a crash in production was seen at head."""
    head = book.name_of(book.inquiry.head)
    for observation in book.inquiry.evidence.observations:
        result = observation.results.get(test)
        if (
            result is not None
            and result.failure is not None
            and result.failure.never_acquitted
            and book.name_of(observation.experiment.tree) == head
        ):
            return True
    return False
