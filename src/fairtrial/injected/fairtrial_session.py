"""Which of unittest's tests this process runs, in which order, and who acts on them.

Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import atexit
import copy
import os
import sys
import unittest

from fairtrial_aside import Aside
from fairtrial_frames import shown
from fairtrial_guard import UNITTEST, Guard, tracers
from fairtrial_guard import sources as sources_of
from fairtrial_modules import (
    AGAIN,
    ERROR,
    FAILED,
    FILE,
    NAME,
    SKIPPED,
    file_of_name,
    flat,
    named,
    noted,
)
from fairtrial_reach import Reached
from fairtrial_waits import Waits
from fairtrial_witness import Witness


class Session:
    """All that one process does for a plan."""

    def __init__(self, plan, make_cases):
        self.plan, self.mode = plan, plan["mode"]
        self.witness = witness = Witness(plan, "main")
        witness.name = str
        aside = Aside(witness.channel)
        witness.reached = Reached(witness, aside)
        witness.reached.watch()
        witness.waits = Waits(witness, aside)
        #: True while tests run: what they load and run themselves is theirs.
        self.inside = False
        self.program = False
        self.collected = []
        self.taken = set()
        self.result = None
        self.files = {each.partition("::")[0] for each in plan["tests"]}
        #: Files of the workspace that the command's own names and folders lead to.
        self.reached_files = set()
        self.begun = False
        self.cases = make_cases(self)
        self.guard = Guard(UNITTEST)
        witness.watch()
        atexit.register(witness.channel.write, "exit", code=None)

    def inside_of(self, path):
        """A path from the workspace; None outside of it."""
        return self.witness.frames.inside(path)

    def wants(self, path):
        """Whether a file may be loaded: of a listed selection only its own may."""
        return self.mode != "listed" or self.inside_of(path) in self.files

    @property
    def has_none(self):
        """Whether this start has none of the planned tests."""
        return self.mode == "listed" and not self.covered()

    def is_mine(self, result):
        """Whether a result is the one of the outermost run."""
        return result is self.result

    def take(self, suite, result, run):
        """Runs what the plan says in place of a suite."""
        chosen = self.chosen(suite)
        self.steer(result, suite)
        self.result, self.inside = result, True
        # Nothing stops early.
        result.failfast = False
        self.cases.listen(result)
        try:
            return run(chosen)
        finally:
            self.cases.end()
            self.inside = False
            self.finish()

    def chosen(self, suite):
        """The suite that runs; what was chosen before stays."""
        if noted(suite, NAME) is not None:
            return suite
        tests = flat(suite)
        real = [each for each in tests if type(each).__name__ not in (FAILED, SKIPPED)]
        pairs = named(self, real, self.taken)
        self.tell_broken(tests)
        self.collected += [name for name, _ in pairs]
        self.tell_collected()
        self.cases.remember(pairs)
        wanted = self.plan["tests"] if self.mode == "listed" else self.plan["order"]
        if self.mode == "list":
            return self.marked(unittest.TestSuite())
        if self.mode == "whole" and not wanted:
            return self.marked(suite)
        known = dict(pairs)
        rows = [self.row(known, each) for each in wanted]
        first = [test for test in rows if test is not None]
        rest = []
        if self.mode == "whole" and not self.plan["only"]:
            mine = set(wanted)
            rest = [test for name, test in pairs if name not in mine]
        broken = [each for each in tests if type(each).__name__ in (FAILED, SKIPPED)]
        kept = [each for each in broken if self.mode == "whole" or self.asked(each)]
        return self.marked(unittest.TestSuite([*kept, *first, *rest]))

    def marked(self, suite):
        try:
            setattr(suite, NAME, "")
        except (AttributeError, TypeError):
            pass
        return suite

    def row(self, known, name):
        """The test of a name; its second run in this process is a copy of it."""
        if not name.endswith(AGAIN):
            return known.get(name)
        test = known.get(name[: -len(AGAIN)])
        if test is None:
            return None
        second = copy.copy(test)
        vars(second)[NAME] = name
        return second

    def asked(self, broken):
        return self.broken_file(broken) in self.files

    def broken_file(self, test):
        """The file that a stand-in stands for; of none in the workspace, its name."""
        name = str(getattr(test, "_testMethodName", ""))
        found = noted(test, FILE)
        if found is None or found.endswith("__init__.py"):
            found = file_of_name(self, unittest.defaultTestLoader, name) or found
        return found or name.replace(".", "/") + ".py"

    def tell_broken(self, tests):
        """What could not be loaded, or skipped itself; of what was asked for only."""
        for each in tests:
            kind = type(each).__name__
            if kind not in (FAILED, SKIPPED):
                continue
            path = self.broken_file(each)
            if self.mode == "listed" and path not in self.files:
                continue
            self.reached_files.add(path)
            if kind == SKIPPED:
                why = shown(str, skip_reason(each), 1000)
                self.witness.channel.write("file_skipped", id=path, reason=why)
                continue
            error = getattr(each, "_exception", None)
            found = noted(each, ERROR)
            found = dict(found or self.witness.exception(error))
            found["text"] = shown(str, error)
            self.witness.channel.write("uncollectable", id=path, **found)

    def covered(self):
        """Of the files that were asked for, those that this command leads to."""
        workspace = self.witness.frames.workspace
        here = {each.partition("::")[0] for each in self.collected}
        return sorted(
            each
            for each in self.files
            if each in self.reached_files
            or each in here
            or not os.path.isfile(os.path.join(workspace, each))
        )

    def tell_collected(self):
        self.witness.channel.write(
            "session",
            python="%d.%d.%d" % sys.version_info[:3],
            rootdir=self.witness.rootdir,
            covered=self.covered(),
            junit=False,
        )
        self.witness.channel.write("collected", ids=self.collected)
        self.witness.tell_loaded([])
        self.look(everything=True)

    def finish(self):
        self.witness.running = None
        self.look(everything=True)
        self.witness.tell_loaded([])
        self.witness.channel.write("finish", stopped="")

    def look(self, everything=False):
        """Tell what acts on the runner now that did not at the last look."""
        replaced = self.guard.replaced(everything=everything)
        for each in tracers():
            if any(self.inside_of(path) for path in sources_of(each)):
                replaced.append(("sys.settrace", each))
        if replaced:
            self.witness.tell_replaced(replaced)

    def steer(self, result, suite):
        """Classes of the project's own that make, carry or count outcomes."""
        kinds = [type(result), type(suite)]
        kinds += [type(each) for each in flat(suite)]
        for kind in dict.fromkeys(kinds):
            for each in kind.__mro__:
                own = vars(each)
                if kind not in kinds[:2] and not {"run", "__call__"} & set(own):
                    continue
                module = sys.modules.get(each.__module__)
                path = getattr(module, "__file__", None)
                inside = self.inside_of(path) if isinstance(path, str) else None
                if inside and inside not in self.witness.steering:
                    self.witness.steering.add(inside)
                    self.witness.channel.write("steering", path=inside)

    def broken(self, error):
        """What the whole run needs could not be made: no test of it can begin."""
        for name, test in list(self.cases.planned):
            self.cases.begin(name)
            found = self.witness.exception(error)
            self.cases.phase("setup", "failed", **found)
        self.cases.end()
        self.finish()


def skip_reason(test):
    """Why a file skipped itself, as unittest keeps it in its stand-in."""
    method = getattr(type(test), getattr(test, "_testMethodName", ""), None)
    return getattr(method, "__unittest_skip_why__", "it skips itself")
