"""What our own reporters for other tools wrote, line by line: one format for all.

Each process of a trial writes a file `report-NAME.jsonl` into the outputs. A line is
an object whose `event` is one of: `start` (token, epoch in seconds), `listed` (ids),
`uncollectable` (name, type, message, text), `loaded` (path, sha256), `begin` (id, at
in seconds since the epoch), `end` (id, outcome, phase, seconds, type, message,
expected, actual, text, reason, frames of [path, name, line], a path relative to the
workspace where the file lies in it), `notice` (text), `fault` (text: why nothing of it
can be believed), `done`. Whatever a test prints or writes there itself is hostile
input: what is not of this form is a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import LoadedFile, Outcome, Phase
from fairtrial.domain.trials import TrialOutput
from fairtrial.runners import TriedTree
from fairtrial.runners.reports.blocks import digest_of
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import (
    FRAME_LIMIT,
    Event,
    Frame,
    Malformed,
    duration,
    name,
    names,
    number,
    optional_text,
    text,
)
from fairtrial.runners.reports.plain import Account, Told

_FILE: Final = re.compile(r"report-([A-Za-z0-9_.-]{1,60})\.jsonl")
#: Bytes of one report; 100,000 tests take about 60 MB.
_LIMIT: Final = 512 * 1024 * 1024
_OUTCOMES: Final = {
    one.value: one
    for one in (
        Outcome.PASSED,
        Outcome.FAILED,
        Outcome.SKIPPED,
        Outcome.TIMED_OUT,
        # For tools that run each test in a process of its own.
        Outcome.CRASHED,
    )
}
_PHASES: Final = {one.value: one for one in Phase}


@dataclass(slots=True)
class _Reading:
    """One process's report so far."""

    worker: str
    tree: TriedTree
    token: str
    started: bool = False
    done: bool = False
    epoch: float = 0.0
    listed: list[TestId] | None = None
    told: list[Told] = field(default_factory=list)
    begun: dict[TestId, float] = field(default_factory=dict)
    uncollectable: dict[str, Detail] = field(default_factory=dict)
    loaded: dict[RepoPath, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read_lines(output: TrialOutput, tree: TriedTree, token: str) -> Account | None:
    """What all processes of a trial told; None where none of them did.

    `token` is what the trial was given: a report without it belongs to another one.
    """
    readings = [
        _read(found[1], data, tree, token)
        for file, data in sorted(output.files.items())
        if (found := _FILE.fullmatch(file)) is not None
    ]
    if not readings:
        return None
    epoch = min((one.epoch for one in readings if one.epoch), default=0.0)
    running = [test for one in readings for test in one.begun]
    lists = [one.listed for one in readings if one.listed is not None]
    told = [one for reading in readings for one in reading.told]
    shifted = tuple(
        sorted(
            (_counted_from(one, epoch) for one in told),
            key=lambda one: one.started,
        )
    )
    return Account(
        told=shifted,
        listed=tuple(dict.fromkeys(test for some in lists for test in some))
        if lists
        else None,
        complete=all(one.done for one in readings),
        running=running[-1] if running else None,
        uncollectable={k: v for one in readings for k, v in one.uncollectable.items()},
        loaded=tuple(
            LoadedFile(path=path, sha256=digest)
            for one in readings
            for path, digest in sorted(one.loaded.items())
        ),
        notices=tuple(dict.fromkeys(each for one in readings for each in one.notices)),
        faults=tuple(each for one in readings for each in one.faults),
        epoch=epoch,
    )


def _counted_from(one: Told, epoch: float) -> Told:
    return Told(
        test=one.test,
        outcome=one.outcome,
        phase=one.phase,
        detail=one.detail,
        reason=one.reason,
        seconds=one.seconds,
        started=max(0.0, one.started - epoch) if one.started else 0.0,
        worker=one.worker,
    )


def _read(worker: str, data: bytes, tree: TriedTree, token: str) -> _Reading:
    reading = _Reading(worker, tree, token)
    if len(data) > _LIMIT:
        reading.faults.append(f"report-{worker}.jsonl is larger than any report is")
        return reading
    try:
        for event in _events(data):
            _TAKE[name(event, "event")](reading, event)
    except (Malformed, KeyError) as wrong:
        reading.faults.append(f"the report can't be read: {wrong}")
    if not reading.started and not reading.faults:
        reading.faults.append(f"report-{worker}.jsonl has no beginning")
    return reading


def _events(data: bytes) -> Iterator[Event]:
    lines = data.split(b"\n")
    # A process that died while it wrote leaves half a line, and nothing after it.
    for line in lines[:-1]:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            raise Malformed("a line is no JSON") from None
        if not isinstance(event, dict):
            raise Malformed("a line is no object")
        yield event


def _start(reading: _Reading, event: Event) -> None:
    if reading.started:
        raise Malformed("it begins twice")
    if name(event, "token") != reading.token:
        reading.faults.append(f"report-{reading.worker}.jsonl is another trial's")
    reading.started = True
    reading.epoch = number(event, "epoch")


def _listed(reading: _Reading, event: Event) -> None:
    if reading.listed is None:
        reading.listed = []
    reading.listed.extend(TestId(each) for each in names(event, "ids"))


def _uncollectable(reading: _Reading, event: Event) -> None:
    reading.uncollectable[name(event, "name")] = _detail(reading, event)


def _loaded(reading: _Reading, event: Event) -> None:
    reading.loaded[RepoPath(name(event, "path"))] = text(event, "sha256", 64)


def _begin(reading: _Reading, event: Event) -> None:
    # A tool may run several suites in one process, and end each of them.
    reading.done = False
    reading.begun[TestId(name(event))] = number(event, "at")


def _end(reading: _Reading, event: Event) -> None:
    test = TestId(name(event))
    begun = reading.begun.pop(test, None)
    outcome = _OUTCOMES.get(name(event, "outcome"))
    if outcome is None:
        raise Malformed("an outcome is none")
    phase = _PHASES.get(text(event, "phase", 20) or "call")
    if phase is None:
        raise Malformed("a phase is none")
    reading.told.append(
        Told(
            test=test,
            outcome=outcome,
            phase=phase,
            detail=_detail(reading, event),
            reason=text(event, "reason", 2_000),
            seconds=duration(event, "seconds"),
            started=begun or reading.epoch,
            worker=reading.worker,
        )
    )


def _notice(reading: _Reading, event: Event) -> None:
    reading.notices.append(text(event, "text", 1_000))


def _fault(reading: _Reading, event: Event) -> None:
    reading.faults.append(text(event, "text", 1_000) or "the reporter gave up")


def _done(reading: _Reading, _: Event) -> None:
    reading.done = True


def _detail(reading: _Reading, event: Event) -> Detail:
    return Detail(
        type=text(event, "type", 500),
        message=text(event, "message"),
        expected=optional_text(event, "expected"),
        actual=optional_text(event, "actual"),
        text=text(event, "text"),
        frames=frames(event.get("frames", []), reading.tree),
    )


def frames(value: Any, tree: TriedTree) -> tuple[Frame, ...]:
    """Frames of [path, name, line], outermost first, with what stands there."""
    if not isinstance(value, list):
        raise Malformed("frames is no list")
    return tuple(_frame(each, tree) for each in value[-FRAME_LIMIT:])


def _frame(value: Any, tree: TriedTree) -> Frame:
    parts = (str, str, int)
    if not isinstance(value, list) or len(value) != len(parts):
        raise Malformed("a frame is no list of three")
    if not all(map(isinstance, value, parts)):
        raise Malformed("a frame has the wrong parts")
    path, qualified, line = value
    return frame_of(path, qualified, line, tree)


def frame_of(path: str, qualified: str, line: int, tree: TriedTree) -> Frame:
    """A frame with the digest of what stands there; ours where the tree has it."""
    known = RepoPath(path)
    ours = known in tree
    return Frame(
        path=path[:4096],
        name=qualified[:1024],
        digest=digest_of(tree.text(known), line, qualified) if ours else "",
        line=line,
        ours=ours,
    )


_TAKE: Final[Mapping[str, Callable[[_Reading, Event], None]]] = {
    "start": _start,
    "listed": _listed,
    "uncollectable": _uncollectable,
    "loaded": _loaded,
    "begin": _begin,
    "end": _end,
    "notice": _notice,
    "fault": _fault,
    "done": _done,
}
