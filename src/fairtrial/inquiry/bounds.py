"""How much may be asked, and of which tests."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.experiments import ContextKind, Experiment, Purpose, Shape
from fairtrial.domain.names import TestId
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.state import Inquiry

#: Suite runs at head and base together, beyond the one that opened the inquiry.
SUITE_RUNS: Final = 4
#: As many more, for an introduced failure that only the suite shows.
SWAP_RUNS: Final = 4
#: Tests with experiments of their own.
TESTS: Final = 25
#: Culprit searches, and trials in one of them.
CULPRITS: Final = 5
CULPRIT_TRIALS: Final = 12
#: After so many proven blocks the rest would change nothing.
BLOCKS: Final = 5
#: Trials in the search for one test's polluters or setters.
SEARCH_TRIALS: Final = 128
#: Sets of polluters that are looked for, one behind the other.
SETS: Final = 8
#: As many are enough where one of them already convicts head.
CONVICTING: Final = 3

#: Sums of parts of a suite run are floats: four quarters are one run.
ROUNDING: Final = 1e-9

_SECONDS_A_MINUTE: Final = 60.0
_LEAST_MINUTES: Final = 20.0
_SUITES_LONG: Final = 3.0

#: Suite-shaped trials that ask head and base; the others count apart.
_SHARED: Final = frozenset({Purpose.REPLAY, Purpose.WHOLE, Purpose.RATE})
_SWAPS: Final = frozenset({Purpose.SWAP, Purpose.CULPRIT})


def is_spent(book: Book) -> bool:
    """Whether the time for the inquiry is over."""
    return book.inquiry.spent >= allowed(book.inquiry)


def allowed(inquiry: Inquiry) -> float:
    """Seconds that may be spent after the suite."""
    minutes = inquiry.budget.minutes
    if minutes is not None:
        return minutes * _SECONDS_A_MINUTE
    least = _LEAST_MINUTES * _SECONDS_A_MINUTE
    return max(least, _SUITES_LONG * inquiry.suite_seconds)


def lost(book: Book) -> str:
    """What the suite needs and has lost since it began; empty while it has it all."""
    observations = book.inquiry.evidence.observations
    return next((each.environment for each in observations if each.environment), "")


def cost(book: Book, experiment: Experiment) -> float:
    """An experiment in suite runs: the part of all tests that it runs; 0 to 1."""
    if experiment.context.kind is not ContextKind.SUITE:
        return 0.0
    if experiment.shape is Shape.WHOLE:
        return 1.0
    everything = sum(len(worker.head) for worker in book.orders)
    return len(experiment.tests) / everything if everything else 1.0


def affordable(
    book: Book, experiments: tuple[Experiment, ...]
) -> tuple[Experiment, ...]:
    """Those that the bounds on suite-shaped trials leave room for, in order."""
    left = [
        (_SHARED, SUITE_RUNS - _made(book, _SHARED)),
        (_SWAPS, SWAP_RUNS - _made(book, _SWAPS)),
    ]
    found = []
    for experiment in experiments:
        price = cost(book, experiment)
        if any(
            price > room + ROUNDING
            for purposes, room in left
            if price and experiment.purpose in purposes
        ):
            continue
        left = [
            (purposes, room - price if experiment.purpose in purposes else room)
            for purposes, room in left
        ]
        found.append(experiment)
    return tuple(found)


def _made(book: Book, purposes: frozenset[Purpose]) -> float:
    return sum(
        cost(book, observation.experiment)
        for observation in book.observations()
        if observation.experiment.purpose in purposes
    )


def ranked(book: Book, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """The tests in the order in which they are worth a trial.

    One of each cluster first, so that the bound on tests leaves no kind of failure
    without one; then the second of each, and so on.
    """
    nth: dict[object, int] = {}
    rank = {}
    for test in tests:
        key = book.cluster_of(test)
        rank[test] = nth[key] = nth.get(key, -1) + 1
    return tuple(sorted(tests, key=rank.__getitem__))
