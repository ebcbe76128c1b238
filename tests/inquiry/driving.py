"""Drives an inquiry to its end in a simulated laboratory, and watches its manners."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.inquiry.simulated import World

from fairtrial.domain.experiments import ContextKind, Experiment, Purpose, Shape
from fairtrial.domain.judgements import Judgement
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import canonical
from fairtrial.inquiry.casing import Facts, case_of, facts_of
from fairtrial.inquiry.plan import next_experiments
from fairtrial.inquiry.state import Inquiry
from fairtrial.verdicts import judge

#: No plan needs so many rounds: one that does goes in circles.
ROUNDS = 2000

#: The same trial is made at most so often: a rate, and what came to nothing.
REPEATS = 25


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """An inquiry that has ended."""

    world: World
    inquiry: Inquiry

    def judgement(self, test: str) -> Judgement:
        return judge(case_of(self.inquiry, TestId(test)))

    def facts(self, test: str) -> Facts:
        return facts_of(self.inquiry, TestId(test))

    def experiments(self, *purposes: Purpose) -> list[Experiment]:
        made = [each.experiment for each in self.world.trials[1:]]
        return [each for each in made if not purposes or each.purpose in purposes]

    def suite_runs(self) -> float:
        """All suite-shaped trials, in runs of everything that either side lists.

        Forks are the search's own, whose trials are bounded apart.
        """
        everything = len({*self.inquiry.listed, *self.inquiry.base_listed})
        return sum(
            1.0 if each.shape is Shape.WHOLE else len(each.tests) / everything
            for each in self.experiments()
            if each.context.kind is ContextKind.SUITE and each.shape is not Shape.FORKED
        )


def drive(world: World) -> Outcome:
    """The inquiry at its end; fails when it does not end, or asks too often."""
    inquiry = world.open()
    asked: Counter[object] = Counter()
    for _ in range(ROUNDS):
        batch = next_experiments(inquiry)
        assert batch == next_experiments(inquiry)
        if not batch:
            return Outcome(world=world, inquiry=inquiry)
        for each in batch:
            key = (
                canonical(each.tree, world.changed),
                each.context,
                each.tests,
                each.shape,
                each.subjects,
            )
            asked[key] += 1
            assert asked[key] <= REPEATS, each
        inquiry = inquiry.plus([world.perform(each) for each in batch])
    raise AssertionError(f"not over after {ROUNDS} rounds")
