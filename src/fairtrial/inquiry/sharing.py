"""Which tests of different workers wrote to one table while both of them ran."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairtrial.domain.experiments import Observation
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Result
from fairtrial.inquiry.ledger.windows import Owned, owned, unjoinable

#: A table with its database.
Place = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """One table that two tests wrote side by side, each known by a change of its own.

    Other pairs of the same table are counted and not named.
    """

    database: str
    table: str
    tests: tuple[TestId, TestId]
    workers: tuple[str, str]
    others: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """What the tables of one parallel trial show."""

    shared: tuple[Shared, ...] = ()
    #: Tables that were written while several workers ran, where no change tells by
    #: which of them.
    untold: tuple[Place, ...] = ()


def sharing(observation: Observation, others: Iterable[Observation] = ()) -> Sharing:
    """What a suite's trial with several workers shows of its tables.

    A test counts as a writer of a table when some change came while no other test
    ran, in this trial or in one of `others`. Nothing is claimed from time alone.
    """
    if unjoinable(observation) or len(_workers(observation)) < 2:  # noqa: PLR2004
        return Sharing()
    seen = owned(observation)
    writers = _writers(seen)
    for other in others:
        if not unjoinable(other):
            for place, tests in _writers(owned(other)).items():
                writers.setdefault(place, set()).update(tests)
    shared, untold = [], []
    for place in sorted({_place(each) for each in seen if each.tests}):
        ran = [
            observation.results[test]
            for test in sorted(writers.get(place, ()))
            if test in observation.results
        ]
        pairs = _side_by_side(ran)
        if pairs:
            first, second = pairs[0]
            shared.append(
                Shared(
                    database=place[0],
                    table=place[1],
                    tests=(first.test, second.test),
                    workers=(first.worker, second.worker),
                    others=len(pairs) - 1,
                )
            )
        elif any(_unclear(each, writers) for each in seen if _place(each) == place):
            untold.append(place)
    return Sharing(shared=tuple(shared), untold=tuple(untold))


def _place(each: Owned) -> Place:
    return each.change.database, each.change.table


def _workers(observation: Observation) -> frozenset[str]:
    return frozenset(each.worker for each in observation.results.values())


def _writers(changes: Iterable[Owned]) -> dict[Place, set[TestId]]:
    """For each table, the tests that were alone when it was written."""
    found: dict[Place, set[TestId]] = {}
    for each in changes:
        if len(each.tests) == 1:
            found.setdefault(_place(each), set()).update(each.tests)
    return found


def _unclear(each: Owned, writers: Mapping[Place, set[TestId]]) -> bool:
    """Whether several tests may have made a change, none of them a known writer."""
    known = writers.get(_place(each), set())
    return len(each.tests) > 1 and known.isdisjoint(each.tests)


def _side_by_side(tests: list[Result]) -> list[tuple[Result, Result]]:
    """Pairs of different workers whose tests ran at one time."""
    ordered = sorted(tests, key=lambda result: (result.started, result.test))
    found = []
    running: list[Result] = []
    for later in ordered:
        running = [
            each for each in running if each.started + each.seconds > later.started
        ]
        found += [(each, later) for each in running if each.worker != later.worker]
        running.append(later)
    return found
