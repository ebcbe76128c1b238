"""Which fixtures a test shares with the tests before it, and how it gets them anew.

Nothing is torn down: what a fixture holds may be everybody's, and this is for forks.
Python 3.7 and newer, standard library and pytest only.
"""

from __future__ import annotations

#: How pytest calls the set-up of a class or a module.
SET_UPS = {
    "_unittest_setUpClass": "setUpClass",
    "_unittest_setUpModule": "setUpModule",
    "_xunit_setup_class": "setup_class",
    "_xunit_setup_module": "setup_module",
    "setup_class_fixture": "setup_class",
    "setup_module_fixture": "setup_module",
}


def shared(item, inside):
    """By a name to show: each fixture of the project that is set up already.

    `inside` tells the path in the workspace of a file.
    """
    found = {}
    for each in definitions(item):
        if getattr(each, "cached_result", None) is None or each.scope == "function":
            continue
        name = each.argname
        plain = [SET_UPS[start] for start in SET_UPS if start in name]
        code = getattr(each.func, "__code__", None)
        if plain or (code is not None and inside(code.co_filename)):
            label = plain[0] if plain else "fixture " + name
            found["%s (%s)" % (label, each.scope)] = each
    return found


def definitions(item):
    info = getattr(item, "_fixtureinfo", None)
    for each in getattr(info, "name2fixturedefs", {}).values():
        yield from each


def made_of(fixture, item):
    """The fixtures that are set up already and would be others if this one were."""
    names, found = {fixture.argname}, []
    more = [fixture]
    while more:
        more = [
            each
            for each in definitions(item)
            if getattr(each, "cached_result", None) is not None
            and each is not fixture
            and each not in found
            and names.intersection(each.argnames)
        ]
        found += more
        names.update(each.argname for each in more)
    return found


def set_up_anew(fixture, item):
    """The fixture, and whatever was made of it, is made again when it is asked for."""
    for each in [fixture, *made_of(fixture, item)]:
        each.cached_result = None
        # A fixture that is made has nothing to tear down, pytest 9 demands.
        each._finalizers.clear()
