"""Which lines of which files each test runs in its set-up and call, where a plan asks.

From Python 3.12 on it is a tool of its own beside the project's; before that it stands
in for the project's tracer while a test runs, and gives that one its place back. Runs
on Python 3.7 and newer, with the standard library and pytest only.
"""

from __future__ import annotations

import sys
import threading

import pytest

#: More lines than this in one process, counted for each test, are not told.
LIMIT = 1000000
#: Numbers that neither debuggers nor profilers nor coverage tools have by convention.
FREE_TOOLS = (4, 3)


class Coverage:
    """A plugin that is registered where the plan names files, and only there."""

    def __init__(self, witness):
        self.witness = witness
        self.wanted = frozenset(witness.plan["lines"])
        #: The wanted files by the names that code has for them; None: not wanted.
        self.files = {}
        self.told = 0
        #: What the running test ran so far; None where that can't be known.
        self.seen = None
        monitoring = getattr(sys, "monitoring", None)
        self.eye = Tracer(self) if monitoring is None else Monitor(self, monitoring)

    def path_of(self, file):
        """The wanted file that some code comes from; None where it is not wanted."""
        if file not in self.files:
            inside = None if file[:1] == "<" else self.witness.frames.inside(file)
            self.files[file] = inside if inside in self.wanted else None
        return self.files[file]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        self.seen = set()
        for step in self.around():
            yield step

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item):
        for step in self.around():
            yield step
        if self.seen is not None:
            self.tell(self.witness.name(item.nodeid), self.seen)

    def around(self):
        # Both ends are in one frame, so that a tracer that was set aside sees as many
        # returns as calls.
        opened = self.eye.open()
        yield
        whole, seen = self.eye.close() if opened else (False, None)
        self.seen = self.seen | seen if whole and self.seen is not None else None

    def tell(self, test, seen):
        by_path = {}
        for file, line in seen:
            by_path.setdefault(self.path_of(file), []).append(line)
        self.told += len(seen)
        if self.told > LIMIT:
            return
        if not by_path:
            self.witness.channel.write("lines", id=test, path="", runs=[])
        for path, lines in sorted(by_path.items()):
            self.witness.channel.write("lines", id=test, path=path, runs=runs_of(lines))


def runs_of(lines):
    """First and last of each run of neighbours, in one flat list."""
    runs = []
    for line in sorted(set(lines)):
        if runs and runs[-1] == line - 1:
            runs[-1] = line
        else:
            runs += [line, line]
    return runs


class Monitor:
    """Sees lines as a tool of `sys.monitoring`; other tools keep their events."""

    def __init__(self, coverage, monitoring):
        self.coverage, self.monitoring = coverage, monitoring
        self.seen = None
        self.tool = None

    def open(self):
        if self.tool is None and not self.begin():
            return False
        self.seen = set()
        return True

    def begin(self):
        monitoring = self.monitoring
        free = [each for each in FREE_TOOLS if monitoring.get_tool(each) is None]
        if not free:
            return False
        self.tool = free[0]
        monitoring.use_tool_id(self.tool, "fairtrial")
        events = monitoring.events
        for event, callback in (
            (events.PY_START, self.on_start),
            (events.LINE, self.on_line),
        ):
            monitoring.register_callback(self.tool, event, callback)
        monitoring.set_events(self.tool, events.PY_START)
        return True

    def close(self):
        seen, self.seen = self.seen, None
        # A test may have cleared the table of tools, or taken this place in it.
        return self.monitoring.get_tool(self.tool) == "fairtrial", seen

    def on_start(self, code, offset):
        if self.coverage.path_of(code.co_filename) is not None:
            line = self.monitoring.events.LINE
            self.monitoring.set_local_events(self.tool, code, line)
        return self.monitoring.DISABLE

    def on_line(self, code, line):
        seen = self.seen
        if seen is not None:
            seen.add((code.co_filename, line))


class Tracer:
    """Sees lines as the trace function, in the place of the project's own."""

    def __init__(self, coverage):
        self.coverage = coverage
        self.seen = None
        # One object for each, since a method is a new one each time it is asked for.
        self.trace, self.trace_line = self.on_call, self.on_line

    def open(self):
        self.before = sys.gettrace(), threading._trace_hook
        self.seen = set()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        return True

    def close(self):
        # A test that traces for itself hid its lines.
        whole = sys.gettrace() is self.trace
        own, of_threads = self.before
        seen, self.seen = self.seen, None
        if threading._trace_hook is self.trace:
            threading.settrace(of_threads)
        if whole:
            sys.settrace(own)
        return whole, seen

    def on_call(self, frame, event, argument):
        if self.coverage.path_of(frame.f_code.co_filename) is not None:
            return self.trace_line
        return None

    def on_line(self, frame, event, argument):
        seen = self.seen
        if event == "line" and seen is not None:
            seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace_line
