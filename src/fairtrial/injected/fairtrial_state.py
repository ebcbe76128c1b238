"""What each test leaves behind in its process, by looking before and after it.

Where a whole suite runs, looking may take a small part of its time and keeps nothing
of the project's alive: what could not be looked at after each test is looked at after
several, and then nobody is named. Where a few tests are listed, everything is looked
at each time. Python 3.7 and newer, standard library and pytest only.
"""

from __future__ import annotations

import time

import pytest
from fairtrial_state_globals import Globals
from fairtrial_state_parts import CHEAP, SELDOM
from fairtrial_state_shown import ABSENT, apart, shown

#: Costs are counted in this thread's own time: a busy machine makes nothing dearer.
REAL = {"clock": time.thread_time, "wall": time.perf_counter, "sleep": time.sleep}
#: The part of a suite's time that looking may take, and seconds that it may always.
SHARE, GRANTED = 0.015, 0.01
#: A module whose walk takes a suite longer than this many seconds is looked at no more.
LONGEST = 0.25
#: Differences that are told, of one look and in all.
MOST_OF_ONE, MOST = 60, 4000
#: Seconds: more than two steps of the clock that files are stamped with.
STEPS = 0.025
WAY = (("working directory", "os.getcwd()"),)


class State:
    """Looks, compares and tells; one for each process that runs tests."""

    def __init__(self, witness):
        self.witness = witness
        self.full = witness.plan["mode"] != "whole"
        self.begun = None
        self.spent = 0.0
        self.told = 0
        #: What was found at the last look, by (resource, name).
        self.parts, self.seldom, self.globals = {}, {}, None
        #: Tests since the last look at parts, and since that at modules.
        self.since, self.since_walk = [], []
        #: Seconds that a look of each kind takes.
        self.cost, self.walk_cost = 0.0, 0.0
        #: The first look of a process whose state is to be put back.
        self.first = None
        self.blind = set()
        self.undo = None

    def pytest_collection_finish(self, session):
        if self.witness.plan.get("undo") and not self.witness.controls:
            from fairtrial_state_undo import Undo  # it imports this module

            self.undo = Undo(self, session.items)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        # Not where a fork asks, nor where others run the tests.
        if self.witness.controls or self.witness.asking:
            yield
            return
        self.before()
        if self.undo is not None:
            self.undo.before(item)
        outcome = yield
        if outcome.excinfo is None:
            self.after(self.witness.name(item.nodeid))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        if not self.witness.asking:
            self.finish()

    def before(self):
        """The look that all others are compared with, before the first test."""
        if self.begun is not None:
            return
        started, self.begun = REAL["clock"](), self.elapsed()
        self.parts = self.look(CHEAP)
        self.cost = REAL["clock"]() - started
        self.seldom = self.look(SELDOM)
        self.globals = self.walk()
        self.walk_cost = REAL["clock"]() - started - self.cost
        self.first = ({**self.parts, **self.seldom}, self.globals)
        self.spent = 0.0

    def after(self, nodeid):
        """What is another now than it was at the last look."""
        started = REAL["clock"]()
        self.since.append(nodeid)
        self.since_walk.append(nodeid)
        self.compare(started, at_end=False)
        self.spent += REAL["clock"]() - started
        if self.full:
            self.let_time_pass()

    def finish(self):
        """A last look, and why not everything was seen."""
        if self.begun is None:
            return
        self.compare(REAL["clock"](), at_end=True)
        for each in sorted(self.blind):
            self.witness.channel.write("blind", why=each)

    def compare(self, started, at_end):
        allowed = GRANTED + SHARE * (self.elapsed() - self.begun) - self.spent
        if self.since and (self.full or at_end or self.cost < allowed):
            now = self.look(CHEAP)
            if at_end:  # pytest itself has gone back where it came from
                now.update((key, self.parts[key]) for key in self.parts if key in WAY)
            self.tell(self.parts, now, self.since, gone=())
            self.parts, self.since = now, []
            self.cost = REAL["clock"]() - started
            allowed -= self.cost
        if self.globals is None or not self.since_walk:
            return
        # A last look costs a short suite too much, too.
        granted = GRANTED if at_end else 0.0
        if self.full or self.walk_cost < allowed + granted:
            begun = REAL["clock"]()
            self.look_at_modules()
            self.walk_cost = REAL["clock"]() - begun
            if not self.full and self.walk_cost > LONGEST:
                self.blind.add("the modules' globals are too many to be looked at")
                self.globals = None
        elif at_end or len(self.since_walk) == 2:
            self.blind.add(
                "modules' globals were not looked at after each test, since that would "
                "have slowed the suite down"
            )

    def elapsed(self):
        """Seconds of the suite; those it waits through, or waits for a processor,
        count half."""
        return (REAL["clock"]() + REAL["wall"]()) / 2

    def look_at_modules(self):
        seldom = self.look(SELDOM)
        self.tell(self.seldom, seldom, self.since_walk, gone=())
        self.seldom = seldom
        now = self.walk()
        if now is None:
            self.globals = None
            return
        gone = changed_modules(self.globals, now)
        self.tell(self.globals.tokens, now.tokens, self.since_walk, gone=gone)
        self.globals, self.since_walk = now, []

    def look(self, parts):
        found = {}
        for part in parts:
            try:
                for name, token in part.look().items():
                    found[part.resource, name] = token
            except Exception as error:
                why = "%s could not be looked at: %s"
                self.blind.add(why % (part.resource, type(error).__name__))
        return found

    def walk(self):
        try:
            found = Globals(self.witness.frames.inside, keep=self.full).walk()
        except Exception as error:
            name = type(error).__name__
            self.blind.add("modules' globals could not be looked at: %s" % name)
            return None
        if found.left <= 0:
            # What was not reached would look as if it were gone.
            self.blind.add("the modules' globals are too many to be looked at")
            return None
        return found

    def tell(self, before, now, tests, gone):
        """Each difference; `gone`: modules that came, went, or are others."""
        by = tests[0] if len(tests) == 1 else None
        told = 0
        for resource, name, was, is_now in differences(before, now, gone):
            self.told += 1
            told += 1
            if told > MOST_OF_ONE or self.told > MOST:
                self.blind.add("more was left behind than is told")
                return
            was, is_now = apart(was, is_now)
            self.witness.channel.write(
                "left",
                id=by,
                resource=resource,
                name=name[:500],
                was=shown(resource, name, was),
                now=shown(resource, name, is_now),
            )

    def let_time_pass(self):
        """Files are stamped with a clock that steps: the next test has another time."""
        REAL["sleep"](STEPS)


def differences(before, now, gone):
    """(resource, name, what it was, what it is) of all that is not the same."""
    if before == now:
        return
    for key, token in now.items():
        was = before.get(key, ABSENT)
        if was is token or was == token:
            continue
        resource, name = key if type(key) is tuple else ("module", key)
        if was is ABSENT and comes_with(name, token, gone):
            continue
        yield resource, name, was, token
    for key, was in before.items():
        if key in now:
            continue
        resource, name = key if type(key) is tuple else ("module", key)
        # A thread that ended is left no more.
        if resource != "thread left behind" and not belongs(name, gone):
            yield resource, name, was, ABSENT


def comes_with(name, token, gone):
    """Whether something new is only a module that was imported, or is inside one."""
    if name.startswith("sys.modules["):
        return token[2] == "module" and name[13:-2] in gone
    return belongs(name, gone)


def belongs(name, modules):
    """Whether a dotted name is inside one of the modules."""
    if not modules:
        return False
    end = name.find(".")
    while end >= 0:
        if name[:end] in modules:
            return True
        end = name.find(".", end + 1)
    return False


def changed_modules(before, now):
    """Names of modules that are new, gone, or others; what they hold is no news."""
    if before is None or now is None:
        return frozenset()
    return frozenset(
        name
        for name in {**before.modules, **now.modules}
        if before.tokens.get("sys.modules[%r]" % name)
        != now.tokens.get("sys.modules[%r]" % name)
    )
