"""How each kind of experiment is spelled."""

from __future__ import annotations

from fairtrial.domain.experiments import (
    SUITE,
    Context,
    ContextKind,
    Experiment,
    Purpose,
    Shape,
    Unit,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.book import Book


def alone_in(unit: Unit) -> Context:
    """The context of one isolation unit."""
    return Context(kind=ContextKind.ALONE, unit=unit)


def behind(tests: tuple[TestId, ...]) -> Context:
    """The context in which these tests run first."""
    return Context(kind=ContextKind.AFTER, after=tests)


def members(book: Book, test: TestId, unit: Unit) -> tuple[TestId, ...]:
    """The tests of the unit around a test; the test itself where there is no such."""
    found = book.inquiry.widen(test, unit) if unit is not Unit.TEST else ()
    return found if test in found else (test,)


def up_to(book: Book, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """A part of a recorded order, and behind it one test of each file it lacks.

    A suite loads all its files before it runs a test, and loading can leave state
    behind: without the later files, a replay would not be the suite.
    """
    return (*tests, *loaders(book, tests))


def loaders(book: Book, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """One test of each file that none of these tests is in, in listed order."""

    def make() -> tuple[tuple[TestId, ...], ...]:
        files: list[tuple[TestId, ...]] = []
        known: set[TestId] = set()
        for order in book.orders:
            for test in order:
                if test not in known:
                    files.append(members(book, test, Unit.FILE))
                    known.update(files[-1])
        return tuple(files)

    here = frozenset(tests)
    files = book.once("files", make)
    return tuple(file[0] for file in files if here.isdisjoint(file))


def listed(
    book: Book, test: TestId, tree: Tree, context: Context, purpose: Purpose
) -> Experiment:
    """One test in one process, with the company that the context names.

    In context `suite` that is the recorded order up to the test. A tree that lacks a
    test of the company runs without it; the key of the cell stays the same.
    """
    return Experiment(
        suite=book.inquiry.suite,
        tree=tree,
        context=context,
        shape=Shape.LISTED,
        tests=_company(book, test, context),
        subjects=(test,),
        purpose=purpose,
        quiet=book.is_quiet(test),
    )


def _company(book: Book, test: TestId, context: Context) -> tuple[TestId, ...]:
    match context.kind:
        case ContextKind.SUITE:
            return up_to(book, (*book.before(test), test))
        case ContextKind.ALONE:
            return members(book, test, context.unit)
        case ContextKind.AFTER:
            return (*context.after, test)


def first_then(
    book: Book, test: TestId, tests: tuple[TestId, ...], tree: Tree
) -> Experiment:
    """The test before its polluters: if it still fails, loading them is enough."""
    return Experiment(
        suite=book.inquiry.suite,
        tree=tree,
        context=behind(()),
        shape=Shape.LISTED,
        tests=(test, *tests),
        subjects=(test,),
        purpose=Purpose.CONFIRM,
        quiet=book.is_quiet(test),
    )


def whole(
    book: Book, subjects: tuple[TestId, ...], tree: Tree, purpose: Purpose
) -> Experiment:
    """The suite as it is, with its own parallelism."""
    return Experiment(
        suite=book.inquiry.suite,
        tree=tree,
        context=SUITE,
        shape=Shape.WHOLE,
        subjects=subjects,
        purpose=purpose,
        quiet=any(book.is_quiet(test) for test in subjects),
    )


def replays(
    book: Book, subjects: tuple[TestId, ...], tree: Tree, purpose: Purpose
) -> tuple[Experiment, ...]:
    """One replay a worker, each up to the last of its subjects.

    The order up to an earlier subject is the same in both, so one replay serves all.
    """
    found = []
    for order in book.orders:
        here = tuple(test for test in subjects if book.order_of(test) is order)
        if not here:
            continue
        last = max(book.place_of(test) for test in here)
        found.append(
            Experiment(
                suite=book.inquiry.suite,
                tree=tree,
                context=SUITE,
                shape=Shape.LISTED,
                tests=up_to(book, order[: last + 1]),
                subjects=here,
                purpose=purpose,
                quiet=any(book.is_quiet(test) for test in here),
            )
        )
    return tuple(found)
