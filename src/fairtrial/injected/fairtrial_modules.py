"""Which file each unittest test was loaded from, and what it is called.

A test's id is its file, two colons, and what unittest itself calls it. Runs on Python
3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import os
import sys

#: unittest's stand-ins for what could not be loaded, and for what skipped itself.
FAILED, SKIPPED = "_FailedTest", "ModuleSkipped"
#: Where a test keeps its file and its id, and a stand-in what it stands in for.
FILE, NAME, ERROR = "_fairtrial_file", "_fairtrial_id", "_fairtrial_error"
#: As the plug-in for pytest has it.
AGAIN = "::fairtrial-again"


def flat(suite):
    """All tests of a suite, in its order; what is no suite is a test."""
    found, todo = [], [suite]
    while todo:
        one = todo.pop()
        try:
            inner = list(one)
        except TypeError:
            if one is not None:
                found.append(one)
            continue
        todo.extend(reversed(inner))
    return found


def tag(suite, path):
    """Notes the file that tests were loaded from; the first note stays."""
    if path is None:
        return
    for test in flat(suite):
        note(test, FILE, path)


def note(test, name, value):
    try:
        if name not in vars(test):
            object.__setattr__(test, name, value)
    except (TypeError, AttributeError):
        pass


def noted(test, name):
    try:
        return vars(test).get(name)
    except TypeError:
        return None


def file_of_name(session, loader, name):
    """The file in the workspace that a dotted name leads to first; None: to none."""
    parts = name.split(".")
    tops = [getattr(loader, "_top_level_dir", None), os.getcwd(), *sys.path]
    for count in range(len(parts), 0, -1):
        for top in tops:
            if not isinstance(top, str):
                continue
            place = os.path.join(top or os.getcwd(), *parts[:count])
            for path in (place + ".py", os.path.join(place, "__init__.py")):
                inside = session.inside_of(path) if os.path.isfile(path) else None
                if inside is not None:
                    return inside
    return None


def file_of(session, test):
    """The file of a test, from the workspace; of a class elsewhere its module's name.

    What was loaded by a module's own load_tests, or inherited there, is that module's.
    """
    path = noted(test, FILE)
    if path is not None:
        return path
    module = sys.modules.get(type(test).__module__)
    path = getattr(module, "__file__", None)
    inside = session.inside_of(path) if isinstance(path, str) else None
    if inside is None:
        return type(test).__module__.replace(".", "/") + ".py"
    return inside


def named(session, tests, taken):
    """(id, test) of each test, under an id that no other test here has."""
    found = []
    for test in tests:
        name = noted(test, NAME)
        if name is None:
            try:
                own = str(test.id())
            except Exception:
                own = "%s.%s" % (type(test).__module__, type(test).__qualname__)
            plain = name = "%s::%s" % (file_of(session, test), own)
            number = 2
            while name in taken:
                name = "%s[%d]" % (plain, number)
                number += 1
            note(test, NAME, name)
        taken.add(name)
        found.append((name, test))
    return found


def code_of(test):
    """The code of a test's method; None where it has none of Python's."""
    name = getattr(test, "_testMethodName", None)
    method = getattr(type(test), name, None) if isinstance(name, str) else None
    return getattr(getattr(method, "__func__", method), "__code__", None)
