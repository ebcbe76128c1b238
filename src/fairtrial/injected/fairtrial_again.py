"""How one test runs a second time in the same process, under an id of its own.

Runs on Python 3.7 and newer, with the standard library and pytest only.
"""

from __future__ import annotations

import pytest

#: No id of a collected test ends so: a hyphen is in no name, parameters end with "]".
AGAIN = "::fairtrial-again"


def first_of(test):
    """The test whose second run an id asks for; None where it asks for a first one."""
    return test[: -len(AGAIN)] if test.endswith(AGAIN) else None


def again(item):
    """The same test as another item: all that the first run left stays, but its own.

    What pytest makes for one run of one item (its request, its instance of a test
    class) is made anew, as it is for every item; fixtures of wider scopes stay.
    """
    second = _copied(item)
    _name(second, item.nodeid + AGAIN)
    if isinstance(item, pytest.Function):
        for name in ("_obj", "_instance"):
            vars(second).pop(name, None)
        second.obj  # noqa: B018 - looked up now, so that what it calls is remembered
    # A doctest's names are cleared when it has run.
    examples = getattr(item, "dtest", None)
    if examples is not None and isinstance(getattr(examples, "globs", None), dict):
        second.dtest = _copied(examples)
        second.dtest.globs = dict(examples.globs)
    make_request = getattr(second, "_initrequest", None)
    if make_request is not None:
        make_request()
    return second


def _copied(one):
    """A shallow copy; the library's own leaves a note on the class that it copies."""
    other = object.__new__(type(one))
    for kind in type(one).__mro__:
        names = vars(kind).get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name != "__dict__" and hasattr(one, name):
                setattr(other, name, getattr(one, name))
    vars(other).update(vars(one))
    return other


def _name(item, nodeid):
    """The id under which an item reports; pytest 9.2 keeps it in parts."""
    parts = getattr(item, "_id", None)
    if parts is None:
        item._nodeid = nodeid
    else:
        item._id = type(parts).parse(nodeid)
