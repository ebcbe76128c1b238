"""Whether, when very many tests fail, one of each kind fails alike at base."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.experiments import ALONE, Experiment, Purpose, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome, Phase
from fairtrial.inquiry.asking import listed
from fairtrial.inquiry.book import Book, Cluster, cluster

#: More failures than this are many, whatever the size of the suite.
MANY: Final = 10
#: In suites of at least this size, this part of all tests is many.
LARGE: Final = 20
PART: Final = 0.3
#: Kinds of failure that get a canary.
CANARIES: Final = 25


def is_mass_failure(book: Book) -> bool:
    """More than 10 tests fail, or 30 % of at least 20."""
    failed = len(book.inquiry.failed)
    suite = len(book.inquiry.listed)
    return failed > MANY or (suite >= LARGE and failed >= PART * suite)


def canaries(book: Book) -> dict[Cluster, TestId]:
    """One test of each kind of failure; empty when not many fail."""
    if not is_mass_failure(book):
        return {}
    found: dict[Cluster, TestId] = {}
    for test in book.inquiry.failed:
        kind = book.cluster_of(test)
        if speaks_of_the_bench(kind):
            found.setdefault(kind, test)
    return dict(list(found.items())[:CANARIES])


def speaks_of_the_bench(kind: Cluster) -> bool:
    """Whether failures of one kind may have one cause outside the tests.

    What fails in the test's own body says nothing of the bench: an old failure of the
    same type must not speak for a regression.
    """
    phase, _, frame = kind
    return phase != Phase.CALL.value or frame is not None


def ask(book: Book) -> tuple[Experiment, ...]:
    """A trial of each canary, alone at base, before anything else."""
    return tuple(
        listed(book, test, book.inquiry.base, ALONE, Purpose.CANARY)
        for test in canaries(book).values()
        if book.attempts(test, book.inquiry.base, ALONE).wants(1)
    )


def lacking(book: Book) -> frozenset[TestId]:
    """The failed tests whose canary fails alike at base: the bench lacks something."""
    dead = {
        kind for kind, test in canaries(book).items() if _fails_alike(book, kind, test)
    }
    return frozenset(
        test for test in book.inquiry.failed if book.cluster_of(test) in dead
    )


def _fails_alike(book: Book, kind: Cluster, test: TestId) -> bool:
    """Whether base's first attempt, alone, ended in the same kind of failure.

    A canary that base can't even collect fails alike when head can't either.
    """
    base = book.name_of(book.inquiry.base)
    for observation in book.inquiry.evidence.observations[1:]:
        experiment = observation.experiment
        result = observation.results.get(test)
        if (
            experiment.purpose is Purpose.CANARY
            and observation.trust is Trust.SOUND
            and book.name_of(experiment.tree) == base
            and result is not None
        ):
            return (
                result.outcome in FAILURES | {Outcome.UNBUILDABLE}
                and cluster(result) == kind
            )
    return False
