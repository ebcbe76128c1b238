"""Which earlier tests make a test fail, asked of forks of one run of them all.

The tests up to the last subject run once, in order; on the way paused copies of the
process are kept. Then copies are asked "does it pass now?", halved to the first block
behind which the answer turns, and that block is run again, from the copy before it,
with copies inside. A test that alone does not turn the answer is kept, and the
question becomes "run it, then the subject". Runs on Python 3.7 and newer, with the
standard library and pytest only.
"""

from __future__ import annotations

import copy
import faulthandler
import gc
import math
import os

import pytest
from fairtrial_search_files import Files
from fairtrial_search_forks import REAL, Asked, Wires, pause
from fairtrial_search_hostile import hostile, room
from fairtrial_search_sets import Sets

#: Copies on the way through one list of tests, at most.
COPIES = 32
#: As many at least in a block that is run again.
FEW = 8
#: Seconds for cleaners at least; else this part of what the tests took.
CLEANING, CLEANING_PART = 0.1, 0.05
PASSED, FAILED, NEITHER = "passed", "failed", "neither"


class Search:
    """A plugin that is registered in a forked trial, and only there.

    `silence` takes the reporting plugin out of a copy, which reports to nobody.
    """

    def __init__(self, witness, silence):
        self.witness = witness
        self.silence = silence
        self.wires = Wires()
        self.limit = witness.plan["test_timeout"]
        self.files = Files(self)
        self.items = []
        #: Paused copies in the order of their positions; the first is before any test.
        self.copies = []
        #: Seconds that the last copy took to make, and when it was there.
        self.copying, self.copied = 0.0, 0.0
        #: What came of each test that was waited for, by its place.
        self.reports = None
        self.asked = 0
        #: Called in a copy's child each time that a test has ended.
        self.beat = None
        #: The last test of a question is torn down with all that stands around it.
        self.whole = False

    # ---- around pytest

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection(self, session):
        self.files.pause_here(session)
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        if self.reports is not None:
            self.reports.append(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.items = list(session.items)
        self.session = session
        if self.files.asked is not None:
            self.files.answer()
        names = [self.witness.name(item.nodeid) for item in self.items]
        wanted = self.witness.plan["subjects"]
        subjects = sorted(names.index(each) for each in wanted if each in names)
        if subjects:
            self._search(subjects, names)
        self.end()
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        if self.files.asked is not None:
            REAL["exit"](1)  # the files that were asked for did not even load

    def end(self):
        for each in self.copies:
            each.end()
        self.files.end()

    # ---- the whole of it

    def _search(self, subjects, names):
        begun = REAL["now"]()
        placed, cause = self._pass(subjects)
        passed = REAL["now"]()
        # What a forked search costs is bounded by what the tests themselves cost.
        least = max(30.0, 2.0 * len(subjects))
        self.until = passed + max(least, 2 * (passed - begun))
        for subject in subjects:
            before = REAL["now"]()
            sets = Sets(self, subject, placed.get(subject), cause)
            sets.find(max(CLEANING, CLEANING_PART * (passed - begun)))
            self.witness.channel.write(
                "searched",
                id=names[subject],
                sets=[[names[each] for each in one] for one in sets.found],
                load_time=sets.load_time,
                cleaners=[names[each] for each in sets.cleaners],
                hostile=sets.hostile[:300],
                asked=self.asked,
                seconds=round(passed - begun + REAL["now"]() - before, 6),
            )
            self.asked = 0

    def _pass(self, subjects):
        """Every test up to the last subject, once; what came of the subjects.

        Where something comes up that no fork bears, it ends there, and says what.
        """
        last, placed = subjects[-1], {}
        begun = REAL["now"]()
        places = spread(0, last, min(COPIES, room()))
        for place in range(last + 1):
            if place in places:
                cause = self.why_not()
                if cause:
                    return placed, cause
                if self._pays(begun, place / (last + 1)):
                    self.pause(place)
            self.reports = [] if place in subjects else None
            self.run(place)
            if self.reports is not None:
                placed[place] = outcome(self.reports)
                if placed[place] == FAILED and only_in_teardown(self.reports):
                    self.whole = True
            self.reports = None
            if self.session.shouldfail or self.session.shouldstop:
                return placed, "the tests were told to stop"
        return placed, self.why_not()

    def _pays(self, begun, part):
        """Whether one more copy costs less than it spares.

        Of the tests between two copies half are run again, so the best distance is the
        root of the whole time and of what a copy costs: what it takes to make, and
        about as much again for the memory that is shared no more.
        """
        if not self.copies:
            return True
        now = REAL["now"]()
        whole = (now - begun) / part
        return now - self.copied >= math.sqrt(2 * self.copying * whole)

    def why_not(self):
        return hostile(self.witness.channel.fd)

    def run(self, place):
        """One test in its place of the list, as pytest would."""
        follow = self.items[place + 1] if place + 1 < len(self.items) else None
        item = self.items[place]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=follow)
        if self.beat is not None:
            self.beat()

    # ---- copies

    def pause(self, place):
        """Keep a copy; the children that it makes stay in here."""
        if self.copies and room() < 1:
            return
        if not self.copies and hasattr(gc, "freeze"):
            # A collection would write to every object, and so share none with copies.
            gc.freeze()
        begun = REAL["now"]()
        made = pause(self.wires, place, self.limit)
        if isinstance(made, Asked):
            self._answer(made, place)
        elif made is not None:
            self.copies.append(made)
            self.copied = REAL["now"]()
            self.copying = self.copied - begun

    def question(self, at, tests, subject):
        """What the subject does when a copy runs these tests first, and then it."""
        self.asked += 1
        found = at.ask({"do": "ask", "tests": tests, "subject": subject})
        if self.beat is not None:
            self.beat()
        return found if found in (PASSED, FAILED) else NEITHER

    def _answer(self, asked, place):
        """The life of a copy's child; it never returns."""
        try:
            self.be_nobody()
            self.beat = asked.beat
            # The others' ends were closed here, and their numbers are used anew.
            self.copies, self.files.copy = [], None
            message = asked.message
            if message["do"] == "ask":
                found = self._run_listed(message["tests"], message["subject"])
            elif message["do"] == "inside":
                found = self._look_inside(place, message)
            else:
                found = self._clean(message)
            asked.answer(found)
        finally:
            REAL["exit"](1)

    def be_nobody(self):
        """From here on nothing of this process is told, shown or kept."""
        self.silence()
        gc.disable()
        faulthandler.disable()
        config = self.session.config
        for plugin in config.pluginmanager.get_plugins():
            if type(plugin).__name__ == "LogXML":
                config.pluginmanager.unregister(plugin)
        reporter = config.pluginmanager.getplugin("terminalreporter")
        writer = getattr(reporter, "_tw", None)
        if writer is not None:
            writer._file = open(os.devnull, "w")

    def _run_listed(self, tests, subject):
        self.undress(self.items[(tests or [subject])[0]])
        listed = [*tests, subject]
        for place, follow in zip(listed, [*listed[1:], None]):
            item = self.items[place]
            # What a failure looks like is of no interest, and costs more than a test.
            item._repr_failure_py = short_of_words
            self.reports = []
            # What stands around the last test stays: others' copies use it.
            after = copy.copy(item) if follow is None else self.items[follow]
            if follow is None and self.whole:
                after = None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self.beat()
        return outcome(self.reports)

    def undress(self, item):
        """Tear down what the test that comes now has no use for."""
        try:
            self.session._setupstate.teardown_exact(item)
        except Exception:
            pass  # an error of an earlier test's tear-down, as pytest would tell it

    def _look_inside(self, place, message):
        """Run a block again, with copies inside, and say where the answer turns."""
        until = message["until"]
        inside = spread(place, until, min(COPIES, max(FEW, (until - place) // FEW)))
        for each in range(place, until):
            if each in inside:
                self.pause(each)
            self.run(each)
        self.pause(until)
        found = None
        # Without a copy in between it would be the same block again, and again.
        if until - place == 1 or len(self.copies) > 2:
            sets = Sets(self, message["subject"], None, "")
            found = sets.turn(message["kept"], until, message["first"])
        self.end()
        return found

    def _clean(self, message):
        """Which tests, run behind a set, make the subject pass again."""
        self.undress(self.items[message["set"][0]])
        subject = message["subject"]
        listed = [*message["set"], subject]
        for place, follow in zip(listed, listed[1:]):
            item = self.items[place]
            item.config.hook.pytest_runtest_protocol(
                item=item, nextitem=self.items[follow]
            )
            self.beat()
        self.pause(-1)
        found = Sets(self, subject, None, "").cleaning(
            message["candidates"], REAL["now"]() + message["seconds"]
        )
        self.end()
        return found


def short_of_words(excinfo, style=None):
    return "failed"


def spread(first, last, count):
    """So many places from `first` on and before `last`, evenly; `first` always."""
    count = max(1, min(count, last - first))
    return {first + (last - first) * each // count for each in range(count)}


def outcome(reports):
    """What the reports of one test amount to, as the gate reads them."""
    failed = [each for each in reports if each.outcome == "failed" and not lucky(each)]
    if failed:
        return FAILED
    ran = [each for each in reports if each.when == "call"]
    if any(each.outcome == "passed" or lucky(each) for each in ran):
        return PASSED
    return NEITHER


def only_in_teardown(reports):
    return all(each.when == "teardown" or each.outcome != "failed" for each in reports)


def lucky(report):
    """A test that was to fail, strictly, and passed."""
    text = str(report.longrepr)
    return report.outcome == "failed" and text.startswith(
        ("[XPASS(strict)]", "Unexpected success")
    )
