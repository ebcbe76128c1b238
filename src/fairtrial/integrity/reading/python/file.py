"""Which tests and which support a Python test file holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, FileDemands, Support, WrittenTest
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.python import classes
from fairtrial.integrity.reading.python.classes import Class, Contents, Held
from fairtrial.integrity.reading.python.functions import (
    Around,
    definition,
    module_scope,
    read_function,
)
from fairtrial.integrity.reading.python.literals import known
from fairtrial.integrity.reading.python.markers import ALWAYS, demand_at, listed
from fairtrial.integrity.reading.python.module import module_support, values_support
from fairtrial.integrity.reading.python.names import FileNames, Scope, dotted, imported
from fairtrial.integrity.reading.python.support import (
    class_support,
    function_support,
    is_automatic,
    is_fixture,
    shown_name,
)
from fairtrial.integrity.reading.python.text import text_of
from fairtrial.integrity.reading.python.tree import Node, statements

TEST: Final = "test"
#: What an import statement of the module may stand in.
OUTSIDE: Final = frozenset(
    {
        "module",
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "finally_clause",
        "with_statement",
    }
)
#: Most tests of one file; inheritance multiplies them.
MOST_TESTS: Final = 20_000


class _File:
    """A file while it is read."""

    def __init__(self, root: Node) -> None:
        found = {local: pair for local, *pair in _imports(root)}
        full = {name: dotted(*pair) for name, pair in found.items()}
        self.imports = {
            name: f"{module}:{inner}" if inner else module
            for name, (module, inner) in found.items()
        }
        self.contents = classes.contents(
            statements(root), module_scope(FileNames(imports=full))
        )
        held = self.contents
        self.names = FileNames(
            imports=full,
            constants=classes.literals_of(held),
            given={
                name: values[0]
                for name, values in held.values.items()
                if len(values) == 1
            },
            helpers=frozenset({*held.functions, *held.classes, *held.values}),
        )
        self.tests: list[WrittenTest] = []
        self.support: dict[str, Support] = {}

    def test(self, names: tuple[str, ...], held: Held, around: Around) -> None:
        """Add a test."""
        if len(self.tests) >= MOST_TESTS:
            raise CannotRead(f"it holds more than {MOST_TESTS} tests")
        node = held.node
        read = read_function(node, _skipped(around, held), marked=True)
        self.tests.append(
            WrittenTest(
                names=names,
                demands=read.demands,
                uses=read.uses,
                digest=read.digest,
                line=node.line,
                last_line=node.last,
                text=node.text,
            )
        )

    def add(self, each: Support) -> None:
        """Add a piece of support."""
        self.support[each.name] = each


def read_file(root: Node) -> FileDemands:
    """The tests and the support of a module."""
    file = _File(root)
    scope = module_scope(file.names)
    found = file.contents
    module, inherited = module_support(found, file.names)
    if module is not None:
        file.add(module)
    for each in values_support(found, file.names):
        file.add(each)
    around = Around(
        file=file.names,
        markers=tuple(_pytestmark([found], scope)),
        demands=(*inherited, *_not_collected([found], scope)),
    )
    disabled = _disabled(found, scope)
    for name, held in found.functions.items():
        if name.startswith(TEST) and not is_fixture(held.node, scope):
            off = disabled.get(name, ())
            file.test((name,), held, replace(around, demands=(*around.demands, *off)))
        else:
            file.add(function_support(name, held.node, around, owner=""))
    known_classes = {
        name: classes.class_of(name, held, scope)
        for name, held in found.classes.items()
    }
    for one in known_classes.values():
        _class(file, (), one, known_classes, around)
    file.tests.sort(key=lambda each: each.line)
    return FileDemands(
        tests=tuple(file.tests), support=file.support, imports=file.imports
    )


def _class(
    file: _File,
    path: tuple[str, ...],
    one: Class,
    known_classes: Mapping[str, Class],
    around: Around,
) -> None:
    line = classes.lineage(one, known_classes)
    nearest_last = list(reversed(line))
    tests = _tests_of(nearest_last)
    collected = bool(tests) and classes.is_collected(one, line, known_classes)
    name = ".".join((*path, one.name))
    owned = {
        key: node
        for each in nearest_last
        for key, node in classes.literals_of(each.contents).items()
    }
    scope = Scope(file.names, owned)
    methods = {
        method: f"{name if each is one else each.name}.{shown_name(method, it, scope)}"
        for each in nearest_last
        for method, it in each.contents.functions.items()
        if not (collected and method.startswith(TEST))
    }
    automatic = {
        full
        for each in nearest_last
        for method, full in methods.items()
        if method in each.contents.functions
        and is_automatic(method, each.contents.functions[method].node, scope)
    }
    unittest = classes.is_unittest(line, known_classes)
    inside = Around(
        file=file.names,
        owned=owned,
        methods=methods,
        fixtures={full.rpartition(".")[2]: full for full in methods.values()},
        markers=(
            *around.markers,
            *(mark for each in nearest_last for mark in each.markers),
            *_pytestmark([each.contents for each in nearest_last], scope),
        ),
        demands=(
            *around.demands,
            *_not_collected([each.contents for each in line], scope),
            *(() if unittest else _constructed(line)),
            *_conditions(one.held),
        ),
        uses=around.uses | automatic | {each.name for each in line[1:]} | {name},
        in_class=True,
    )
    own = [
        each for each in one.contents.functions if each not in tests or not collected
    ]
    for method in own:
        node = one.contents.functions[method].node
        file.add(function_support(method, node, inside, owner=name))
    if collected:
        for method, held in tests.items():
            file.test((*path, one.name, method), held, inside)
    file.add(
        class_support(
            name, one, inside, uses=automatic if collected else set(methods.values())
        )
    )
    nested = {
        key: classes.class_of(key, held, scope)
        for key, held in one.contents.classes.items()
    }
    for each in nested.values():
        _class(file, (*path, one.name), each, {**known_classes, **nested}, inside)


def _tests_of(nearest_last: Iterable[Class]) -> dict[str, Held]:
    """The tests of a class and its bases: the nearest definition counts."""
    found: dict[str, Held] = {}
    for each in nearest_last:
        for name in each.contents.values:
            found.pop(name, None)
        found |= {
            name: held
            for name, held in each.contents.functions.items()
            if name.startswith(TEST)
        }
    return found


def _imports(root: Node) -> Iterable[tuple[str, str, str]]:
    """What the module's import statements bind, conditional ones included."""
    stack = [root]
    while stack:
        each = stack.pop()
        if each.kind in {"import_statement", "import_from_statement"}:
            yield from imported(each)
        elif each.kind in OUTSIDE:
            stack.extend(reversed(each.kids))


def _pytestmark(held: Iterable[Contents], scope: Scope) -> Iterable[Node]:
    for each in held:
        for value in each.values.get("pytestmark", ()):
            yield from listed(value, scope)


def _not_collected(held: Iterable[Contents], scope: Scope) -> list[Demand]:
    """`__test__ = False`, from the nearest class that says something."""
    for each in held:
        values = each.values.get("__test__")
        if values:
            if known(text_of(values[-1], scope)) is False:
                return [_off(values[-1])]
            return []
    return []


def _constructed(line: Iterable[Class]) -> list[Demand]:
    """A class with a constructor is not collected by pytest."""
    return [
        _off(definition(each.contents.functions[name].node))
        for each in line
        for name in ("__init__", "__new__")
        if name in each.contents.functions
    ][:1]


def _disabled(found: Contents, scope: Scope) -> dict[str, list[Demand]]:
    """`test_total.__test__ = False`, by the name of the test."""
    off: dict[str, list[Demand]] = {}
    for each in found.others:
        inner = each.kids[0] if each.kids else each
        if inner.kind != "assignment" or inner.kids[0].kind != "attribute":
            continue
        owner, _, name = inner.kids[0].kids
        if name.text == "__test__" and known(text_of(inner.kids[-1], scope)) is False:
            off.setdefault(owner.text, []).append(_off(each))
    return off


def _off(node: Node) -> Demand:
    return demand_at(Aspect.SKIP, node, subject="not-collected", expected=ALWAYS)


def _conditions(held: Held) -> list[Demand]:
    """A definition under a condition is skipped where the condition does not hold."""
    return [
        demand_at(
            Aspect.SKIP,
            definition(held.node),
            subject="skip",
            expected=each.removeprefix("not ")
            if each.startswith("not ")
            else f"not {each}",
        )
        for each in held.conditions
    ]


def _skipped(around: Around, held: Held) -> Around:
    told = _conditions(held)
    return replace(around, demands=(*around.demands, *told)) if told else around
