"""What tests left behind in their process, and what came of undoing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.traces import Resource, Trace, Undone
from fairtrial.runners.reports import fields
from fairtrial.runners.reports.events import Process, TestRun, phase_report
from fairtrial.runners.reports.fields import Event, Malformed
from fairtrial.runners.reports.outcomes import result_of

#: Of one trial: traces, forks that were asked, sentences on what was not seen; parts
#: that one fork put back.
TRACES_LIMIT: Final = 5000
ASKED_LIMIT: Final = 500
BLIND_LIMIT: Final = 20
PARTS_LIMIT: Final = 100
NAME_LIMIT: Final = 500
VALUE_LIMIT: Final = 300
PHASES_LIMIT: Final = 50

T = TypeVar("T")

_RESOURCES: Final = {each.value: each for each in Resource}


def traces(processes: Iterable[Process]) -> tuple[Trace, ...]:
    """Everything that was left, in the order in which each process told of it."""
    found = tuple(_readable(processes, "left", _trace))
    return found[:TRACES_LIMIT]


def undone(processes: Iterable[Process]) -> tuple[Undone, ...]:
    """What each fork showed of the last test."""
    found = tuple(_readable(processes, "undone", _undone))
    return found[:ASKED_LIMIT]


def blind(processes: Iterable[Process]) -> tuple[str, ...]:
    """Why not everything was seen, each reason once."""
    said = _readable(processes, "blind", lambda event: fields.text(event, "why", 300))
    return tuple(dict.fromkeys(filter(None, said)))[:BLIND_LIMIT]


def _readable(
    processes: Iterable[Process], kind: str, read: Callable[[Event], T]
) -> Iterator[T]:
    """What the events of one kind say; none that the plugin can't have written."""
    for process in processes:
        for event in process.told:
            if event["e"] != kind:
                continue
            try:
                yield read(event)
            except Malformed:
                continue


def _trace(event: Event) -> Trace:
    by = fields.optional_text(event, "id")
    keys = ("resource", "name", "was", "now")
    texts = [fields.text(event, key, NAME_LIMIT) for key in keys]
    return _part(texts, None if by is None else TestId(by))


def _part(value: object, by: TestId | None = None) -> Trace:
    if not isinstance(value, list) or [type(each) for each in value] != [str] * 4:
        raise Malformed("a part is no list of four texts")
    resource, name, was, now = value
    if resource not in _RESOURCES:
        raise Malformed("nothing that can be left behind is called so")
    return Trace(
        resource=_RESOURCES[resource],
        name=name[:NAME_LIMIT],
        by=by,
        was=was[:VALUE_LIMIT],
        now=now[:VALUE_LIMIT],
    )


def _undone(event: Event) -> Undone:
    parts, phases = event.get("parts"), event.get("phases")
    if not isinstance(parts, list) or not isinstance(phases, list):
        raise Malformed("parts and phases are no lists")
    test = fields.name(event)
    run = TestRun(test=test, started=0.0, worker="main", complete=True)
    for each in phases[:PHASES_LIMIT]:
        if not isinstance(each, dict) or each.get("id") != test:
            raise Malformed("a phase of another test")
        run.phases.append(phase_report(each))
    result = result_of(run, 0.0)
    return Undone(
        test=TestId(test),
        parts=tuple(_part(each) for each in parts[:PARTS_LIMIT]),
        outcome=result.outcome if fields.flag(event, "asked") else Outcome.ERRORED,
        fresh=fields.flag(event, "fresh"),
        signature=None if result.failure is None else result.failure.signature,
    )
