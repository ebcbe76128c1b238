"""Whose part has to change: base's tests on head's production, and the reverse."""

from __future__ import annotations

from fairtrial.domain.experiments import (
    ALONE,
    Context,
    ContextKind,
    Experiment,
    Purpose,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.asking import behind, listed, replays, whole
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.contexts import Company, Says, deciding, hear, newest, says
from fairtrial.inquiry.gathering import case_in, context_in, hunts
from fairtrial.inquiry.rates import more
from fairtrial.inquiry.readings import is_restorable
from fairtrial.inquiry.summaries import (
    ALWAYS_ALONE,
    ALWAYS_IN_COMPANY,
)


def ask(
    book: Book, tests: tuple[TestId, ...], companies: tuple[Company, ...]
) -> tuple[Experiment, ...]:
    """The swaps that the deciding contexts still need, where they are one of these.

    X where base passes; T where X passes or is mixed, and where base lacks the test.
    Suite-shaped ones are shared.
    """
    found: list[Experiment] = []
    shared: dict[Tree, list[TestId]] = {}
    for test in tests:
        for tree, context, rate in _wanted(book, test, companies):
            if context.kind is ContextKind.SUITE and not rate:
                shared.setdefault(tree, []).append(test)
            elif rate:
                found += more(book, test, tree, context, Purpose.SWAP)
            else:
                found.append(listed(book, test, tree, context, Purpose.SWAP))
    for tree, subjects in shared.items():
        ordered = tuple(test for test in subjects if book.worker_of(test))
        found += replays(book, ordered, tree, Purpose.SWAP)
        unordered = tuple(test for test in subjects if not book.worker_of(test))
        if unordered:
            found.append(whole(book, unordered, tree, Purpose.SWAP))
    return tuple(found)


def _wanted(
    book: Book, test: TestId, companies: tuple[Company, ...]
) -> list[tuple[Tree, Context, bool]]:
    """Tree, context, and whether it takes a rate, of each swap that is still wanted."""
    case = case_in(book, test)
    heard = hear(case)
    found: list[tuple[Tree, Context, bool]] = []
    first, new = deciding(heard), newest(heard)
    if first is not None and first in companies:
        rate = heard[first] is Says.FLAKIER
        for context in _contexts(book, test, first):
            tree = _next(book, test, context, rate=rate)
            if tree is not None:
                found.append((tree, context, rate))
    if new is not None and new in companies:
        context = context_in(book, case, test, new)
        head_tests = book.inquiry.head_tests
        found += [
            (head_tests, where, False)
            for where in dict.fromkeys((context, ALONE))
            if _wants(book, test, head_tests, where, rate=False)
        ]
    return found


def _contexts(book: Book, test: TestId, company: Company) -> tuple[Context, ...]:
    """The contexts to swap in: of several sets that convict, each."""
    case = case_in(book, test)
    if company is not Company.AFTER:
        return (context_in(book, case, test, company),)
    best = context_in(book, case, test, company)
    each = tuple(
        behind(tests)
        for tests in hunts(book)[test].sets
        if says(book.reading(test, behind(tests)), company, case.suite.base)
        is Says.CONVICTS
    )
    return tuple(dict.fromkeys((best, *each)))


def _next(book: Book, test: TestId, context: Context, *, rate: bool) -> Tree | None:
    """X until it is known, by itself where not; then T where X does not settle it."""
    inquiry = book.inquiry
    if _wants(book, test, inquiry.base_tests, context, rate=rate):
        return inquiry.base_tests
    seen = book.attempts(test, inquiry.base_tests, context)
    passes = seen.passed
    if seen.unable and not seen.counted:
        by_itself = _by_itself(book, test, context)
        if by_itself is not None and _wants(book, test, by_itself, context, rate=False):
            return by_itself
        if by_itself is not None:
            passes = book.attempts(test, by_itself, context).passed
    if passes and _wants(book, test, inquiry.head_tests, context, rate=rate):
        return inquiry.head_tests
    return None


def _by_itself(book: Book, test: TestId, context: Context) -> Tree | None:
    """X with base's test alone in its file, where that may stand for X."""
    reading = book.reading(test, context)
    if not is_restorable(context, head=reading.head, base=reading.base):
        return None
    return book.inquiry.restored(test)


def _wants(
    book: Book, test: TestId, tree: Tree, context: Context, *, rate: bool
) -> bool:
    seen = book.attempts(test, tree, context)
    if rate:
        return bool(more(book, test, tree, context, Purpose.SWAP))
    if seen.passed and seen.failed:
        return False
    alone = context.kind is ContextKind.ALONE
    return seen.wants(ALWAYS_ALONE if alone else ALWAYS_IN_COMPANY)
