"""Whether an edited test still kills what its base version killed: the nouns.

A test kills a mutant when it fails on it. Mutants that base's version lets live say
nothing, so that equivalent ones cancel out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import FAILURES, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class KillQuestion:
    """One test before and after, by the runner's ids; several where rows make it up."""

    base: tuple[TestId, ...]
    #: Empty: it is only asked what the tests of `base` kill.
    head: tuple[TestId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LostMutant:
    """A fault that base's version of a test notices and head's does not."""

    path: RepoPath
    line: int
    operator: str
    was: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """What came of one question."""

    #: Mutants that base's version was tried on.
    tried: int = 0
    killed_by_base: int = 0
    #: Each confirmed by one more trial of each version alone.
    lost: tuple[LostMutant, ...] = ()
    #: False: nothing is known, whatever the other fields say; it is never "kept".
    measured: bool = False
    #: Why it was not measured, in words that go on after "because".
    why: str = ""
    #: It was not measured for want of time alone.
    late: bool = False

    @property
    def kept(self) -> bool:
        """Whether head's version was seen to kill all that base's kills, and some."""
        return self.measured and self.killed_by_base > 0 and not self.lost


class Answer(StrEnum):
    """What some tests, as one, say of a mutant."""

    KILLED = "killed"
    #: A time-out or a crash beside others; it may be the load's doing.
    LOUD = "loud"
    LIVES = "lives"
    #: The files of the tests can't even be collected with it.
    STILLBORN = "stillborn"
    #: The trial proves nothing.
    UNTOLD = "untold"


def answer(observation: Observation, tests: Iterable[TestId]) -> Answer:
    """What one trial says of a mutant, as far as these of its tests go."""
    if observation.trust is not Trust.SOUND:
        return Answer.UNTOLD
    found = {outcome_of(observation, test) for test in tests}
    if Outcome.FAILED in found:
        return Answer.KILLED
    if found & FAILURES:
        return Answer.KILLED if observation.experiment.quiet else Answer.LOUD
    if Outcome.UNBUILDABLE in found:
        return Answer.STILLBORN
    if found and found <= {Outcome.PASSED, Outcome.SKIPPED}:
        return Answer.LIVES
    return Answer.UNTOLD


def outcome_of(observation: Observation, test: TestId) -> Outcome:
    """What a trial shows of a test; nothing shown is `missing`."""
    result = observation.results.get(test)
    return Outcome.MISSING if result is None else result.outcome


def not_passed(observation: Observation, tests: Iterable[TestId], side: str) -> str:
    """Why unchanged production is no ground to try these tests on; empty: it is one.

    Skipped tests kill nothing and are no hindrance.
    """
    if observation.trust is not Trust.SOUND:
        return observation.distrust or "the trial proves nothing"
    for test in tests:
        outcome = outcome_of(observation, test)
        if outcome not in {Outcome.PASSED, Outcome.SKIPPED}:
            word = outcome.value.replace("_", " ")
            return f"{side}'s version of it does not pass there ({test}: {word})"
    return ""
