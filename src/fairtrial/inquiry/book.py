"""What was asked and seen of each failed test so far, ready to be looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from fairtrial.domain.evidence import LOUD, Evidence
from fairtrial.domain.experiments import Context, Observation, Shape, Trust
from fairtrial.domain.names import OverlayId, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import FAILURES, Outcome, Result
from fairtrial.domain.trees import Revision, Tree, canonical
from fairtrial.inquiry.cases import Reading
from fairtrial.inquiry.order import WorkerOrder, replay_orders
from fairtrial.inquiry.readings import read
from fairtrial.inquiry.state import Inquiry

V = TypeVar("V")

#: Phase, exception type, innermost frame outside the test's body.
Cluster = tuple[str, str, str | None]

#: How many attempts more than wanted may be spent on errored and missing ones.
SPARE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """One cell as the planner counts it."""

    passed: int = 0
    failed: int = 0
    #: Skipped, absent or unbuildable: once is enough to know.
    unable: int = 0
    #: All that were made, whatever came of them.
    asked: int = 0

    @property
    def counted(self) -> int:
        """Those that ran to an end."""
        return self.passed + self.failed

    def missing(self, wanted: int, *, spare: int = SPARE) -> int:
        """How many more attempts are to be made, until `wanted` have counted."""
        if self.unable:
            return 0
        return max(0, min(wanted - self.counted, wanted + spare - self.asked))

    def wants(self, wanted: int, *, spare: int = SPARE) -> bool:
        """Whether one more attempt is to be made, until `wanted` have counted."""
        return self.missing(wanted, spare=spare) > 0


class Book:
    """An index over one inquiry's evidence; made anew for each plan, never changed."""

    def __init__(self, inquiry: Inquiry) -> None:
        self.inquiry = inquiry
        self.orders = replay_orders(inquiry.orders, inquiry.listed, inquiry.base_listed)
        self.at_head = frozenset(inquiry.listed)
        self.at_base = frozenset(inquiry.base_listed)
        self._worker_of = {test: order for order in self.orders for test in order.head}
        changed = inquiry.evidence.changed
        if inquiry.control is Revision.HEAD:
            # Head's control was found to change nothing at base, so trees that
            # differ in it alone are equal.
            changed = changed - {PathClass.CONTROL}
        self.changed = changed
        self._names: dict[Tree, Tree] = {}
        self._made: dict[str, Any] = {}
        self._readings: dict[tuple[TestId, Context], Reading] = {}
        self._index()

    def _index(self) -> None:
        failed = self.inquiry.failed
        opening = self.inquiry.evidence.opening
        self.opening = opening
        self._quiet = {
            test
            for test in failed
            if opening is not None and _is_loud(opening.results.get(test))
        }
        self._seen: dict[tuple[TestId, Context], list[Observation]] = {}
        self._asked: Counter[tuple[TestId, Tree, Context]] = Counter()
        known = frozenset(failed)
        for observation in self.inquiry.evidence.observations[1:]:
            experiment = observation.experiment
            if experiment.shape is Shape.FORKED:
                continue  # it chooses trials, and no attempt of it counts
            for test in experiment.subjects or failed:
                if test not in known:
                    continue
                tree = self.name_of(experiment.tree)
                context = experiment.context_of(test)
                self._asked[test, tree, context] += 1
                result = observation.results.get(test)
                loud = _is_loud(result) and not experiment.quiet
                if loud:
                    self._quiet.add(test)
                elif observation.trust is Trust.SOUND and result is not None:
                    key = (test, context)
                    self._seen.setdefault(key, []).append(observation)

    def once(self, key: str, make: Callable[[], V]) -> V:
        """What `make` says, asked once a book: everything here is a pure question."""
        if key not in self._made:
            self._made[key] = make()
        found: V = self._made[key]
        return found

    def name_of(self, tree: Tree) -> Tree:
        """The one name of all trees that are equal to this one."""
        if tree not in self._names:
            self._names[tree] = canonical(tree, self.changed)
        return self._names[tree]

    def attempts(self, test: TestId, tree: Tree, context: Context) -> Attempts:
        """How often a test was tried in a cell, and how that ended."""
        name = self.name_of(tree)
        counts: Counter[Outcome] = Counter()
        for observation in self.seen(test, context):
            if self.name_of(observation.experiment.tree) == name:
                counts[observation.results[test].outcome] += 1
        return Attempts(
            passed=counts[Outcome.PASSED],
            failed=sum(counts[outcome] for outcome in FAILURES),
            unable=counts[Outcome.SKIPPED] + counts[Outcome.UNBUILDABLE],
            asked=self._asked[test, name, context],
        )

    def seen(self, test: TestId, context: Context) -> tuple[Observation, ...]:
        """The trials in which an attempt at a test in a context counts."""
        return tuple(self._seen.get((test, context), ()))

    def evidence(self, test: TestId, context: Context) -> Evidence:
        """What counts of a test in one context, behind the opening trial."""
        opening = () if self.opening is None else (self.opening,)
        observations = (*opening, *self.seen(test, context))
        return Evidence(observations=observations, changed=self.changed)

    def reading(self, test: TestId, context: Context) -> Reading:
        """What a context shows of a test."""
        key = (test, context)
        if key not in self._readings:
            self._readings[key] = read(
                self.evidence(test, context),
                test,
                context,
                restored=self._overlay(test, context),
                removed=self.inquiry.removed,
            )
        return self._readings[key]

    def _overlay(self, test: TestId, context: Context) -> OverlayId | None:
        """Looked up only where it counts: what it names takes reading sources."""
        whole = self.attempts(test, self.inquiry.base_tests, context)
        return self.inquiry.restorable.get(test) if whole.unable else None

    def observations(self) -> Iterable[Observation]:
        """All trials after the opening one."""
        return self.inquiry.evidence.observations[1:]

    def is_quiet(self, test: TestId) -> bool:
        """Whether a test has timed out or crashed: from then on it is tried alone."""
        return test in self._quiet

    def cluster_of(self, test: TestId) -> Cluster:
        """What failures that are likely one failure have in common at head."""
        result = self.opening.results.get(test) if self.opening is not None else None
        return cluster(result)

    def worker_of(self, test: TestId) -> WorkerOrder | None:
        """The orders that hold a test; None when no order does."""
        return self._worker_of.get(test)

    def before(self, test: TestId, tree: Tree) -> tuple[TestId, ...]:
        """The tests that ran earlier in the same worker, in the order of that tree."""
        worker = self.worker_of(test)
        return () if worker is None else up_to(worker, (test,), tree)[:-1]


def book_of(inquiry: Inquiry) -> Book:
    """The book of one inquiry: made once, whoever asks."""
    if "book" not in inquiry.memo:
        inquiry.memo["book"] = Book(inquiry)
    found: Book = inquiry.memo["book"]
    return found


def up_to(
    worker: WorkerOrder, tests: tuple[TestId, ...], tree: Tree
) -> tuple[TestId, ...]:
    """A worker's order in a tree's own suite, up to the last of these tests."""
    order = worker.head if tree.tests is Revision.HEAD else worker.base
    return order[: max(order.index(test) for test in tests) + 1]


def cluster(result: Result | None) -> Cluster:
    """Phase, exception type and innermost frame outside the test's own body."""
    failure = result.failure if result is not None else None
    if failure is None:
        return ("", "", None)
    return (failure.phase.value, failure.type, failure.outside_frame)


def _is_loud(result: Result | None) -> bool:
    return result is not None and result.outcome in LOUD
