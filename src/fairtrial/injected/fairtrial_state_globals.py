"""What modules, their classes and their objects hold: as plain values, and back.

A walk reads dictionaries and calls nothing of the project's: no attribute is asked
for, nothing is compared by its own rules. Values of Python's plain types are taken
whole, everything else as what it is and where it lies. Python 3.7 and newer, standard
library only.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from contextvars import ContextVar
from threading import local
from types import FunctionType, ModuleType

from fairtrial_state_shown import ABSENT

LISTS = frozenset({list, tuple, deque})
MAPS = frozenset({dict, OrderedDict, defaultdict, Counter})
SETS = frozenset({set, frozenset})
CACHE = type(functools.lru_cache()(lambda: None))
#: A container with more entries, or deeper, is told by its length alone.
LARGEST, DEEPEST = 5000, 6
#: Values of one walk; of a whole suite, whose time it takes.
MOST, MOST_OF_SUITE = 200000, 20000
#: Objects below objects below a module.
FAR = 4
#: What no test leaves behind, or leaves for pytest and for us.
FOREIGN = frozenset(
    {
        "_pytest", "pytest", "pluggy", "xdist", "execnet", "pytest_cov", "coverage",
        "importlib", "_frozen_importlib", "linecache", "tokenize", "traceback", "re",
        "encodings", "weakref", "gc", "__main__",
    }
)  # fmt: skip
#: What setting the time zone sets.
CLOCK = ("time.timezone", "time.altzone", "time.daylight")
HIDDEN = ("__", "@", "_xunit", "pytestmark", "_pytest")


class Saved:
    """A container of a plain type and what was in it."""

    __slots__ = ("inside", "value")

    def __init__(self, value, inside):
        self.value, self.inside = value, inside


class Globals:
    """One walk: a value by each name, and what it takes to put each one back.

    `inside` tells the path in the workspace of a module's file; with `keep`, what was
    found is kept alive, so that it can be put back, and other people's modules are
    walked, too.
    """

    resource = "module"

    def __init__(self, inside, keep):
        self.inside, self.keep = inside, keep
        #: By name: its value, comparable; and whose it is, and what stood there.
        self.tokens, self.kept = {}, {}
        #: Modules by their names in `sys.modules`.
        self.modules = {}
        self.left = MOST if keep else MOST_OF_SUITE
        self.todo, self.seen = deque(), set()
        self.own = set()

    def walk(self):
        found = [each for each in list(sys.modules.items()) if type(each[0]) is str]
        for name, module in found:
            if is_a(module, ModuleType) and self.is_own(module):
                self.own.add(name)
        for name, module in found:
            self.modules[name] = module
            # Where it came from does not matter; that it is another one does.
            kind = kind_of(module)
            self.tokens["sys.modules[%r]" % name] = ("@", id(module), kind)
            if is_a(module, ModuleType) and not is_foreign(name):
                if name in self.own:
                    self.todo.append((name, "module", module, 0))
                elif self.keep:
                    self.foreign(name, dictionary(module), module, "module")
        while self.todo and self.left > 0:
            path, kind, owner, depth = self.todo.popleft()
            self.namespace(path, kind, owner, depth)
        return self

    def is_own(self, module):
        path = dictionary(module).get("__file__")
        return type(path) is str and bool(self.inside(path))

    def foreign(self, path, names, owner, kind):
        """What stands in a library: another function or class is one that was put in
        its place, another plain value one that was set."""
        for name, value in list(names.items()):
            if type(name) is not str or name.startswith("_"):
                continue
            plain = type(value) in (int, str, bool, float, type(None))
            if not plain and not callable(value) and type(value) not in DESCRIPTORS:
                continue
            full = "%s.%s" % (path, name)
            if full in CLOCK:
                continue
            self.tokens[full] = (
                value if plain else ("@", id(value), type(value).__name__)
            )
            self.kept[full] = (owner, kind, name, value)
            if is_a(value, type) and kind == "module":
                names = type.__getattribute__(value, "__dict__")
                if names.get("__module__") == path:
                    self.foreign(full, names, value, "class")

    def namespace(self, path, kind, owner, depth):
        """Everything in one dictionary; what has another below it waits its turn."""
        for name, value in list(names_of(owner, kind).items()):
            if type(name) is not str or name.startswith(HIDDEN):
                continue
            full = "%s.%s" % (path, name)
            found = []
            self.tokens[full] = self.token(value, 0, found)
            if self.keep:
                self.kept[full] = (owner, kind, name, save(value, 0))
            found.append(value)
            for number, each in enumerate(found):
                inner = full if each is value else "%s[%d]" % (full, number)
                self.below(inner, each, depth)

    def below(self, path, value, depth):
        if depth >= FAR or id(value) in self.seen or is_a(value, ModuleType):
            return
        kind = type(value)
        if is_a(value, type):
            home = type.__getattribute__(value, "__dict__").get("__module__")
            if type(home) is not str or home not in self.own:
                return
            sort = "class"
        elif kind is FunctionType:
            if not self.keep or value.__module__ not in self.own:
                return
            sort = "function"
        elif kind is local or self.is_walked(kind, depth):
            if attributes_of(value) is None:
                return
            sort = "object"
        else:
            return
        self.seen.add(id(value))
        self.todo.append((path, sort, value, depth + 1))

    def is_walked(self, kind, depth):
        """Objects of the project; where they can be put back, of libraries, too."""
        home = type.__getattribute__(kind, "__module__")
        if type(home) is not str:
            return False
        if home in self.own:
            return True
        standard = home.partition(".")[0] in STANDARD or is_foreign(home)
        return self.keep and depth <= 1 and not standard

    def token(self, value, depth, found):
        kind = type(value)
        if kind is str or kind is bytes:
            whole = len(value) <= 200
            return value if whole else (kind.__name__, len(value), hash(value))
        if kind is int or value is None:
            return value
        if kind is bool or kind is float:
            return (kind.__name__, repr(value))
        self.left -= 1
        if depth < DEEPEST and self.left > 0:
            if kind in MAPS:
                if len(value) > LARGEST:
                    return (kind.__name__, len(value))
                out = [kind.__name__]
                for key, each in list(value.items()):
                    out.append(self.token(key, depth + 1, found))
                    out.append(self.token(each, depth + 1, found))
                return tuple(out)
            if kind in LISTS or kind in SETS:
                if len(value) > LARGEST:
                    return (kind.__name__, len(value))
                out = [self.token(each, depth + 1, found) for each in list(value)]
                return (
                    kind.__name__, frozenset(out) if kind in SETS else tuple(out)
                )  # fmt: skip
            if kind is bytearray:
                return ("bytearray", bytes(value[:LARGEST]), len(value))
            if kind is CACHE:
                info = value.cache_info()
                return ("cached results", info.currsize, info.misses)
            if kind is ContextVar:
                return ("value", self.token(value.get(None), depth + 1, found))
        if depth:
            found.append(value)
        return ("@", id(value), type.__getattribute__(kind, "__name__"))


#: What functions look like in a class.
DESCRIPTORS = frozenset({staticmethod, classmethod, property})
STANDARD = frozenset(
    getattr(sys, "stdlib_module_names", ())
    or {
        "abc", "asyncio", "builtins", "collections", "concurrent", "contextlib",
        "ctypes", "datetime", "decimal", "enum", "fractions", "functools", "http",
        "inspect", "io", "json", "logging", "os", "pathlib", "queue", "random", "re",
        "socket", "sqlite3", "ssl", "string", "subprocess", "threading", "types",
        "typing", "unittest", "urllib", "uuid", "weakref", "xml", "zipfile",
        "_thread", "_io", "_random", "_asyncio", "_ctypes", "_decimal", "_weakref",
    }
)  # fmt: skip


def is_a(value, kind):
    """What `isinstance` says, without asking the value for what it claims to be."""
    return kind in type.__getattribute__(type(value), "__mro__")


def kind_of(module):
    """What stands in `sys.modules`; what was never imported is no module."""
    if not is_a(module, ModuleType):
        return type.__getattribute__(type(module), "__name__")
    made = dictionary(module).get("__spec__") is None
    return "a module that nobody imported" if made else "module"


def is_foreign(name):
    return name.partition(".")[0] in FOREIGN or name.startswith("fairtrial_")


def dictionary(module):
    """A module's own, without waking one that loads itself when it is asked."""
    return object.__getattribute__(module, "__dict__")


def names_of(owner, kind):
    if kind == "object":
        return attributes_of(owner) or {}
    if kind == "function":
        return function_values(owner)
    if kind == "class":
        return type.__getattribute__(owner, "__dict__")
    return dictionary(owner)


def function_values(function):
    """What all calls share: default values, what a decorator keeps, attributes."""
    found = dict(vars(function))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found["(closure %s)" % name] = cell.cell_contents
        except ValueError:
            continue  # it was never set
    for number, each in enumerate(function.__defaults__ or ()):
        found["(default %d)" % number] = each
    found.update(function.__kwdefaults__ or {})
    return found


def attributes_of(value):
    """An object's own dictionary, by the way that no class can stand in."""
    if type(value) is local:
        return vars(value)
    for kind in type(value).__mro__:
        descriptor = type.__getattribute__(kind, "__dict__").get("__dict__")
        if descriptor is not None:
            if type(descriptor).__name__ != "getset_descriptor":
                return None
            found = descriptor.__get__(value)
            return found if type(found) is dict else None
    return None


def save(value, depth):
    kind = type(value)
    if depth < DEEPEST and (kind in MAPS or kind in LISTS or kind in SETS):
        if len(value) <= LARGEST:
            if kind in MAPS:
                pairs = list(value.items())
                return Saved(value, [(key, save(one, depth + 1)) for key, one in pairs])
            return Saved(value, [save(each, depth + 1) for each in list(value)])
    if kind is bytearray:
        return Saved(value, bytes(value))
    if kind is ContextVar:
        return Saved(value, value.get(ABSENT))
    return Saved(value, None) if kind is CACHE else value


def restored(saved):
    """The same object as it was, with what was in it."""
    if type(saved) is not Saved:
        return saved
    value, kind = saved.value, type(saved.value)
    if kind in MAPS:
        inside = [(key, restored(each)) for key, each in saved.inside]
        value.clear()
        for key, each in inside:
            kind.__setitem__(value, key, each)
    elif kind is CACHE:
        value.cache_clear()
    elif kind is ContextVar:
        if saved.inside is not ABSENT:
            value.set(saved.inside)
    elif kind is bytearray:
        value[:] = saved.inside
    else:
        inside = [restored(each) for each in saved.inside]
        if kind is list:
            value[:] = inside
        elif kind is deque or kind is set:
            value.clear()
            value.extend(inside) if kind is deque else value.update(inside)
    return value


def put(place, gone):
    """Set a name to what stood there; `gone`: to nothing."""
    owner, kind, name, saved = place
    if kind == "function":
        value = None if gone else restored(saved)
        if name.startswith("(closure "):
            cells = dict(zip(owner.__code__.co_freevars, owner.__closure__))
            if not gone:
                cells[name[9:-1]].cell_contents = value
            return
        if name.startswith("(default ") or name in (owner.__kwdefaults__ or {}):
            return
        kind = "object"
        names = vars(owner)
    else:
        names = names_of(owner, kind)
    if kind == "class":
        if gone:
            type.__delattr__(owner, name)
        else:
            type.__setattr__(owner, name, restored(saved))
    elif gone:
        names.pop(name, None)
    else:
        names[name] = restored(saved)
