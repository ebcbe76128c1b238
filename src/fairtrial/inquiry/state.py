"""What is known when the next experiments are chosen: all that the planner reads."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from fairtrial.domain.contracts import Missing
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import Observation, Unit
from fairtrial.domain.names import HunkId, OverlayId, RepoPath, SuiteName, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.settings import BudgetSettings
from fairtrial.domain.trees import BASE, Revision, Tree

#: The listed tests that make up the unit around a test, in listed order.
Widen = Callable[[TestId, Unit], tuple[TestId, ...]]


_DEFAULT_BUDGET: Final = BudgetSettings()


def _only_itself(test: TestId, unit: Unit) -> tuple[TestId, ...]:
    """Every unit is the test itself: for runners that know no wider one."""
    del unit
    return (test,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """One suite's failures under inquiry; a value, so the plan can be made again.

    `evidence.observations[0]` is the suite trial at head that opened it, and
    `evidence.changed` holds the classes in which base and head differ. Times are in
    seconds and come in as numbers.
    """

    suite: SuiteName
    evidence: Evidence
    #: The tests that failed in the opening trial, in the order they ran; tests of
    #: files that could not be collected at head belong here too.
    failed: tuple[TestId, ...]
    #: The change touches production, migrations or dependencies.
    touches_production: bool
    #: For each worker of the opening trial, the tests it ran, in order.
    orders: Mapping[str, tuple[TestId, ...]] = field(default_factory=dict)
    #: Head's tests as they were collected, in order.
    listed: tuple[TestId, ...] = ()
    #: Base's tests as they were collected, in order.
    base_listed: tuple[TestId, ...] = ()
    #: Tests that the change adds or edits.
    edited: frozenset[TestId] = frozenset()
    #: Tests whose base's and head's version demand the same (6.6).
    demands_equal: frozenset[TestId] = frozenset()
    #: What lays one test of base by itself over `base_tests`, where that can be done;
    #: looked up for tests that base's whole file can't be built for, and no others.
    restorable: Mapping[TestId, OverlayId] = field(default_factory=dict)
    #: What base's production offers and head's does not.
    removed: Container[Missing] = frozenset()
    #: The changed production hunks of head, in the order of the change.
    hunks: tuple[HunkId, ...] = ()
    #: The changed paths of the classes that are taken back as a whole.
    files: Mapping[PathClass, tuple[RepoPath, ...]] = field(default_factory=dict)
    widen: Widen = _only_itself
    #: The runner can ask forks of one run who makes a test fail.
    forks: bool = False
    #: Sets of tests that were seen polluting a test, or setting it up, at another time:
    #: the first guesses of its search, and nothing else.
    prior: Mapping[TestId, tuple[tuple[TestId, ...], ...]] = field(default_factory=dict)
    budget: BudgetSettings = _DEFAULT_BUDGET
    #: Seconds since the opening trial ended.
    spent: float = 0.0
    #: Wall time of the opening trial.
    suite_seconds: float = 0.0
    #: Where control is taken from in every tree with a part of head; base's, but for
    #: a control change that was found only to add.
    control: Revision = Revision.BASE
    #: What was worked out from this value and nothing else; never carried on.
    memo: dict[str, Any] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def plus(
        self, observations: Sequence[Observation], *, spent: float | None = None
    ) -> Inquiry:
        """The inquiry after more trials; `spent` is the new total of seconds.

        Without it the trials' own seconds are added, as if one had followed another.
        """
        evidence = self.evidence
        for observation in observations:
            evidence = evidence.plus(observation)
        if spent is None:
            spent = self.spent + sum(each.seconds for each in observations)
        return replace(self, evidence=evidence, spent=spent)

    @property
    def base(self) -> Tree:
        """B: everything from base."""
        return BASE

    @property
    def head(self) -> Tree:
        """What is judged."""
        return self._tree(production=Revision.HEAD, tests=Revision.HEAD)

    @property
    def head_tests(self) -> Tree:
        """T: base's production with head's tests."""
        return self._tree(production=Revision.BASE, tests=Revision.HEAD)

    @property
    def base_tests(self) -> Tree:
        """X: head's production with base's tests."""
        return self._tree(production=Revision.HEAD, tests=Revision.BASE)

    def restored(self, test: TestId) -> Tree | None:
        """X with one test of base by itself; None where that can't be done."""
        overlay = self.restorable.get(test)
        return None if overlay is None else replace(self.base_tests, overlay=overlay)

    def _tree(self, *, production: Revision, tests: Revision) -> Tree:
        return Tree(
            production=production,
            dependencies=production,
            migration=production,
            tests=tests,
            control=self.control,
        )
