"""What came of each unittest test, as the result of the outermost run hears it.

A test lasts until the next one begins, so that what its class and its module tear down
is told of the last test before it. Runs on Python 3.7 and newer, with the standard
library only.
"""

from __future__ import annotations

import traceback

from fairtrial_frames import shown
from fairtrial_modules import FAILED, NAME, SKIPPED, code_of, noted
from fairtrial_witness import REAL

HOLDER = "_ErrorHolder"
#: In a traceback, what of unittest's own functions stands for a phase.
PHASES = {
    "_callSetUp": "setup",
    "setUp": "setup",
    "asyncSetUp": "setup",
    "_pre_setup": "setup",
    "_callTestMethod": "call",
    "_callTearDown": "teardown",
    "tearDown": "teardown",
    "asyncTearDown": "teardown",
    "_post_teardown": "teardown",
    "doCleanups": "teardown",
    "_callCleanup": "teardown",
}
HEARD = (
    "startTest",
    "stopTest",
    "addError",
    "addFailure",
    "addSkip",
    "addExpectedFailure",
    "addUnexpectedSuccess",
    "addSubTest",
)


class Cases:
    """Tells each test's beginning, phases and end."""

    def __init__(self, session):
        self.session, self.witness = session, session.witness
        #: The test that comes, while what lies between two tests runs.
        self.next = None
        self.running = None
        self.begun = 0.0
        self.said = set()
        #: What a class or module said instead of setting its tests up.
        self.fixture = ("failed", {})
        self.planned = []
        self.bodies = {}

    def remember(self, pairs):
        """The tests there are, with what each of them calls."""
        wanted = set(self.session.plan["tests"])
        listed = self.session.mode == "listed"
        self.planned += [each for each in pairs if not listed or each[0] in wanted]
        self.bodies.update((name, code_of(test)) for name, test in pairs)

    def listen(self, result):
        """Hears everything that a result is told, before the result does."""
        for name in HEARD:
            method = getattr(result, name, None)
            if method is not None:
                setattr(result, name, heard(getattr(self, name), method))

    def begin(self, name):
        """A test begins; the one before it is over now."""
        self.end()
        self.running, self.said = name, set()
        self.begun = REAL["now"]()
        self.witness.begin_test(name)

    def begin_next(self):
        """The test that comes begins, if it is one that counts."""
        test, self.next = self.next, None
        name = None if test is None else noted(test, NAME)
        if name and name != self.running:
            self.begin(name)

    def end(self):
        """The running test is over, with all that comes after it."""
        if self.running is None:
            return
        for when in ("setup", "call", "teardown"):
            if when not in self.said:
                self.phase(when, "passed")
        self.witness.end_test()
        self.running = None

    def phase(self, when, outcome, **details):
        self.said.add(when)
        seconds = max(0.0, REAL["now"]() - self.begun) if when == "call" else 0.0
        self.witness.channel.write(
            "phase",
            id=self.running,
            when=when,
            outcome=outcome,
            seconds=round(seconds, 6),
            **details,
        )

    def kept_out(self, test):
        """A class or module did not set up: none of its tests runs."""
        outcome, details = self.fixture
        if self.running is not None and self.running == noted(test, NAME):
            self.phase("setup", outcome, **details)

    def startTest(self, test):  # noqa: N802 - as unittest calls it
        name = noted(test, NAME)
        if name and name != self.running:
            self.begin(name)
        if self.running is not None:
            self.phase("setup", "passed")
            self.witness.phase = "call"

    def stopTest(self, test):  # noqa: N802 - as unittest calls it
        name = noted(test, NAME)
        if not name or name != self.running:
            return
        self.phase("call", "passed")
        self.witness.phase = "teardown"
        self.session.look()
        now = code_of(test)
        if now is not self.bodies.get(name, now):
            method = getattr(type(test), test._testMethodName, None)
            self.witness.look_at(Swapped(method), None)

    def addError(self, test, err):  # noqa: N802 - as unittest calls it
        self.failed(test, err)

    def addFailure(self, test, err):  # noqa: N802 - as unittest calls it
        self.failed(test, err)

    def addSubTest(self, test, subtest, err):  # noqa: N802 - as unittest calls it
        if err is not None:
            self.failed(test, err, row=subtest)

    def addSkip(self, test, reason):  # noqa: N802 - as unittest calls it
        kind = type(test).__name__
        if kind == HOLDER:
            self.fixture = ("skipped", {"reason": shown(str, reason, 1000)})
        elif noted(test, NAME) == self.running and self.running is not None:
            self.phase("call", "skipped", reason=shown(str, reason, 1000))
        elif self.running is not None and hasattr(test, "test_case"):
            # A subtest that skips itself skips no more than itself.
            why = shown(str, reason, 1000)
            self.phase("call", "skipped", reason=why, subtest=True)

    def addExpectedFailure(self, test, err):  # noqa: N802 - as unittest calls it
        if self.is_running(test):
            said = "%s: %s" % (type(err[1]).__name__, shown(str, err[1], 500))
            self.phase("call", "skipped", wasxfail="it is expected to fail: " + said)

    def addUnexpectedSuccess(self, test):  # noqa: N802 - as unittest calls it
        if self.is_running(test):
            text = "Unexpected success"
            self.phase("call", "failed", xpass_strict=True, text=text)

    def is_running(self, test):
        return self.running is not None and noted(test, NAME) == self.running

    def failed(self, test, err, row=None):
        kind = type(test).__name__
        if kind in (FAILED, SKIPPED):
            return
        details = self.details(err)
        if kind == HOLDER:
            between = str(getattr(test, "description", ""))
            if between.startswith("setUp"):
                self.fixture = ("failed", details)
            elif self.running is not None:
                self.phase("teardown", "failed", **details)
            return
        if not self.is_running(test):
            return
        if row is not None:
            details["text"] = "%s\n%s" % (shown(str, row, 500), details["text"])
        self.phase(phase_of(err), "failed", **details)

    def details(self, err):
        kind, error, trace = err
        if not isinstance(error, BaseException):  # Python's own workers hand on text
            return {"type": getattr(kind, "__name__", "Error"), "text": str(error)}
        found = self.witness.exception(error)
        found["text"] = shown(lambda _: told(kind, error, trace), None)
        return found


class Swapped:
    """A test's method that is another than the one that was collected."""

    def __init__(self, method):
        self.method = method

    def swapped(self, _):
        return [("test method", self.method)]


def heard(mine, method):
    """Tells us first and then the result itself."""

    def tell(*args, **kwargs):
        mine(*args, **kwargs)
        return method(*args, **kwargs)

    return tell


def told(kind, error, trace):
    return "".join(traceback.format_exception(kind, error, trace))


def phase_of(err):
    """Which part of a test raised something, by the functions it came through."""
    trace = err[2] if len(err) > 2 else None
    while trace is not None:
        found = PHASES.get(trace.tb_frame.f_code.co_name)
        if found is not None:
            return found
        trace = trace.tb_next
    return "call"
