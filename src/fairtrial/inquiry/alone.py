"""How a failed test does with nothing beside it, at head and at base."""

from __future__ import annotations

from fairtrial.domain.experiments import ALONE, Experiment, Purpose
from fairtrial.domain.names import TestId
from fairtrial.inquiry.asking import listed
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.summaries import ALWAYS_ALONE


def ask_all(book: Book, tests: tuple[TestId, ...]) -> tuple[Experiment, ...]:
    """The same for several tests; of these base waits until head was seen failing.

    One test's two sides run side by side. Where others fill the bench, a trial of base
    that head's pass makes worthless would only keep them waiting.
    """
    head = book.inquiry.head
    unseen = {
        test
        for test in tests
        if len(tests) > 1 and not book.attempts(test, head, ALONE).asked
    }
    return tuple(
        experiment
        for test in tests
        for experiment in ask(book, test)
        if test not in unseen or experiment.tree == head
    )


def ask(book: Book, test: TestId, runs: int | None = None) -> tuple[Experiment, ...]:
    """One more trial a side, in turns, until there are `runs`; else as configured.

    The first pass at head ends the question whether it always fails there, and with
    it the base's part.
    """
    inquiry = book.inquiry
    if runs is None:
        runs = max(ALWAYS_ALONE, inquiry.budget.alone)
    head = book.attempts(test, inquiry.head, ALONE)
    base = book.attempts(test, inquiry.base, ALONE)
    trees = []
    if head.wants(runs):
        trees.append(inquiry.head)
    if not head.passed and base.wants(runs):
        trees.append(inquiry.base)
    return tuple(listed(book, test, tree, ALONE, Purpose.ALONE) for tree in trees)
