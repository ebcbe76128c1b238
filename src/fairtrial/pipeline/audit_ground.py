"""Where one suite is audited: its stand, its trials, and how long it may take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import (
    ALONE,
    SUITE,
    Context,
    Experiment,
    Observation,
    Purpose,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import HEAD
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.opening import listed_trial
from fairtrial.pipeline.stand import Stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One suite under audit; times are the world's clock, in seconds."""

    stand: Stand
    brief: Brief
    #: When no new trial begins any more.
    until: float

    @property
    def left(self) -> float:
        """Seconds until then; never negative."""
        return max(0.0, self.until - self.brief.world.clock())

    def may_take(self, seconds: float) -> bool:
        """Whether something that long would end in time."""
        return seconds < self.left

    def run(self, *orders: Sequence[TestId]) -> tuple[Observation, ...]:
        """One process an order, side by side as far as the bench bears it."""
        return self.perform(self.trial(order, SUITE) for order in orders)

    def alone(self, tests: Iterable[TestId], times: int) -> tuple[Observation, ...]:
        """Each test by itself in a process of its own, so many times."""
        return self.perform(
            self.trial((test,), ALONE) for test in tests for _ in range(times)
        )

    def trial(self, order: Sequence[TestId], context: Context) -> Experiment:
        """Exactly these tests, in this order."""
        return listed_trial(self.stand, HEAD, order, Purpose.AUDIT, context)

    def quietly(self, experiments: Iterable[Experiment]) -> tuple[Observation, ...]:
        """With nothing beside them: a time-out counts only then."""
        return self.perform(replace(each, quiet=True) for each in experiments)

    def perform(self, experiments: Iterable[Experiment]) -> tuple[Observation, ...]:
        """What each showed."""
        return self.stand.laboratory.perform(list(experiments))

    def say(self, what: str) -> None:
        """What is being done, for whoever watches."""
        self.brief.world.progress.doing(f"suite {self.stand.suite.name}: {what}")
