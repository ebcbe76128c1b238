"""Whether something replaced what decides over tests: pytest's, unittest's, our own.

What is remembered is how these functions were before any code of the project ran. It
sees a replaced function, a function with another's code, and a hook that came later.
Code that knows of this can undo it; nothing inside one process can rule that out. Runs
on Python 3.7 and newer, with the standard library and pytest only.
"""

from __future__ import annotations

import builtins
import sys
from operator import attrgetter, is_

#: Modules whose functions make, carry or write outcomes, and classes of theirs whose
#: methods do. What is not there in some version is left out.
WATCHED = {
    "_pytest.runner": ("CallInfo", "SetupState"),
    "_pytest.reports": ("BaseReport", "TestReport", "CollectReport"),
    "_pytest.main": ("Session",),
    "_pytest.nodes": ("Node", "Item"),
    "_pytest.python": ("Function", "Class", "Module", "PyobjMixin"),
    "_pytest.unittest": ("UnitTestCase", "TestCaseFunction"),
    "_pytest.outcomes": ("Failed", "Exit", "Skipped"),
    "_pytest.skipping": (),
    "_pytest.junitxml": ("LogXML", "_NodeReporter"),
    "_pytest.assertion": (),
    "_pytest.assertion.rewrite": ("AssertionRewritingHook", "AssertionRewriter"),
    "_pytest.config": (),
    "_pytest._code.code": ("ExceptionInfo",),
    "pluggy._callers": (),
    "pluggy._result": ("_Result", "Result"),
    "pluggy._hooks": ("HookImpl", "HookCaller", "_HookCaller"),
    "pluggy._manager": ("PluginManager",),
    "unittest.case": ("TestCase", "_Outcome", "_AssertRaisesContext"),
    "fairtrial_pytest": (),
    "fairtrial_guard": ("Guard",),
    "fairtrial_again": (),
    "fairtrial_frames": ("Frames",),
    "fairtrial_selection": (),
    "fairtrial_witness": ("Channel", "Watchdog", "Witness"),
}
#: The same where unittest itself runs the tests.
UNITTEST = {
    "unittest.case": ("TestCase", "_Outcome", "_AssertRaisesContext"),
    "unittest.loader": ("TestLoader",),
    "unittest.main": ("TestProgram",),
    "unittest.result": ("TestResult",),
    "unittest.runner": ("TextTestRunner", "TextTestResult"),
    "unittest.suite": ("BaseTestSuite", "TestSuite"),
    "django.test.runner": ("DiscoverRunner",),
    "django.test.testcases": ("SimpleTestCase", "TransactionTestCase", "TestCase"),
    "fairtrial_unittest": (),
    "fairtrial_django": (),
    "fairtrial_cases": ("Cases",),
    "fairtrial_session": ("Session",),
    "fairtrial_modules": (),
    "fairtrial_guard": ("Guard",),
    "fairtrial_frames": ("Frames",),
    "fairtrial_witness": ("Channel", "Watchdog", "Witness"),
}
#: What a failed assertion raises, and what tells it from others.
BUILTINS = ("AssertionError", "BaseException", "Exception", "isinstance", "issubclass")
#: Hooks through which outcomes come; others are looked at when a plugin registers.
HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
    "pytest_runtest_logreport",
    "pytest_pyfunc_call",
    "pytest_sessionfinish",
)
#: What an item takes from its class, and may be given one by one.
ITEM = ("runtest", "setup", "teardown", "repr_failure", "_traceback_filter")
CODE = attrgetter("__code__")
#: Where one look at the end has to do.
SELDOM = ("_pytest.config", "_pytest.main", "_pytest.assertion", "pluggy._")
#: A class keeps these for itself.
_OWN = ("__dict__", "__weakref__", "__doc__", "__module__", "__slots__")
_ABSENT = object()


class Guard:
    """Remembers now, and says later what is another."""

    def __init__(self, watched=None):
        #: (where it stands, the names there, some of them, what they were).
        self.namespaces = []
        #: (its name, a class, the names in it): one that is added can hide one that
        #: is inherited.
        self.classes = []
        #: Functions, their names, and the code that each had.
        self.functions, self.called, self.codes = [], [], []
        #: What each collected test calls, by the item's number.
        self.bodies = {}
        self.hooks = None
        self.told = set()
        for module, classes in sorted((watched or WATCHED).items()):
            if module in sys.modules:
                self._remember_module(module, vars(sys.modules[module]), classes)
        self._remember("builtins", vars(builtins), BUILTINS)

    def _remember_module(self, module, names, classes):
        found = [each for each in classes if isinstance(names.get(each), type)]
        self._remember(module, names, [*functions_of(names), *found])
        for each in found:
            where, made = "%s.%s" % (module, each), names[each]
            self._remember(where, vars(made), functions_of(vars(made)))
            self.classes.append((where, made, frozenset(vars(made))))

    def _remember(self, where, names, some):
        values = [names[name] for name in some]
        self.namespaces.append((where, names, list(some), values))
        for name, value in zip(some, values):
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            if hasattr(value, "__code__"):
                self.functions.append(value)
                self.called.append("%s.%s" % (where, name))
                self.codes.append(value.__code__)

    def replaced(self, *, everything=False):
        """What is another now: its name, and what stands there; each told once.

        Asked for each test, so nearly all of it is done without a step of Python's,
        and only of what is closest to outcomes; `everything` before and after tests.
        """
        found = []
        for where, names, some, values in self.namespaces:
            if not everything and where.startswith(SELDOM):
                continue
            if not all(map(is_, map(names.get, some), values)):
                for name, value in zip(some, values):
                    if names.get(name) is not value:
                        self._tell("%s.%s" % (where, name), names.get(name), found)
        if everything and not all(map(is_, map(CODE, self.functions), self.codes)):
            for each, name, code in zip(self.functions, self.called, self.codes):
                if each.__code__ is not code:
                    self._tell(name, each, found)
        for where, made, known in self.classes:
            if len(vars(made)) != len(known):
                for name in set(vars(made)) - known:
                    if any(name in vars(above) for above in made.__mro__[1:]):
                        self._tell("%s.%s" % (where, name), vars(made)[name], found)
        return found

    def _tell(self, target, now, found):
        if (target, id(now)) not in self.told:
            self.told.add((target, id(now)))
            found.append((target, now))

    def remember_items(self, items):
        """What each test calls, now that they are all there."""
        for item in items:
            self.bodies[id(item)] = body_of(item)

    def swapped(self, item):
        """What one test calls instead of what was collected, and what it does itself.

        Wrappers that a plugin puts around a test's function are such, too.
        """
        found, own = [], vars(item)
        for name in ITEM:
            if name in own:
                self._tell("item.%s" % name, own[name], found)
        now = body_of(item)
        if now is not self.bodies.get(id(item), now):
            self._tell("item.obj", own.get("_obj"), found)
        return found

    def new_hooks(self, relay):
        """Whether hooks through which outcomes come are others than at the last look.

        `relay` is pytest's own namespace of hooks.
        """
        now = []
        for name in HOOKS:
            for each in getattr(relay, name).get_hookimpls():
                now.append(each)
                now.append(each.function)
        before, self.hooks = self.hooks, now
        if before is None or len(before) != len(now):
            return before is not None
        return any(one is not other for one, other in zip(before, now))


def body_of(item):
    """The code that a test's function has; None where it has none of Python's."""
    function = vars(item).get("_obj")
    function = getattr(function, "__func__", function)
    return getattr(function, "__code__", None)


def functions_of(names):
    """The names of what is called, or makes an attribute's value."""
    kinds = (staticmethod, classmethod, property)
    return [
        name
        for name, value in list(names.items())
        if name not in _OWN
        and (
            # By its own type: to ask a lazy object for its class would wake it.
            issubclass(type(value), kinds)
            or (callable(value) and not issubclass(type(value), type))
        )
    ]


def sources(value):
    """The files of the code that a value stands for, as far as they can be told."""
    todo, seen = [value], 0
    while todo and seen < 50:
        one = todo.pop()
        seen += 1
        code = getattr(one, "__code__", None)
        if code is not None and isinstance(getattr(code, "co_filename", None), str):
            yield code.co_filename
            # A closure calls what it was made for, and shows who made it.
        if isinstance(one, property):
            todo += [each for each in (one.fget, one.fset) if each is not None]
        for name in ("__func__", "__wrapped__", "func", "side_effect"):
            inner = getattr(one, name, None)
            if inner is not None and inner is not one:
                todo.append(inner)
        made = one if isinstance(one, type) else type(one)
        path = getattr(sys.modules.get(made.__module__), "__file__", None)
        if isinstance(path, str) and made.__module__ != "builtins":
            yield path


def tracers():
    """What follows each line of this thread, and could lead it elsewhere."""
    return [each for each in (sys.gettrace(), sys.getprofile()) if each is not None]
