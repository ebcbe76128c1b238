"""What forks of one run are asked, and what they guessed: the first trials to make."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Shape,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Searched
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.book import Book, up_to
from fairtrial.inquiry.company import with_loaders
from fairtrial.inquiry.roles import Role, role_of

Tests = tuple[TestId, ...]


def forked(
    book: Book, test: TestId, role: Role, tree: Tree, items: Tests
) -> Experiment | None:
    """The forked trial that tells which of `items` do it; None: asked, or no use.

    Where `items` is all that ran before, other tests of the worker with the same
    question share it.
    """
    if not book.inquiry.forks or len(items) == 1 or book.is_quiet(test):
        return None
    if any(_before(book, each, test, tree) == items for each in _trials(book, tree)):
        return None
    worker = book.worker_of(test)
    whole = worker is not None and _present(book, book.before(test, tree), tree)
    if worker is not None and whole == items:
        subjects = tuple(
            each
            for each in book.inquiry.failed
            if each == test or _shares(book, each, test, role, tree)
        )
        tests = up_to(worker, subjects, tree)
    else:
        subjects, tests = (test,), (*items, test)
    return Experiment(
        suite=book.inquiry.suite,
        tree=tree,
        context=SUITE,
        shape=Shape.FORKED,
        tests=with_loaders(book, _present(book, tests, tree)),
        subjects=subjects,
        purpose=role.purpose,
    )


def guesses(book: Book, test: TestId, tree: Tree, items: Tests) -> tuple[Tests, ...]:
    """The sets of `items` that forks found, or of files that were only loaded.

    What they found among more tests is as good a guess among fewer.
    """
    here = frozenset(items)
    found: list[Tests] = []
    for each in _trials(book, tree):
        before = _before(book, each, test, tree) or ()
        for one in each.searched:
            if one.victim != test:
                continue
            if before == items:
                found += one.sets
            elif here.issubset(before):
                found += (tests for tests in one.sets if here.issuperset(tests))
    return tuple(dict.fromkeys(found))


def searches(book: Book, test: TestId, tree: Tree) -> tuple[Searched, ...]:
    """All that forks said of one test at a tree."""
    return tuple(
        one
        for each in _trials(book, tree)
        for one in each.searched
        if one.victim == test
    )


def hostile(book: Book, test: TestId) -> str:
    """Why forks could not tell, wherever they were asked; empty: they could."""
    inquiry = book.inquiry
    said = (
        one.hostile
        for tree in (inquiry.head, inquiry.base)
        for one in searches(book, test, tree)
    )
    return next((each for each in said if each), "")


def _trials(book: Book, tree: Tree) -> Iterator[Observation]:
    name = book.name_of(tree)
    for observation in book.observations():
        experiment = observation.experiment
        if experiment.shape is Shape.FORKED and book.name_of(experiment.tree) == name:
            yield observation


def _before(
    book: Book, observation: Observation, test: TestId, tree: Tree
) -> Tests | None:
    """What a forked trial ran before one of its subjects."""
    experiment = observation.experiment
    if test not in experiment.subjects or test not in experiment.tests:
        return None
    tests = experiment.tests[: experiment.tests.index(test)]
    return _present(book, tests, tree)


def _present(book: Book, tests: Tests, tree: Tree) -> Tests:
    """The tests that a tree has, as far as it is known."""
    has = (
        book.at_head
        if book.name_of(tree) != book.name_of(book.inquiry.base)
        else (book.at_base)
    )
    return tuple(test for test in tests if test in has or not has)


def _shares(book: Book, other: TestId, test: TestId, role: Role, tree: Tree) -> bool:
    """Whether another test asks the same, and was not answered yet."""
    return (
        book.worker_of(other) is book.worker_of(test)
        and not book.is_quiet(other)
        and role_of(book, other) is role
        and not any(other in each.experiment.subjects for each in _trials(book, tree))
    )
