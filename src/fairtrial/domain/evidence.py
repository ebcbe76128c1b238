"""Everything that was seen of each test, by tree and context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.experiments import Context, Observation, Trust
from fairtrial.domain.names import TestId, TrialId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome, Result, Signature
from fairtrial.domain.trees import Tree, canonical

#: A time-out or a crash is the test's own doing only where nothing ran beside it.
LOUD: Final = frozenset({Outcome.TIMED_OUT, Outcome.CRASHED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """All attempts at one test on one tree in one context."""

    counts: Mapping[Outcome, int] = field(default_factory=dict)
    signatures: frozenset[Signature] = frozenset()
    trials: tuple[TrialId, ...] = ()

    def count(self, *outcomes: Outcome) -> int:
        """How many attempts ended in one of these outcomes."""
        return sum(self.counts.get(outcome, 0) for outcome in outcomes)


EMPTY_CELL = Cell()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All observations of one suite, in the order they were made.

    The failure that opened an inquiry is the first whole trial at head: it counts
    for inventory and order, never in a cell.
    """

    observations: tuple[Observation, ...] = ()
    #: The classes in which base and head differ; equal trees share a cell.
    changed: frozenset[PathClass] = frozenset()

    def plus(self, observation: Observation) -> Evidence:
        """The evidence with one more observation."""
        return Evidence(
            observations=(*self.observations, observation), changed=self.changed
        )

    @property
    def opening(self) -> Observation | None:
        """The suite trial at head that opened the inquiry."""
        return self.observations[0] if self.observations else None

    def attempts(
        self, test: TestId, tree: Tree, context: Context
    ) -> tuple[tuple[TrialId, Result], ...]:
        """Each attempt at a test in a cell, the opening failure left out."""
        wanted = canonical(tree, self.changed)
        found = []
        for index, observation in enumerate(self.observations):
            experiment = observation.experiment
            if (
                index == 0
                or observation.trust is not Trust.SOUND
                or canonical(experiment.tree, self.changed) != wanted
                or (experiment.subjects and test not in experiment.subjects)
                or experiment.context_of(test) != context
            ):
                continue
            result = observation.results.get(test)
            if result is None or (result.outcome in LOUD and not experiment.quiet):
                continue
            found.append((observation.trial, result))
        return tuple(found)

    def cell(self, test: TestId, tree: Tree, context: Context) -> Cell:
        """The counts, signatures and trials of one test on one tree in one context."""
        attempts = self.attempts(test, tree, context)
        if not attempts:
            return EMPTY_CELL
        return Cell(
            counts=Counter(result.outcome for _, result in attempts),
            signatures=frozenset(
                result.failure.signature
                for _, result in attempts
                if result.failure is not None
            ),
            trials=tuple(trial for trial, _ in attempts),
        )
