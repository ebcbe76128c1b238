"""What one Python source offers to others: names, and the members of its classes.

Each is told twice: what is surely there, and what may be. Only what surely was there
and can't be any more has been removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.restoration.pieces import imported, targets
from fairtrial.integrity.syntax import broken_at, parse

#: Said of a module that uses it under any name.
SYS_MODULES: Final = "sys.modules"
#: With these a module can offer what it does not spell out.
_OF_MODULES: Final = frozenset({SYS_MODULES, "exec", "globals", "locals", "vars"})
#: With these a class can.
_OF_CLASSES: Final = frozenset(
    {
        *("__dict__", "__getattr__", "__getattribute__", "__init_subclass__"),
        *("__slots__", "exec", "locals", "setattr", "vars"),
    }
)
_ITSELF: Final = frozenset({"self", "cls", "type(self)", "self.__class__"})
#: Nothing in these is a mention.
_SKIPPED: Final = frozenset({"comment", "import_from_statement", "import_statement"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A class with what its objects have."""

    name: str
    members: frozenset[str]
    #: All that may be a member, the sure ones among them.
    maybe: frozenset[str]
    #: As written, without what is in brackets; empty for one that is no name.
    bases: tuple[str, ...]
    #: Decorators and the metaclass, as written up to a call.
    makers: tuple[str, ...]
    #: It can have members that nothing spells out.
    opaque: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """A module with what others can take from it."""

    #: What it surely binds, imports among it.
    names: frozenset[str]
    #: All that it may bind, but for what comes by a star.
    maybe: frozenset[str]
    #: Every local name that is imported, with "module" or "module:name", as written.
    imports: Mapping[str, frozenset[str]]
    #: What is bound otherwise than by an import.
    defined: frozenset[str]
    #: The modules of which it takes all names, as written.
    stars: frozenset[str]
    classes: tuple[Offered, ...]
    #: It can offer names that nothing spells out.
    opaque: bool
    #: Every name and attribute that is mentioned, and strings that are given to calls.
    words: frozenset[str]
    #: Attributes that are set on anything but the object itself.
    elsewhere: frozenset[str]


@dataclass(slots=True, kw_only=True)
class _Scope:
    """A module or a class while it is read."""

    name: str = ""
    sure: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    bases: list[str] = field(default_factory=list)
    makers: list[str] = field(default_factory=list)


def offers(text: str) -> Offers:
    """What a source offers; raises CannotRead."""
    module = parse(text, "python")
    line = broken_at(module)
    if line is not None:
        raise CannotRead(f"line {line}: it is no Python")
    reader = _Reader()
    reader.read(module)
    whole = reader.module
    sure = frozenset(whole.sure)
    if {"sys", "modules"} <= whole.words:
        whole.words.add(SYS_MODULES)
    return Offers(
        names=sure | reader.imports.keys(),
        maybe=sure | whole.maybe | reader.imports.keys(),
        imports={name: frozenset(each) for name, each in reader.imports.items()},
        defined=sure,
        stars=frozenset(reader.stars),
        classes=tuple(map(_offered, reader.classes)),
        opaque="__getattr__" in sure | reader.imports.keys()
        or not whole.words.isdisjoint(_OF_MODULES),
        words=frozenset(whole.words),
        elsewhere=frozenset(reader.elsewhere),
    )


def _offered(scope: _Scope) -> Offered:
    return Offered(
        name=scope.name,
        members=frozenset(scope.sure),
        maybe=frozenset(scope.sure | scope.maybe),
        bases=tuple(scope.bases),
        makers=tuple(scope.makers),
        opaque=not scope.words.isdisjoint(_OF_CLASSES),
    )


@dataclass(slots=True, kw_only=True)
class _Reader:
    module: _Scope = field(default_factory=_Scope)
    classes: list[_Scope] = field(default_factory=list)
    imports: dict[str, set[str]] = field(default_factory=dict)
    stars: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)

    def read(self, root: SgNode) -> None:
        """Each node with the scope around it, and whether a function lies between."""
        waiting: list[tuple[SgNode, _Scope, bool]] = [(root, self.module, False)]
        while waiting:
            node, scope, local = waiting.pop()
            inner, inside, children = self._enter(node, scope, local=local)
            waiting += [(child, inner, inside) for child in children]

    def _enter(
        self, node: SgNode, scope: _Scope, *, local: bool
    ) -> tuple[_Scope, bool, list[SgNode]]:
        """Takes down one node; where its children stand, and which count."""
        match node.kind():
            case "lambda":
                return scope, True, node.children()
            case "function_definition" | "class_definition" as kind:
                if not local:
                    scope.sure.add(_name(node))
                if kind == "class_definition":
                    return self._class(node, scope), False, _body(node)
                return scope, True, node.children()
            case _:
                self._take(node, scope, local=local)
                return scope, local, _counting(node)

    def _take(self, node: SgNode, scope: _Scope, *, local: bool) -> None:
        match node.kind():
            case "identifier":
                self._mention(node.text(), scope, bound=not local)
            case "attribute":
                self._attribute(node, scope)
            case "string_content" if node.text().isidentifier() and _is_argument(node):
                of_class = scope is not self.module
                self._mention(node.text(), scope, bound=of_class or not local)
            case "global_statement" | "named_expression":
                self.module.maybe |= {each.text() for each in node.children()}
                scope.maybe |= {each.text() for each in node.children()}
            case "type_alias_statement" if not local:
                scope.sure.add(node.children()[1].text().partition("[")[0])
            case "assignment" | "augmented_assignment":
                self._assign(node, scope, local=local)
            case "import_from_statement" | "import_statement":
                self._import(node, scope, local=local)
            case _:
                pass

    def _mention(self, name: str, scope: _Scope, *, bound: bool) -> None:
        self.module.words.add(name)
        scope.words.add(name)
        if bound:
            scope.maybe.add(name)

    def _attribute(self, node: SgNode, scope: _Scope) -> None:
        name = node.children()[-1].text()
        itself = node.children()[0].text() in _ITSELF
        # A class that still uses it on itself has it, or is broken.
        self._mention(name, scope, bound=itself and scope is not self.module)

    def _assign(self, node: SgNode, scope: _Scope, *, local: bool) -> None:
        for target in targets(node):
            if target.kind() == "identifier" and not local:
                scope.sure.add(target.text())
            elif target.kind() == "attribute":
                owner, name = target.children()[0].text(), target.children()[-1].text()
                itself = owner in {*_ITSELF, scope.name} and scope is not self.module
                (scope.sure if itself else self.elsewhere).add(name)

    def _import(self, node: SgNode, scope: _Scope, *, local: bool) -> None:
        for name, source in imported(node):
            self.module.words |= {name, source.rpartition(":")[2]}
            if scope is not self.module and not local:
                scope.sure.add(name)
            elif not local:
                self.imports.setdefault(name, set()).add(source)
        module = node.field("module_name")
        self.module.words |= set() if module is None else {module.text()}
        if module is not None and node.find(kind="wildcard_import") is not None:
            self.stars.add(module.text())

    def _class(self, node: SgNode, outer: _Scope) -> _Scope:
        made = _Scope(name=_name(node))
        self.classes.append(made)
        arguments = node.field("superclasses")
        for each in () if arguments is None else arguments.children():
            if each.kind() == "keyword_argument":
                name, value = each.field("name"), each.field("value")
                if name is not None and name.text() == "metaclass":
                    made.makers.append("" if value is None else value.text())
            elif each.is_named() and each.kind() != "comment":
                made.bases.append(_dotted(each))
            self.module.words |= {
                one.text() for one in each.find_all(kind="identifier")
            }
        above = node.parent()
        if above is not None and above.kind() == "decorated_definition":
            for each in above.children():
                if each.kind() == "decorator":
                    made.makers.append(_dotted(each.children()[1]))
        outer.maybe.add(made.name)
        return made


def _name(node: SgNode) -> str:
    name = node.field("name")
    return "" if name is None else name.text()


def _counting(node: SgNode) -> list[SgNode]:
    """The children of a node that may mention names by themselves."""
    if node.kind() in _SKIPPED:
        return []
    return node.children()[: -1 if node.kind() == "attribute" else None]


def _body(node: SgNode) -> list[SgNode]:
    body = node.field("body")
    return [] if body is None else [body]


def _dotted(node: SgNode) -> str:
    """A name with dots, without what it is called or subscripted with."""
    while node.kind() in {"call", "subscript"}:
        node = node.children()[0]
    return node.text() if node.kind() in {"attribute", "identifier"} else ""


def _is_argument(content: SgNode) -> bool:
    """Whether a string is given to a call: `getattr(it, "name")` and its like."""
    above = next(_above(content, 2), None)
    return above is not None and above.kind() in {"argument_list", "keyword_argument"}


def _above(node: SgNode, steps: int) -> Iterator[SgNode]:
    for _ in range(steps):
        parent = node.parent()
        if parent is None:
            return
        node = parent
    yield node
