"""Which test committed a change, as far as its time tells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.domain.databases import Change
from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome, Result

#: Outcomes of tests that never began: their time says nothing.
_NEVER_RAN = frozenset({Outcome.MISSING, Outcome.UNBUILDABLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """One committed change, and the tests that ran when it was committed.

    None: it came before the first test, or after the last. More than one: several
    workers ran side by side, and it can't be told whose it is.
    """

    change: Change
    tests: tuple[TestId, ...]


@dataclass(frozen=True, slots=True)
class _Worker:
    """One worker's tests by the time they began; seconds since the epoch."""

    starts: tuple[float, ...]
    tests: tuple[TestId, ...]
    end: float

    def at(self, moment: float) -> TestId | None:
        place = bisect_right(self.starts, moment) - 1
        if place < 0 or moment > self.end:
            return None
        return self.tests[place]


def unjoinable(observation: Observation) -> str:
    """Why its changes can't be joined with its tests; empty: they can."""
    if observation.trust is not Trust.SOUND:
        return observation.distrust or "its report can't be believed"
    if observation.unrecorded:
        return observation.unrecorded[0]
    if not (observation.experiment.watched or observation.changes):
        return "it was not watched"
    if not observation.epoch:
        return "the runner does not tell when its tests ran"
    return ""


def owned(observation: Observation) -> tuple[Owned, ...]:
    """Each change of a trial with its tests, in the order they were committed.

    A test's window reaches from its own start to the start of the next one in the
    same worker; the last one's to its own end.
    """
    workers = tuple(_workers(observation))
    return tuple(
        Owned(change=change, tests=tuple(_running(workers, change.at)))
        for change in observation.changes
    )


def before(observation: Observation, test: TestId) -> tuple[Owned, ...]:
    """The changes that were committed before a test began; all where it did not run."""
    moment = begun(observation, test)
    return tuple(
        each for each in owned(observation) if moment is None or each.change.at < moment
    )


def begun(observation: Observation, test: TestId) -> float | None:
    """When a test began, in seconds since the epoch; None where it did not run."""
    result = observation.results.get(test)
    if result is None or result.outcome in _NEVER_RAN:
        return None
    return observation.epoch + result.started


def _running(workers: tuple[_Worker, ...], moment: float) -> Iterator[TestId]:
    for worker in workers:
        test = worker.at(moment)
        if test is not None:
            yield test


def _workers(observation: Observation) -> Iterator[_Worker]:
    by_worker: dict[str, list[Result]] = {}
    for result in observation.results.values():
        if result.outcome not in _NEVER_RAN:
            by_worker.setdefault(result.worker, []).append(result)
    for results in by_worker.values():
        results.sort(key=lambda result: result.started)
        last = results[-1]
        yield _Worker(
            starts=tuple(observation.epoch + each.started for each in results),
            tests=tuple(each.test for each in results),
            end=observation.epoch + last.started + last.seconds,
        )
