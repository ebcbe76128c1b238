"""How often a test fails that fails only now and then, at head and at base."""

from __future__ import annotations

from fairtrial.domain.experiments import (
    ALONE,
    SUITE,
    Context,
    ContextKind,
    Experiment,
    Purpose,
    Shape,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.asking import behind, listed, whole
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.cases import Reading
from fairtrial.inquiry.contexts import FAILING, Company, Says, says
from fairtrial.inquiry.gathering import hunts
from fairtrial.inquiry.statistics import RUNS_A_SIDE
from fairtrial.inquiry.summaries import Summary

#: Runs of one side that are asked for together.
TOGETHER = 4

#: Attempts that may come to nothing on the way to a rate.
SPARE_RUNS = 5


def ask(book: Book, test: TestId, context: Context) -> tuple[Experiment, ...]:
    """More runs a side in turns, where a context showed passes and failures."""
    reading = book.reading(test, context)
    if not _is_mixed(reading):
        return ()
    inquiry = book.inquiry
    return tuple(
        experiment
        for tree in (inquiry.head, inquiry.base)
        for experiment in more(book, test, tree, context, Purpose.RATE)
    )


def ask_in_company(book: Book, test: TestId) -> tuple[Experiment, ...]:
    """The same behind each confirmed set, and in the suite as far as it may cost."""
    found = hunts(book).get(test)
    contexts = [behind(each) for each in found.sets] if found is not None else []
    asked = tuple(
        experiment
        for context in (*contexts, SUITE)
        for experiment in ask(book, test, context)
    )
    return asked or _until_base_fails(book, test)


def _until_base_fails(book: Book, test: TestId) -> tuple[Experiment, ...]:
    """Base's own suite again, for a flake that alone is no worse than base's.

    It passes only when base was seen failing there, too.
    """
    alone, suite = book.reading(test, ALONE), book.reading(test, SUITE)
    if says(alone, Company.ALONE, suite.base) is not Says.NOT_FLAKIER:
        return ()
    if suite.head is not Summary.PASSES or suite.base is not Summary.PASSES:
        return ()
    return more(book, test, book.inquiry.base, SUITE, Purpose.RATE)[:1]


def ask_again(book: Book, test: TestId) -> tuple[Experiment, ...]:
    """Head alone, up to a rate, for a failure that was never seen again."""
    alone, suite = book.reading(test, ALONE), book.reading(test, SUITE)
    if alone.head is not Summary.PASSES or suite.head is not Summary.PASSES:
        return ()
    return more(book, test, book.inquiry.head, ALONE, Purpose.RATE)


def more(
    book: Book, test: TestId, tree: Tree, context: Context, purpose: Purpose
) -> tuple[Experiment, ...]:
    """The next runs on the way to a rate; none when there are enough."""
    seen = book.attempts(test, tree, context)
    missing = min(TOGETHER, seen.missing(RUNS_A_SIDE, spare=SPARE_RUNS))
    if not missing:
        return ()
    if context.kind is ContextKind.SUITE and _fails_in_wholes(book, test):
        one = whole(book, (test,), tree, purpose)
    else:
        one = listed(book, test, tree, context, purpose)
    return (one,) * missing


def _is_mixed(reading: Reading) -> bool:
    """Whether rates decide here: head fails, and a side is mixed.

    A base without the test, or that can't be built, has no rate.
    """
    if reading.base in (Summary.ABSENT, Summary.UNBUILDABLE):
        return False
    if reading.head is Summary.MIXED:
        return True
    return reading.head in FAILING and reading.base is Summary.MIXED


def _fails_in_wholes(book: Book, test: TestId) -> bool:
    """Whether only the suite with its own parallelism made the test fail again."""
    head = book.name_of(book.inquiry.head)
    return not any(
        observation.experiment.shape is Shape.LISTED
        and book.name_of(observation.experiment.tree) == head
        and observation.results[test].outcome in FAILURES
        for observation in book.seen(test, SUITE)
    )
