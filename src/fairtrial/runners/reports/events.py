"""What one process of pytest reported, event by event."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from fairtrial.runners.reports import fields
from fairtrial.runners.reports.fields import Event, Frame, Malformed
from fairtrial.runners.reports.searched import Search, read_search

#: More than this from one process is no report; 100,000 tests take about 60 MB.
REPORT_LIMIT: Final = 512 * 1024 * 1024
#: Events that are kept of what tests leave behind.
TOLD_LIMIT: Final = 6000
_FILE: Final = re.compile(r"events-([A-Za-z0-9_.]{1,40})-(\d{1,10})\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What is known of one thing that went wrong."""

    type: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    expected: str | None = None
    actual: str | None = None
    text: str = ""
    stderr: str = ""
    #: Stands in for the innermost frame where a process died without a trace.
    untraced: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReport:
    """One report of one test: its set-up, call or tear-down, or a subtest's."""

    when: str
    outcome: str
    seconds: float
    detail: Detail
    #: Why it was skipped, or why it was expected to fail.
    reason: str = ""
    subtest: bool = False
    unexpected_pass: bool = False


@dataclass(slots=True, kw_only=True)
class TestRun:
    """One start of one test in one process."""

    test: str
    started: float
    worker: str
    phases: list[PhaseReport] = field(default_factory=list)
    #: All its phases were reported and the process went on.
    complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The last words of a process, or of a session that was told to stop."""

    test: str | None
    phase: str
    cause: str
    code: int | None
    detail: Detail


@dataclass(slots=True, kw_only=True)
class Process:
    """Everything that one process reported; filled line by line, then only read."""

    stem: str
    worker: str
    token: str = ""
    mode: str = ""
    #: What its steady clock has to be put forward by to tell the time of day.
    offset: float | None = None
    rootdir: str = ""
    covered: tuple[str, ...] = ()
    #: It was to write a JUnit report, too.
    junit: bool = False
    collecting: str | None = None
    #: None: it never finished collecting, or it hands tests to workers.
    collected: tuple[str, ...] | None = None
    runs: list[TestRun] = field(default_factory=list)
    uncollectable: dict[str, Detail] = field(default_factory=dict)
    skipped_files: dict[str, str] = field(default_factory=dict)
    loaded: dict[str, str] = field(default_factory=dict)
    installed: dict[str, str] = field(default_factory=dict)
    #: Repository files that hold an implementation of a pytest hook.
    steering: set[str] = field(default_factory=set)
    threshold: tuple[float, float] | None = None
    #: For each measured test and file, the executed lines: (first, last) of each run.
    lines: dict[str, dict[str, list[tuple[int, int]]]] = field(default_factory=dict)
    #: What a forked trial found, one for each of its subjects.
    searches: list[Search] = field(default_factory=list)
    #: What its tests left behind and what came of undoing it, as it was told.
    told: list[Event] = field(default_factory=list)
    ending: Ending | None = None
    internal_error: str | None = None
    stopped: str = ""
    #: Tests that took a worker with them, as the controlling process saw it.
    lost_workers: list[str] = field(default_factory=list)
    #: The session came to its own end.
    finished: bool = False
    exit_code: int | None = None
    #: What in it can't have been written by the plugin.
    malformed: str = ""


def read_process(name: str, data: bytes) -> Process | None:
    """What one file of the outputs reports; None: it is no report of a process."""
    matched = _FILE.fullmatch(name)
    if matched is None:
        return None
    worker, pid = matched.groups()
    process = Process(stem=f"{worker}-{pid}", worker=worker)
    if len(data) > REPORT_LIMIT:
        process.malformed = f"{name} is larger than {REPORT_LIMIT} bytes"
        return process
    lines = data.split(b"\n")
    # A process that is killed while it writes leaves half a line, and only at the end.
    lines.pop()
    for number, line in enumerate(lines, 1):
        try:
            _take(process, line)
        except (ValueError, RecursionError) as error:
            process.malformed = f"line {number} of {name}: {error}"
            break
    return process


def _take(process: Process, line: bytes) -> None:
    event = json.loads(line)
    if not isinstance(event, dict):
        raise Malformed("an event is no mapping")
    kind = fields.name(event, "e")
    handler = _HANDLERS.get(kind)
    if handler is None:
        raise Malformed(f"no event is called {kind[:40]!r}")
    handler(process, event)


#: Most phases of most tests; one for all of them.
_NOTHING_WRONG: Final = Detail()


def detail(event: Event) -> Detail:
    """What an event says of something that went wrong."""
    if "type" not in event and "text" not in event and "frames" not in event:
        return _NOTHING_WRONG
    return Detail(
        type=fields.text(event, "type", 500),
        message=fields.text(event, "message"),
        frames=fields.frames(event),
        expected=fields.optional_text(event, "expected"),
        actual=fields.optional_text(event, "actual"),
        text=fields.text(event, "text"),
        stderr=fields.text(event, "stderr"),
    )


def _begin(process: Process, event: Event) -> None:
    process.token = fields.text(event, "token", 200)
    process.mode = fields.text(event, "mode", 200)
    if "wall" in event:
        process.offset = fields.number(event, "wall") - fields.number(event, "t")


def _session(process: Process, event: Event) -> None:
    process.rootdir = fields.text(event, "rootdir")
    process.covered = fields.names(event, "covered")
    process.junit = fields.flag(event, "junit")


def _collecting(process: Process, event: Event) -> None:
    process.collecting = fields.name(event)


def _collected(process: Process, event: Event) -> None:
    process.collected = fields.names(event, "ids")


def _uncollectable(process: Process, event: Event) -> None:
    process.uncollectable.setdefault(fields.name(event), detail(event))


def _file_skipped(process: Process, event: Event) -> None:
    process.skipped_files[fields.name(event)] = fields.text(event, "reason")


def _start(process: Process, event: Event) -> None:
    # A test that turns the clock back changes no order.
    before = process.runs[-1].started if process.runs else 0.0
    process.runs.append(
        TestRun(
            test=fields.name(event),
            started=max(before, fields.number(event, "t")),
            worker=process.worker,
        )
    )


def _current(process: Process, event: Event) -> TestRun:
    if not process.runs or process.runs[-1].test != fields.name(event):
        raise Malformed("a report of a test that is not running")
    run = process.runs[-1]
    if run.complete:
        raise Malformed("a report of a test that has ended")
    return run


def phase_report(event: Event) -> PhaseReport:
    """One phase of a test; raises Malformed."""
    when, outcome = fields.name(event, "when"), fields.name(event, "outcome")
    if when not in {"setup", "call", "teardown"}:
        raise Malformed("a phase that no test has")
    if outcome not in {"passed", "failed", "skipped"}:
        raise Malformed("an outcome that no phase has")
    return PhaseReport(
        when=when,
        outcome=outcome,
        seconds=fields.duration(event, "seconds"),
        detail=detail(event),
        reason=fields.text(event, "wasxfail") or fields.text(event, "reason"),
        subtest=fields.flag(event, "subtest"),
        unexpected_pass=fields.flag(event, "xpass_strict"),
    )


def _phase(process: Process, event: Event) -> None:
    _current(process, event).phases.append(phase_report(event))


def _stop(process: Process, event: Event) -> None:
    _current(process, event).complete = True


def _loaded(process: Process, event: Event) -> None:
    process.loaded[fields.name(event, "path")] = fields.text(event, "sha256", 64)


def _installed(process: Process, event: Event) -> None:
    process.installed[fields.name(event, "path")] = fields.name(event, "at")


def _steering(process: Process, event: Event) -> None:
    process.steering.add(fields.name(event, "path"))


def _threshold(process: Process, event: Event) -> None:
    process.threshold = fields.number(event, "required"), fields.number(event, "total")


def _lines(process: Process, event: Event) -> None:
    test, path = fields.name(event), fields.name(event, "path")
    files = process.lines.setdefault(test, {})
    files.setdefault(path, []).extend(fields.runs(event))


def _searched(process: Process, event: Event) -> None:
    process.searches.append(read_search(event))


def _told(process: Process, event: Event) -> None:
    if len(process.told) < TOLD_LIMIT:
        process.told.append(event)


def _ending(process: Process, event: Event) -> None:
    code = event.get("code")
    process.ending = Ending(
        test=fields.optional_text(event, "id"),
        phase=fields.text(event, "phase", 20),
        cause=fields.text(event, "cause", 40) or "interrupt",
        code=code if isinstance(code, int) else None,
        detail=detail(event),
    )


def _internal_error(process: Process, event: Event) -> None:
    process.internal_error = fields.text(event, "text")


def _worker_crash(process: Process, event: Event) -> None:
    process.lost_workers.append(fields.name(event))


def _finish(process: Process, event: Event) -> None:
    process.stopped = fields.text(event, "stopped")
    process.finished = True


def _exit(process: Process, event: Event) -> None:
    code = event.get("code")
    process.exit_code = code if isinstance(code, int) else None


_HANDLERS: Final[dict[str, Callable[[Process, Event], None]]] = {
    "begin": _begin,
    "session": _session,
    "collecting": _collecting,
    "collected": _collected,
    "uncollectable": _uncollectable,
    "file_skipped": _file_skipped,
    "start": _start,
    "phase": _phase,
    "stop": _stop,
    "loaded": _loaded,
    "installed": _installed,
    "steering": _steering,
    "threshold": _threshold,
    "lines": _lines,
    "searched": _searched,
    "left": _told,
    "undone": _told,
    "blind": _told,
    "ending": _ending,
    "interrupt": _ending,
    "internal_error": _internal_error,
    "worker_crash": _worker_crash,
    "finish": _finish,
    "exit": _exit,
}
