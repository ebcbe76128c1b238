"""What one function of a Python test file demands and uses, with all that marks it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.demands import Demand, Source
from fairtrial.integrity.reading.python.body import parameters, walk
from fairtrial.integrity.reading.python.literals import plain_string
from fairtrial.integrity.reading.python.looseness import handed_on, rebound
from fairtrial.integrity.reading.python.markers import Marked, read_markers
from fairtrial.integrity.reading.python.names import FileNames, Scope
from fairtrial.integrity.reading.python.reader import Reader
from fairtrial.integrity.reading.python.shape import shape
from fairtrial.integrity.reading.python.text import callee, render, text_of
from fairtrial.integrity.reading.python.tree import Node, block
from fairtrial.integrity.syntax import digest

SELVES: Final = frozenset({"self", "cls", "mcs"})
FIXTURE: Final = re.compile(r"(^|\.)(yield_)?fixture$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a function stands in: its file and, for a method, its classes."""

    file: FileNames
    #: Literals that are reached as `self.NAME`.
    owned: Mapping[str, Node] = field(default_factory=dict)
    #: Methods that are reached as `self.name`, with the name of their Support.
    methods: Mapping[str, str] = field(default_factory=dict)
    #: Fixtures of the classes, with the name of their Support.
    fixtures: Mapping[str, str] = field(default_factory=dict)
    #: Markers of the classes and the module, which hold for each test.
    markers: tuple[Node, ...] = ()
    #: Demands of the classes and the module, which hold for each test.
    demands: tuple[Demand, ...] = ()
    #: What every function here uses without naming it.
    uses: frozenset[str] = frozenset()
    in_class: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function as read."""

    demands: tuple[Demand, ...]
    uses: frozenset[str]
    digest: str


def decorators(node: Node) -> list[Node]:
    """The expressions of a definition's decorators."""
    return [each.kids[-1] for each in node.every("decorator")]


def definition(node: Node) -> Node:
    """A function or class without its decorators."""
    return node.kids[-1] if node.kind == "decorated_definition" else node


def module_scope(file: FileNames) -> Scope:
    """The names as the module itself sees them."""
    return Scope(file, {})


def read_function(node: Node, around: Around, *, marked: bool) -> Function:
    """What a function demands; `marked` tells that markers around it hold for it."""
    inner = definition(node)
    scope = Scope(around.file, around.owned)
    own = decorators(node)
    held = read_markers([*(around.markers if marked else ()), *own], scope)
    names = _parameters(inner, scope, held, around)
    if not marked and not any(FIXTURE.search(_called(each, scope)) for each in own):
        # Who calls a helper may give other values than its defaults.
        scope.loose |= {
            name for name in names if scope.sources.get(name) is Source.LOCAL
        }
    body = block(inner)
    scope.mentions = Counter(
        each.text for each in inner.walk() if each.kind == "identifier"
    )
    scope.handed_on = handed_on(body)
    scope.rebound = rebound(body)
    reader = Reader(scope, walk)
    reader.run(body)
    inherited = around.demands if marked else ()
    demands = (*inherited, *held.demands, *reader.demands)
    asked = held.fixtures | {
        name for name in names if scope.sources.get(name) is Source.FIXTURE
    }
    uses = used(node, around) | around.uses
    uses |= {around.fixtures.get(name, name) for name in asked}
    words = shape(
        [*own, *inner.every("parameters"), *(each for each in [body] if each)],
        around.file.imports,
        frozenset(names) | SELVES,
    )
    extra = ["async"] if inner.kids and inner.kids[0].kind == "async" else []
    extra += [part for each in inherited for part in each.key]
    if marked:
        extra += shape(around.markers, around.file.imports, frozenset())
    return Function(
        demands=demands,
        uses=frozenset(uses - {name_of_function(inner)}),
        digest=digest([*words, *extra]),
    )


def _called(node: Node, scope: Scope) -> str:
    return callee(node, scope) or text_of(node, scope)


def name_of_function(node: Node) -> str:
    """The name that a function is defined under."""
    name = node.first("identifier")
    return name.text if name else ""


def _parameters(node: Node, scope: Scope, marked: Marked, around: Around) -> list[str]:
    """Bind parameters to rows, fixtures or defaults; gives their names."""
    names = [each for each in parameters(node) if each not in SELVES]
    held = node.first("parameters")
    defaults = {
        next((one.text for one in each.walk() if one.kind == "identifier"), ""): each
        for each in (held.kids if held else ())
        if each.kind in {"default_parameter", "typed_default_parameter"}
    }
    by_place = sum(int(each[1:]) for each in marked.filled if each.startswith("*"))
    last = set(names[-by_place:]) if by_place else set()
    for name in parameters(node):
        scope.local[name] = name
        row = name in marked.filled or name in last
        scope.sources[name] = Source.ROW if row else Source.FIXTURE
        if name in SELVES:
            scope.sources[name] = Source.UNKNOWN
        elif name in defaults and not row:
            scope.local[name] = render(defaults[name].kids[-1], scope)
            scope.sources[name] = Source.LOCAL
    return [*names, *(each for each in SELVES if around.in_class)]


def used(node: Node, around: Around) -> set[str]:
    """The names of the file and its classes that some code mentions."""
    file = around.file
    found: set[str] = set()
    for each in node.walk():
        if each.kind == "identifier":
            name = each.text
            if name in file.helpers or name in file.imports or name in file.constants:
                found.add(name)
        elif each.kind == "attribute":
            name = each.kids[-1].text
            if name in around.methods and _is_own(each.kids[0], around):
                found.add(around.methods[name])
        elif each.kind == "call" and each.kids[0].text.endswith("getfixturevalue"):
            held = each.first("argument_list")
            for kid in held.kids if held else ():
                value = plain_string(kid)
                if value is not None:
                    found.add(value)
    return found


def _is_own(node: Node, around: Around) -> bool:
    text = node.text
    return text in SELVES or text.startswith("super(") or text in around.file.helpers
