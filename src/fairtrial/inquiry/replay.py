"""Whether the recorded order, and then the whole suite, fails again at both sides."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.experiments import ALONE, SUITE, Experiment, Purpose, Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.asking import replays, whole
from fairtrial.inquiry.book import Attempts, Book
from fairtrial.inquiry.contexts import Company, Says, says
from fairtrial.inquiry.summaries import ALWAYS_IN_COMPANY, Summary

#: Whole suites a side, where a replay does not fail again.
WHOLES: Final = 3


def is_open(book: Book, test: TestId) -> bool:
    """Whether alone left something to ask the suite."""
    reading = book.reading(test, ALONE)
    match says(reading, Company.ALONE, Summary.UNKNOWN):
        case Says.CONVICTS | Says.UNPROVEN | Says.NEW | Says.BASE_BROKEN:
            return False
        case (
            Says.MATCHES
            | Says.SILENT
            | Says.UNKNOWN
            | Says.FLAKIER
            | Says.NOT_FLAKIER
            | Says.UNDECIDED
        ):
            return True


def ask(book: Book, tests: tuple[TestId, ...]) -> tuple[Experiment, ...]:
    """One replay a side and worker for all tests that still want one.

    A replay that is made anyway takes along every test that may come to want it, so
    that tests which ask at different times share their trials.
    """
    inquiry = book.inquiry
    waiting = tuple(
        test for test in tests if is_open(book, test) and book.worker_of(test)
    )
    wanted = _wanted(book)
    found: list[Experiment] = []
    at_head = tuple(test for test in waiting if _wants_head(book, test, wanted))
    found += replays(book, at_head, inquiry.head, Purpose.REPLAY)
    if any(_wants_base(book, test, wanted) for test in waiting):
        at_base = tuple(
            test
            for test in waiting
            if _wants_base(book, test, wanted)
            or (test in at_head and _suite(book, test, inquiry.base).wants(wanted))
        )
        found += replays(book, at_base, inquiry.base, Purpose.REPLAY)
    return tuple(found)


def ask_whole(book: Book, tests: tuple[TestId, ...]) -> tuple[Experiment, ...]:
    """The whole suite, for tests that a replay did not make fail again.

    What fails only beside other workers shows here. Head until it has failed or has
    run often enough; then base.
    """
    inquiry = book.inquiry
    lone = tuple(test for test in tests if is_open(book, test) and _is_lone(book, test))
    at_head = tuple(test for test in lone if _wants_whole_head(book, test))
    at_base = tuple(test for test in lone if _wants_whole_base(book, test))
    found = []
    if at_head:
        found.append(whole(book, at_head, inquiry.head, Purpose.WHOLE))
    if at_base:
        found.append(whole(book, at_base, inquiry.base, Purpose.WHOLE))
    return tuple(found)


def _wanted(book: Book) -> int:
    return max(ALWAYS_IN_COMPANY, book.inquiry.budget.replays)


def _suite(book: Book, test: TestId, tree: Tree) -> Attempts:
    return book.attempts(test, tree, SUITE)


def _wants_head(book: Book, test: TestId, wanted: int) -> bool:
    seen = _suite(book, test, book.inquiry.head)
    return not seen.passed and seen.wants(wanted)


def _wants_base(book: Book, test: TestId, wanted: int) -> bool:
    """Base is asked when head failed again, or failed alone as well."""
    reading = book.reading(test, ALONE)
    silent = says(reading, Company.ALONE, Summary.UNKNOWN) is Says.SILENT
    again = _suite(book, test, book.inquiry.head).failed > 0
    base = _suite(book, test, book.inquiry.base)
    return (again or not silent) and base.wants(wanted)


def _is_lone(book: Book, test: TestId) -> bool:
    """Whether a replay is no use: it did not fail at head, or no order has the test."""
    if book.worker_of(test) is None or _wholes(book, test, book.inquiry.head):
        return True
    head = _suite(book, test, book.inquiry.head)
    return head.passed > 0 and not head.failed


def _wants_whole_head(book: Book, test: TestId) -> bool:
    head = _suite(book, test, book.inquiry.head)
    settled = head.failed > 0 and (head.passed > 0 or head.failed >= _wanted(book))
    return not settled and _wholes(book, test, book.inquiry.head) < WHOLES


def _wants_whole_base(book: Book, test: TestId) -> bool:
    if not _suite(book, test, book.inquiry.head).failed:
        return False
    base = _suite(book, test, book.inquiry.base)
    return base.wants(WHOLES) and _wholes(book, test, book.inquiry.base) < WHOLES


def _wholes(book: Book, test: TestId, tree: Tree) -> int:
    """How many whole suites were run at a tree for this test."""
    name = book.name_of(tree)
    return sum(
        observation.experiment.shape is Shape.WHOLE
        and observation.experiment.purpose is Purpose.WHOLE
        and test in observation.experiment.subjects
        and book.name_of(observation.experiment.tree) == name
        for observation in book.observations()
    )
