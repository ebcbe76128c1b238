"""What a pinner is given: one victim, what is known of it, and trials to spend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import (
    ALONE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover, Verdict
from fairtrial.domain.results import Outcome, Signature
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.book import book_of
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.stand import Stand

Perform = Callable[[Sequence[Experiment]], tuple[Observation, ...]]


class Allowance:
    """Trials that one verdict may still spend; counted, and never made twice."""

    def __init__(
        self, perform: Perform, trials: int, is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """At most so many trials; none is begun any more when `is_over` says so."""
        self._perform = perform
        self._is_over = is_over
        self._seen: list[tuple[Experiment, Observation]] = []
        self._trials = trials
        #: Trials that were made.
        self.spent = 0

    @property
    def left(self) -> int:
        """How many trials may still be made."""
        return 0 if self._is_over() else self._trials

    def observe(self, experiment: Experiment) -> Observation | None:
        """What the experiment showed; None when no trial is left for it."""
        for asked, seen in self._seen:
            if asked == experiment:
                return seen
        if self.left <= 0:
            return None
        self._trials -= 1
        self.spent += 1
        (observation,) = self._perform([experiment])
        self._seen.append((experiment, observation))
        if observation.environment:
            # What the suite needs is gone: no later trial can show anything.
            self._trials = 0
        return observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinning:
    """One verdict whose leftovers are looked for."""

    verdict: Verdict
    #: Confirmed, in the order they run; empty where none was confirmed.
    polluters: tuple[TestId, ...]
    inquiry: Inquiry
    stand: Stand
    #: Where it failed, and is tried again.
    tree: Tree
    #: How it failed there: only one of these is the same failure.
    signatures: frozenset[Signature]
    allowance: Allowance
    #: What earlier pinners have found for this verdict.
    found: tuple[Leftover, ...] = ()
    #: What was proven for earlier verdicts with the same polluters.
    known: tuple[Leftover, ...] = ()

    @property
    def test(self) -> TestId:
        """The victim."""
        return self.verdict.test

    @property
    def observations(self) -> tuple[Observation, ...]:
        """All trials of the inquiry; the first is the suite's own."""
        return self.inquiry.evidence.observations

    def experiment(self) -> Experiment:
        """The victim alone, for a pinner to put something beside it."""
        return Experiment(
            suite=self.inquiry.suite,
            tree=self.tree,
            context=ALONE,
            shape=Shape.LISTED,
            tests=(self.test,),
            subjects=(self.test,),
            purpose=Purpose.PINNING,
            quiet=book_of(self.inquiry).is_quiet(self.test),
        )

    def polluting(self) -> Experiment:
        """The polluters and then the victim, with what each leaves recorded."""
        return replace(
            self.experiment(), tests=(*self.polluters, self.test), watched=True
        )

    def without_victim(self) -> Experiment:
        """The polluters and nothing else: whatever is left at the end, they left."""
        return replace(self.polluting(), tests=self.polluters, subjects=self.polluters)

    def answer(self, experiment: Experiment) -> Answer | None:
        """Whether the victim fails there as it did; None when no trial is left.

        NO: it passes. Another failure, and whatever did not come to an end, is
        neither.
        """
        observation = self.allowance.observe(experiment)
        if observation is None:
            return None
        result = observation.results.get(self.test)
        if observation.trust is not Trust.SOUND or result is None:
            return Answer.NEITHER
        if result.outcome is Outcome.PASSED:
            return Answer.NO
        failure = result.failure
        same = failure is not None and failure.signature in self.signatures
        return Answer.YES if same else Answer.NEITHER


#: What is left of one kind of thing, proven or said not to be; empty where the suite
#: has no such thing.
Pinner = Callable[[Pinning], tuple[Leftover, ...]]
