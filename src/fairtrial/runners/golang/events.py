"""What `go test -json` told of each package, event by event.

A test binary prints its own events behind a mark that only it writes (Go 1.20); what
tests print becomes output events. Nothing is told of a test by what it prints.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from fairtrial.runners.reports.fields import Event, Malformed, duration, name, text

_STREAM: Final = re.compile(r"go-(\d{1,6})\.jsonl")
_LIMIT: Final = 512 * 1024 * 1024
#: Characters that are kept of what one test, or one package, printed.
_OUTPUT: Final = 200_000
#: Lines that are kept of a compiler, and of a package outside of its tests.
_LINES: Final = 20_000
_ENDS: Final = frozenset({"pass", "fail", "skip"})
#: Lines of `go` itself on packages that did not build, before Go 1.24.
_PLAIN: Final = re.compile(r"FAIL\t(\S+) \[(?:build|setup) failed\]")


@dataclass(slots=True)
class Node:
    """One test or subtest, as it ran once."""

    name: str
    begun: float
    #: How often a test of this name had run before in the package.
    occurrence: int = 0
    action: str = ""
    seconds: float = 0.0
    paused: bool = False
    printed: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def output(self) -> str:
        """What it printed, as far as it was kept."""
        return "".join(self.printed)


@dataclass(slots=True)
class PackageRun:
    """One process of one package's tests."""

    name: str
    nodes: list[Node] = field(default_factory=list)
    #: How the process ended; "" while it ran.
    action: str = ""
    #: It never ran: which package did not build, in the words of `go`.
    unbuilt: str | None = None
    #: What the package printed outside of tests.
    printed: list[str] = field(default_factory=list)
    #: Everything in the order in which it was printed, its end kept.
    tail: deque[str] = field(default_factory=deque)
    kept: int = 0
    #: How often a test function of each name has begun.
    tops: dict[str, int] = field(default_factory=dict)
    open: dict[str, Node] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the test binary said its own last word."""
        return any(line.endswith(("PASS\n", "FAIL\n")) for line in self.printed)

    @property
    def output(self) -> str:
        """The end of all that was printed."""
        return "".join(self.tail)


@dataclass(slots=True)
class Stream:
    """What one `go test` told."""

    number: int
    runs: dict[str, PackageRun] = field(default_factory=dict)
    #: What compilers said, by the name that `go` gives to what it builds.
    built: dict[str, list[str]] = field(default_factory=dict)
    epoch: float = 0.0
    fault: str = ""

    def run(self, package: str) -> PackageRun:
        """The run of one package."""
        return self.runs.setdefault(package, PackageRun(name=package))


def read_streams(files: Mapping[str, bytes]) -> list[Stream]:
    """Every `go test` of a trial, in the order in which they ran."""
    found = [
        (int(match[1]), data)
        for file, data in files.items()
        if (match := _STREAM.fullmatch(file)) is not None
    ]
    return [_read(number, data) for number, data in sorted(found)]


def _read(number: int, data: bytes) -> Stream:
    stream = Stream(number)
    if len(data) > _LIMIT:
        stream.fault = "the report is larger than any report is"
        return stream
    try:
        for event in _events(data, stream):
            _take(stream, event)
    except Malformed as wrong:
        stream.fault = f"the report can't be read: {wrong}"
    return stream


def _events(data: bytes, stream: Stream) -> Iterator[Event]:
    # A tool that was killed while it wrote leaves half a line, and nothing after it.
    for line in data.split(b"\n")[:-1]:
        if not line.startswith(b"{"):
            plain = _PLAIN.fullmatch(line.decode("utf-8", "replace").strip())
            if plain is not None:
                run = stream.run(plain[1])
                run.action, run.unbuilt = "fail", plain[1]
                continue
            if not line.strip():
                continue
            raise Malformed("a line is no event")
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            raise Malformed("a line is no JSON") from None
        if not isinstance(event, dict):
            raise Malformed("a line is no object")
        yield event


def _take(stream: Stream, event: Event) -> None:
    action = name(event, "Action")
    if action.startswith("build-"):
        if action == "build-output":
            said = stream.built.setdefault(name(event, "ImportPath"), [])
            _keep(said, text(event, "Output"))
        return
    at = _seconds(text(event, "Time", 100))
    stream.epoch = stream.epoch or at
    run = stream.run(name(event, "Package"))
    test = text(event, "Test", 16_000)
    if test:
        _of_test(run, test, action, event, at)
    elif action == "output":
        printed = text(event, "Output")
        if len(run.printed) > _LINES:
            del run.printed[: _LINES // 2]
        run.printed.append(printed)
        _keep_end(run, printed)
        if _PLAIN.match(printed) and run.unbuilt is None:
            run.unbuilt = run.name
    elif action in _ENDS:
        run.action = action
        failed = text(event, "FailedBuild")
        if failed:
            run.unbuilt = failed


def _of_test(run: PackageRun, test: str, action: str, event: Event, at: float) -> None:
    if action == "run":
        if test in run.open:
            raise Malformed(f"{test} begins twice")
        run.open[test] = Node(test, at, _occurrence(run, test))
        run.nodes.append(run.open[test])
        return
    found = run.open.get(test)
    if action == "output":
        said = text(event, "Output")
        _keep_end(run, said)
        if found is not None and found.size < _OUTPUT:
            found.size += len(said) + 1
            found.printed.append(said)
        return
    if found is None:
        if action in _ENDS:
            raise Malformed(f"{test} ends without a beginning")
        return
    if action in {"pause", "cont"}:
        found.paused = action == "pause"
    elif action in _ENDS:
        found.action = action
        found.seconds = duration(event, "Elapsed")
        del run.open[test]


def _occurrence(run: PackageRun, test: str) -> int:
    """How many tests of this function's name had begun before this one's did."""
    top, slash, _ = test.partition("/")
    before = run.tops.get(top, 0)
    if slash:
        return max(0, before - 1)
    run.tops[top] = before + 1
    return before


def _keep(kept: list[str], said: str) -> None:
    if len(kept) < _LINES:
        kept.append(said)


def _keep_end(run: PackageRun, said: str) -> None:
    run.tail.append(said)
    run.kept += len(said)
    while run.kept > _OUTPUT and len(run.tail) > 1:
        run.kept -= len(run.tail.popleft())


def _seconds(stamp: str) -> float:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError):
        return 0.0
