"""How unittest's loader, suites and program are made to run what a plan says.

Only the outermost run of a process is ours: a test that runs unittest itself sees a
plain one. Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import functools
import os
import sys
from unittest.loader import TestLoader
from unittest.main import TestProgram
from unittest.suite import BaseTestSuite, TestSuite

from fairtrial_cases import Cases
from fairtrial_modules import ERROR, FAILED, file_of_name, flat, note, tag
from fairtrial_session import Session
from fairtrial_witness import read_plan

_sessions = []
_patched = []


def session():
    """The one session of this process, begun where it was not; None: no plan."""
    if not _sessions:
        plan = read_plan()
        if plan is None:
            return None
        _sessions.append(Session(plan, Cases))
    return _sessions[0]


def loading():
    """The session while tests are loaded for it; None inside of a test."""
    one = session()
    return None if one is None or one.inside else one


def patch():
    """Once in each process that loads unittest."""
    if _patched:
        return
    _patched.append(True)
    wrap(TestLoader, "_match_path", match_path)
    wrap(TestLoader, "_get_module_from_name", get_module)
    wrap(TestLoader, "loadTestsFromModule", load_module)
    wrap(TestLoader, "loadTestsFromName", load_name)
    wrap(TestProgram, "__init__", program)
    wrap(BaseTestSuite, "__call__", call)
    wrap(TestSuite, "run", run)
    wrap(TestSuite, "_handleModuleFixture", module_fixture)
    wrap(TestSuite, "_handleModuleTearDown", module_teardown)
    wrap(TestSuite, "_handleClassSetUp", class_setup)
    names = vars(sys.modules["unittest.loader"])
    for name in ("_make_failed_import_test", "_make_failed_load_tests"):
        if name in names:
            names[name] = functools.wraps(names[name])(
                functools.partial(made_for, names[name])
            )
    before = sys.excepthook
    sys.excepthook = functools.partial(died, before)


def wrap(kind, name, around):
    """Puts a function around a method; it gets the method as its first argument."""
    method = vars(kind).get(name)
    if method is None:
        return

    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        return around(method, self, *args, **kwargs)

    setattr(kind, name, wrapper)


def match_path(method, self, path, full_path, pattern):
    one = loading()
    if one is not None and os.path.isfile(full_path) and not one.wants(full_path):
        return False
    return method(self, path, full_path, pattern)


def get_module(method, self, name):
    one = loading()
    path = None if one is None else file_of_name(one, self, name)
    if path is not None:
        one.witness.channel.write("collecting", id=path)
    return method(self, name)


def load_module(method, self, module, *args, **kwargs):
    suite = method(self, module, *args, **kwargs)
    one = loading()
    path = getattr(module, "__file__", None)
    if one is not None and isinstance(path, str):
        tag(suite, one.inside_of(path))
        one.reached_files.add(one.inside_of(path))
    return suite


def load_name(method, self, name, module=None):
    one = loading()
    if one is None or module is not None:
        return method(self, name, module)
    path = file_of_name(one, self, name)
    if path is not None:
        place = os.path.join(one.witness.frames.workspace, path)
        if not path.endswith("__init__.py") and not one.wants(place):
            return self.suiteClass()
        one.witness.channel.write("collecting", id=path)
    suite = method(self, name, module)
    for test in flat(suite):
        if path is not None and type(test).__name__ == FAILED:
            tag([test], path)
    return suite


def made_for(function, *args, **kwargs):
    """A stand-in for what could not be loaded; why not is only known now."""
    made = function(*args, **kwargs)
    one, error = loading(), sys.exc_info()[1]
    if one is not None and error is not None:
        for test in flat(made[0]):
            note(test, ERROR, one.witness.exception(error))
    return made


def program(method, self, *args, **kwargs):
    one = loading()
    if one is None or one.program:
        return method(self, *args, **kwargs)
    one.program = True
    try:
        return method(self, *args, **kwargs)
    except SystemExit as end:
        # A command that starts several times must not end at a start that has none
        # of the planned tests.
        if end.code == 5 and one.has_none:
            end.code = 0
        raise


def call(method, self, *args, **kwargs):
    one = loading()
    if one is None or not args:
        return method(self, *args, **kwargs)
    return one.take(self, args[0], lambda suite: method(suite, *args, **kwargs))


def run(method, self, result, *args, **kwargs):
    one = loading()
    if one is None:
        return method(self, result, *args, **kwargs)
    return one.take(self, result, lambda suite: method(suite, result, *args, **kwargs))


def current():
    """The session whose tests run in this thread now."""
    one = _sessions[0] if _sessions else None
    return one if one is not None and one.inside else None


def module_fixture(method, self, test, result):
    one = current()
    mine = one is not None and one.is_mine(result)
    if mine:
        one.cases.next = test
    method(self, test, result)
    if mine:
        one.cases.begin_next()


def module_teardown(method, self, result):
    one = current()
    method(self, result)
    if one is not None and one.is_mine(result):
        one.cases.begin_next()


def class_setup(method, self, test, result):
    method(self, test, result)
    one = current()
    if one is None or not one.is_mine(result):
        return
    failed = getattr(type(test), "_classSetupFailed", False)
    if failed or getattr(result, "_moduleSetUpFailed", False):
        one.cases.kept_out(test)


def died(before, kind, error, trace):
    """What ends this process before a test could run keeps all of them from it."""
    try:
        one = session()
        if one is not None and not one.collected:
            found = one.witness.exception(error)
            one.witness.channel.write("uncollectable", id="", **found)
    finally:
        before(kind, error, trace)
