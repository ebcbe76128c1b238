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
from fairtrial.inquiry.book import Book, up_to
from fairtrial.inquiry.bounds import ROUNDING, cost
from fairtrial.inquiry.company import members, with_loaders


def alone_in(unit: Unit) -> Context:
    """The context of one isolation unit."""
    return Context(kind=ContextKind.ALONE, unit=unit)


def behind(tests: tuple[TestId, ...]) -> Context:
    """The context in which these tests run first."""
    return Context(kind=ContextKind.AFTER, after=tests)


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
        tests=_company(book, test, tree, context),
        subjects=(test,),
        purpose=purpose,
        quiet=book.is_quiet(test),
    )


def _company(
    book: Book, test: TestId, tree: Tree, context: Context
) -> tuple[TestId, ...]:
    match context.kind:
        case ContextKind.SUITE:
            return with_loaders(book, (*book.before(test, tree), test))
        case ContextKind.ALONE:
            return members(book, test, context.unit)
        case ContextKind.AFTER:
            return (*context.after, test)


def without(
    book: Book,
    subjects: tuple[TestId, ...],
    tree: Tree,
    gone: frozenset[TestId],
    has: frozenset[TestId],
) -> Experiment:
    """One worker's recorded order up to the last of its subjects, without some tests.

    Each subject runs behind what is left of its own order, so one trial serves all.
    """
    worker = book.worker_of(subjects[0])
    assert worker is not None
    tests = tuple(
        test
        for test in up_to(worker, subjects, tree)
        if test not in gone and (test in has or not has)
    )
    return Experiment(
        suite=book.inquiry.suite,
        tree=tree,
        context=behind(tests[:-1]),
        shape=Shape.LISTED,
        tests=tests,
        subjects=subjects,
        purpose=Purpose.NECESSITY,
        quiet=any(book.is_quiet(test) for test in subjects),
    )


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
    Where they would cost more than the suite, it is the suite itself.
    """
    found = []
    for worker in book.orders:
        here = tuple(test for test in subjects if book.worker_of(test) is worker)
        if not here:
            continue
        found.append(
            Experiment(
                suite=book.inquiry.suite,
                tree=tree,
                context=SUITE,
                shape=Shape.LISTED,
                tests=with_loaders(book, up_to(worker, here, tree)),
                subjects=here,
                purpose=purpose,
                quiet=any(book.is_quiet(test) for test in here),
            )
        )
    if sum(cost(book, replay) for replay in found) > 1 + ROUNDING:
        return (whole(book, subjects, tree, purpose),)
    return tuple(found)
