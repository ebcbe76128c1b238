"""In which calls tests spent their time, as samples and the fault handler told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Wait
from fairtrial.runners.reports import fields
from fairtrial.runners.reports.aside import told
from fairtrial.runners.reports.events import Process
from fairtrial.runners.reports.fields import Event, Malformed
from fairtrial.runners.reports.reached import stack_of

#: Waits that are kept of one trial, and of one test.
MOST: Final = 2000
_OF_ONE: Final = 4
#: A call into native code that kept every other thread from running, too.
HELD: Final = "native code that held the interpreter's lock"
_TIMEOUT: Final = re.compile(r"Timeout \((\d+):(\d{2}):(\d{2}(?:\.\d+)?)\)!")
_FRAME: Final = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_TEXT_LIMIT: Final = 100_000
_DEEPEST: Final = 12
_MACHINERY: Final = re.compile(
    r"/(?:_pytest|pluggy|unittest|xdist|execnet)/|/fairtrial_\w+\.py|/threading\.py"
)


def waits(
    files: Mapping[str, bytes], processes: Iterable[Process], workspace: str
) -> tuple[Wait, ...]:
    """Each test's waits, the longest state of each; what took most comes first."""
    found: dict[tuple[str, str, str], Wait] = {}
    for event in told(files):
        if event.get("e") == "waited" and len(found) < MOST:
            try:
                one = _wait(event)
            except Malformed:
                continue
            # A wait is told while it lasts, and again when it is over.
            found[one.test, one.call, one.where] = one
    told_of = {test for test, _, _ in found}
    for process in processes:
        last = process.runs[-1] if process.runs else None
        if last is not None and not last.complete and last.test not in told_of:
            trace = files.get(f"fault-{process.stem}.txt", b"")[:_TEXT_LIMIT]
            held = by_fault(last.test, trace.decode("utf-8", "replace"), workspace)
            if held is not None:
                found[held.test, held.call, held.where] = held
    counts: dict[TestId, int] = {}
    kept = []
    for one in found.values():
        counts[one.test] = counts.get(one.test, 0) + 1
        if counts[one.test] <= _OF_ONE:
            kept.append(one)
    return tuple(kept)


def _wait(event: Event) -> Wait:
    return Wait(
        test=TestId(fields.name(event)),
        call=fields.name(event, "call")[:300],
        seconds=fields.number(event, "seconds"),
        where=fields.text(event, "where", 1000),
        stack=stack_of(event),
    )


def by_fault(test: str, text: str, workspace: str) -> Wait | None:
    """The wait that the fault handler's own thread saw when it ended the process.

    It speaks where no other thread could run any more. None: it does not tell.
    """
    begun = _TIMEOUT.match(text)
    if begun is None:
        return None
    hours, minutes, seconds = begun.groups()
    # All threads are shown, each with its most recent call first, the main one last.
    blocks = [block for block in text.split("\n\n") if _FRAME.search(block)]
    frames = _FRAME.findall(blocks[-1] if blocks else "")
    below, where = _place(frames, workspace)
    if not where:
        return None
    call = HELD
    if below:
        path, _, name = below[-1]
        call = f"{name} ({'/'.join(path.split('/')[-2:])}), {HELD}"
    return Wait(
        test=TestId(test),
        call=call[:300],
        seconds=int(hours) * 3600 + int(minutes) * 60 + float(seconds),
        where=where[:1000],
        stack=tuple(
            f"{'/'.join(path.split('/')[-2:])}:{line} {name}"[:500]
            for path, line, name in frames[:_DEEPEST][::-1]
        ),
    )


def _place(
    frames: list[tuple[str, str, str]], workspace: str
) -> tuple[list[tuple[str, str, str]], str]:
    """The library's frames inside the project's innermost one, and that one's line."""
    below: list[tuple[str, str, str]] = []
    for path, line, name in frames:
        if path.startswith(f"{workspace}/") and "-packages/" not in path:
            return below, f"{path[len(workspace) + 1 :]}:{line}"
        if not _MACHINERY.search(path):
            below.append((path, line, name))
    return [], ""
