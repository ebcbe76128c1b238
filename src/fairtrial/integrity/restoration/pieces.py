"""Which statements a Python module consists of, and what each of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.syntax import last_line_of, line_of

#: Names that act without being used by name.
_AUTOMATIC: Final = frozenset(
    {
        "__getattr__",
        "__test__",
        "collect_ignore",
        "collect_ignore_glob",
        "load_tests",
        "pytestmark",
        "setUpModule",
        "setup_function",
        "setup_module",
        "teardown_function",
        "teardown_module",
        "tearDownModule",
    }
)
_HOOK: Final = "pytest_"

#: Calls whose strings are names of fixtures.
_BY_NAME: Final = frozenset({"getfixturevalue", "lazy_fixture", "lf", "usefixtures"})

_DEFINITIONS: Final = frozenset(
    {"class_definition", "decorated_definition", "function_definition"}
)
_IMPORTS: Final = frozenset(
    {"future_import_statement", "import_from_statement", "import_statement"}
)
_BRANCHES: Final = frozenset({"if_statement", "try_statement"})


class Kind(StrEnum):
    """What a statement at module level is for."""

    IMPORT = "import"
    DEFINITION = "definition"
    #: It binds a name to a value.
    VALUE = "value"
    #: It does something when the module is loaded, whoever uses it.
    ACT = "act"


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What some source refers to."""

    #: Names that are looked up where it stands; parameters count, they name fixtures.
    names: frozenset[str] = frozenset()
    #: Names behind a dot.
    members: frozenset[str] = frozenset()
    #: Strings that are written like names.
    strings: frozenset[str] = frozenset()

    def __or__(self, other: Needs) -> Needs:
        """What either refers to."""
        return Needs(
            names=self.names | other.names,
            members=self.members | other.members,
            strings=self.strings | other.strings,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Whole lines of a module that hold one statement; the first line is 1."""

    kind: Kind
    nodes: tuple[SgNode, ...]
    first: int
    last: int
    binds: frozenset[str]
    #: It has its effect without being used by name.
    automatic: bool
    #: For imports: local name to "module" or "module:name".
    imports: Mapping[str, str] = field(default_factory=dict)


def pieces(module: SgNode) -> list[Piece]:
    """The statements of a module in order; those that share a line are one piece."""
    found: list[Piece] = []
    for node in module.children():
        if not node.is_named() or node.kind() == "comment":
            continue
        one = _piece(node)
        if found and one.first <= found[-1].last:
            found[-1] = _joined(found[-1], one)
        else:
            found.append(one)
    return found


def _piece(node: SgNode) -> Piece:
    kind, binds = _kind(node), frozenset(_bound(node))
    imports = dict(imported(node)) if kind is Kind.IMPORT else {}
    return Piece(
        kind=kind,
        nodes=(node,),
        first=line_of(node),
        last=last_line_of(node),
        binds=binds,
        automatic=kind is Kind.ACT
        or any(name in _AUTOMATIC or name.startswith(_HOOK) for name in binds)
        or (kind is Kind.IMPORT and not imports)
        or (kind is Kind.DEFINITION and _is_autouse(node)),
        imports=imports,
    )


def _joined(one: Piece, other: Piece) -> Piece:
    return Piece(
        kind=Kind.ACT if Kind.ACT in (one.kind, other.kind) else Kind.VALUE,
        nodes=(*one.nodes, *other.nodes),
        first=one.first,
        last=max(one.last, other.last),
        binds=one.binds | other.binds,
        automatic=one.automatic or other.automatic,
        imports={**one.imports, **other.imports},
    )


def _kind(node: SgNode) -> Kind:
    kind = node.kind()
    if kind in _IMPORTS:
        return Kind.IMPORT
    if kind in _DEFINITIONS:
        return Kind.DEFINITION
    if kind == "type_alias_statement":
        return Kind.VALUE
    if kind in _BRANCHES:
        inner = {_kind(each) for each in _inside(node)}
        return Kind.ACT if Kind.ACT in inner else Kind.VALUE
    if kind == "pass_statement":
        return Kind.VALUE
    assigned = _assigned(node)
    if assigned is None or any(
        each.kind() in {"attribute", "subscript"} for each in targets(assigned)
    ):
        return Kind.ACT
    return Kind.VALUE


def _inside(node: SgNode) -> Iterator[SgNode]:
    """The statements in the blocks of a compound statement."""
    for child in node.children():
        if child.kind() == "block":
            yield from (
                each
                for each in child.children()
                if each.is_named() and each.kind() != "comment"
            )
        elif child.kind().endswith("_clause"):
            yield from _inside(child)


def _assigned(node: SgNode) -> SgNode | None:
    """The assignment that an expression statement consists of."""
    if node.kind() != "expression_statement":
        return None
    inner = node.children()[:1]
    kinds = {"assignment", "augmented_assignment"}
    return inner[0] if inner and inner[0].kind() in kinds else None


def targets(assignment: SgNode) -> Iterator[SgNode]:
    """What an assignment binds, one by one, chained ones too."""
    waiting = [assignment]
    while waiting:
        node = waiting.pop()
        match node.kind():
            case "assignment" | "augmented_assignment":
                left, right = node.field("left"), node.field("right")
                waiting += [] if left is None else [left]
                if right is not None and right.kind() == "assignment":
                    waiting.append(right)
            case "pattern_list" | "tuple_pattern" | "list_pattern":
                waiting += [each for each in node.children() if each.is_named()]
            case "list_splat_pattern":
                waiting += [each for each in node.children() if each.is_named()]
            case _:
                yield node


def _bound(node: SgNode) -> Iterator[str]:
    """The names that a statement defines in its module."""
    kind = node.kind()
    if kind in _IMPORTS:
        yield from (name for name, _ in imported(node))
    elif kind in _DEFINITIONS:
        inner = definition(node)
        name = None if inner is None else inner.field("name")
        if name is not None:
            yield name.text()
        yield from _called(node)
    elif kind in _BRANCHES:
        for each in _inside(node):
            yield from _bound(each)
    elif kind == "type_alias_statement":
        yield node.children()[1].text().partition("[")[0]
    elif (assigned := _assigned(node)) is not None:
        yield from (
            each.text() for each in targets(assigned) if each.kind() == "identifier"
        )


def definition(node: SgNode) -> SgNode | None:
    """The function or class below its decorators."""
    if node.kind() != "decorated_definition":
        return node
    return node.field("definition")


def _decorators(node: SgNode) -> Iterator[SgNode]:
    if node.kind() == "decorated_definition":
        yield from (each for each in node.children() if each.kind() == "decorator")


def _is_autouse(node: SgNode) -> bool:
    return any("autouse" in each.text() for each in _decorators(node))


def _called(node: SgNode) -> Iterator[str]:
    """The name that a fixture has besides its function's: `fixture(name="…")`."""
    for decorator in _decorators(node):
        for each in nodes(decorator):
            if each.kind() == "keyword_argument":
                name, value = each.field("name"), each.field("value")
                if name is not None and name.text() == "name" and value is not None:
                    yield value.text().strip("\"'")


def imported(node: SgNode) -> Iterator[tuple[str, str]]:
    """Local name and "module" or "module:name" of an import's names, stars left out."""
    module = node.field("module_name")
    source = "" if module is None else module.text()
    if node.kind() == "future_import_statement":
        return
    for each in node.field_children("name"):
        asked, alias = each, None
        if each.kind() == "aliased_import":
            inner, alias = each.field("name"), each.field("alias")
            asked = each if inner is None else inner
        name = asked.text()
        if module is None:
            local = name.partition(".")[0] if alias is None else alias.text()
            yield local, name
        else:
            yield (name if alias is None else alias.text()), f"{source}:{name}"


def nodes(root: SgNode, dropped: AbstractSet[int] = frozenset()) -> Iterator[SgNode]:
    """A node and all below it, without what begins on a dropped line."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [each for each in node.children() if line_of(each) not in dropped]


def needs(roots: Iterable[SgNode], dropped: AbstractSet[int] = frozenset()) -> Needs:
    """What some nodes refer to, without what begins on a dropped line."""
    names: set[str] = set()
    members: set[str] = set()
    strings: set[str] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if line_of(node) in dropped:
            continue
        kind, children = node.kind(), node.children()
        match kind:
            case "identifier":
                names.add(node.text())
            case "attribute":
                members.add(children[-1].text())
                children = children[:-1]
            case "keyword_argument":
                children = children[1:]
            case "string_content" if node.text().isidentifier():
                strings.add(node.text())
            case "call" if _last_name(children[0]) in _BY_NAME:
                names |= {
                    each.text()
                    for each in nodes(node)
                    if each.kind() == "string_content"
                }
            case _:
                pass
        waiting += children
    return Needs(
        names=frozenset(names), members=frozenset(members), strings=frozenset(strings)
    )


def _last_name(node: SgNode) -> str:
    return node.text().rpartition(".")[2]
