"""What a forked trial says of who makes its subjects fail, as far as it can be so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Searched
from fairtrial.runners import Selection
from fairtrial.runners.reports import fields
from fairtrial.runners.reports.fields import Event, Malformed

#: Sets, tests in one set, and cleaners that are taken from a report.
SETS_LIMIT: Final = 8
SET_LIMIT: Final = 64
CLEANERS_LIMIT: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One subject's search as it was reported."""

    test: str
    sets: tuple[tuple[str, ...], ...]
    load_time: bool
    cleaners: tuple[str, ...]
    hostile: str
    asked: int
    seconds: float


class Reporting(Protocol):
    """A process that may have searched."""

    @property
    def searches(self) -> list[Search]:
        """What it said, in the order it was said."""


def read_search(event: Event) -> Search:
    """One event; raises Malformed for what the plugin can't have written."""
    sets = event.get("sets")
    if not isinstance(sets, list):
        raise Malformed("sets is no list")
    return Search(
        test=fields.name(event),
        sets=tuple(fields.names({"set": each}, "set") for each in sets[:SETS_LIMIT]),
        load_time=fields.flag(event, "load_time"),
        cleaners=fields.names(event, "cleaners")[:CLEANERS_LIMIT],
        hostile=fields.text(event, "hostile", 300),
        asked=int(fields.number(event, "asked")),
        seconds=fields.duration(event, "seconds"),
    )


def searched(
    selection: Selection, processes: Iterable[Reporting]
) -> tuple[Searched, ...]:
    """What is worth a trial: of subjects that were asked about, sets of listed tests.

    They are guesses, whoever wrote them: nothing counts before it was confirmed.
    """
    if selection.shape is not Shape.FORKED:
        return ()
    known = frozenset(selection.tests)
    found: dict[TestId, Searched] = {}
    for process in processes:
        for one in process.searches:
            test = TestId(one.test)
            if test in selection.subjects:
                found.setdefault(test, _searched(one, known - {test}))
    return tuple(found.values())


def _searched(one: Search, known: frozenset[TestId]) -> Searched:
    sets = (tuple(TestId(test) for test in each) for each in one.sets)
    return Searched(
        victim=TestId(one.test),
        sets=tuple(
            each
            for each in sets
            if 0 < len(each) <= SET_LIMIT
            and known.issuperset(each)
            and len(frozenset(each)) == len(each)
        ),
        load_time=one.load_time,
        cleaners=tuple(TestId(test) for test in one.cleaners if TestId(test) in known),
        hostile=one.hostile,
        asked=one.asked,
        seconds=one.seconds,
    )
