"""What is left of a Python file of base when one test of it is to run by itself.

One test of a file that can't be loaded on head's production may well run there: it
need not use what the others lack. So all that it does not need is taken out, imports
name by name; what acts when the file is loaded, and what applies to each test of it,
stays. Lines keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity._pieces import (
    Kind,
    Needs,
    Piece,
    definition,
    needs,
    nodes,
    pieces,
)
from fairtrial.integrity._syntax import broken_at, last_line_of, line_of, parse
from fairtrial.integrity.errors import CannotRead

#: How the names of test methods begin; others of a class are what it sets up.
_TEST: Final = "test"

#: How far helpers may build on helpers.
_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A file with what one test needs, and what it needs from elsewhere."""

    text: str
    #: Every name that is left in it, parameters (fixtures) and their like too.
    names: frozenset[str]
    #: What it imports: local name to "module" or "module:name", as written.
    imports: Mapping[str, str] = field(default_factory=dict)
    #: Modules of which it imports all names, as written.
    stars: frozenset[str] = frozenset()


def restored(text: str, names: tuple[str, ...]) -> Restored | None:
    """One test of a file, by its names inside it, with all that it needs of the file.

    None where it has no such test, or where the file can't be read.
    """
    module = _module(text)
    if module is None or not names:
        return None
    every = pieces(module)
    homes = [at for at, piece in enumerate(every) if names[0] in piece.binds]
    if not homes or not _may_hold(every[homes[-1]], names):
        return None
    # The last definition of a name is the one that counts.
    shadowed = frozenset(homes[:-1])
    pieced = [piece for at, piece in enumerate(every) if at not in shadowed]
    for at in shadowed:
        _blank(lines := text.split("\n"), range(every[at].first, every[at].last + 1))
        text = "\n".join(lines)
    wanted = Needs(names=frozenset({names[0]}), members=frozenset(names[1:]))
    return _pared(text, pieced, wanted)


def pared(text: str, wanted: AbstractSet[str]) -> Restored | None:
    """A file of helpers and fixtures, with what these names need and no more.

    None where the file can't be read.
    """
    module = _module(text)
    if module is None:
        return None
    return _pared(text, pieces(module), Needs(names=frozenset(wanted)))


def _module(text: str) -> SgNode | None:
    try:
        module = parse(text, "python")
        return None if broken_at(module) is not None else module
    except (CannotRead, RecursionError):
        return None


def _may_hold(home: Piece, names: tuple[str, ...]) -> bool:
    """Whether a statement may hold the test; a class may have inherited it."""
    if home.kind is Kind.IMPORT:
        return False
    node = definition(home.nodes[0])
    is_class = node is not None and node.kind() == "class_definition"
    return len(names) == 1 or is_class or home.kind is not Kind.DEFINITION


def _pared(text: str, every: list[Piece], wanted: Needs) -> Restored | None:
    kept = frozenset(at for at, piece in enumerate(every) if piece.automatic)
    need = wanted
    looked_up: dict[tuple[int, frozenset[int]], Needs] = {}
    for _ in range(_ROUNDS):
        seen = wanted
        for at in kept:
            if every[at].kind is Kind.IMPORT:
                continue
            key = (at, frozenset(_unneeded(every[at], need.members)))
            if key not in looked_up:
                looked_up[key] = needs(every[at].nodes, key[1])
            seen |= looked_up[key]
        more = kept | {at for at, one in enumerate(every) if _is_needed(one, seen)}
        if more == kept and seen == need:
            return _written(text, every, kept, need)
        kept, need = more, seen
    return None


def _is_needed(piece: Piece, need: Needs) -> bool:
    if piece.binds & need.names:
        return True
    return piece.kind is Kind.DEFINITION and bool(piece.binds & need.strings)


def _members(piece: Piece) -> Iterator[SgNode]:
    """The members of all classes in a statement."""
    if piece.kind is not Kind.DEFINITION:
        return
    for node in nodes(piece.nodes[0]):
        body = node.field("body") if node.kind() == "class_definition" else None
        yield from () if body is None else body.children()


def _unneeded(piece: Piece, members: AbstractSet[str]) -> Iterator[int]:
    """The lines of the test methods in a statement that nobody asked for."""
    for member in _members(piece):
        inner = definition(member)
        if inner is None or inner.kind() != "function_definition":
            continue
        name = inner.field("name")
        called = "" if name is None else name.text()
        if called.startswith(_TEST) and called not in members:
            yield from range(line_of(member), last_line_of(member) + 1)


def _written(
    text: str, every: list[Piece], kept: AbstractSet[int], need: Needs
) -> Restored:
    lines = text.split("\n")
    imports: dict[str, str] = {}
    stars: set[str] = set()
    for at, piece in enumerate(every):
        if at not in kept:
            _blank(lines, range(piece.first, piece.last + 1))
        elif piece.kind is Kind.IMPORT and piece.imports:
            _narrow(lines, piece, need.names)
            imports |= {
                local: source
                for local, source in piece.imports.items()
                if local in need.names
            }
        else:
            imports |= piece.imports
            stars |= {module for node in piece.nodes for module in _starred(node)}
            unneeded = list(_unneeded(piece, need.members))
            _blank(lines, unneeded)
            _fill(lines, piece, frozenset(unneeded))
    return Restored(
        text="\n".join(lines),
        names=need.names | need.strings,
        imports=imports,
        stars=frozenset(stars),
    )


def _starred(node: SgNode) -> Iterator[str]:
    star, module = node.find(kind="wildcard_import"), node.field("module_name")
    if star is not None and module is not None:
        yield module.text()


def _blank(lines: list[str], numbers: Iterator[int] | range | list[int]) -> None:
    for number in numbers:
        lines[number - 1] = "\r" if lines[number - 1].endswith("\r") else ""


def _narrow(lines: list[str], piece: Piece, names: AbstractSet[str]) -> None:
    """The import with the names that are needed, on its first line."""
    (node,) = piece.nodes
    asked = node.field_children("name")
    left = [
        each.text()
        for each, local in zip(asked, _locals(asked), strict=True)
        if local in names
    ]
    if len(left) == len(asked):
        return
    module = node.field("module_name")
    start = "import " if module is None else f"from {module.text()} import "
    end = "\r" if lines[piece.first - 1].endswith("\r") else ""
    _blank(lines, range(piece.first, piece.last + 1))
    lines[piece.first - 1] = start + ", ".join(left) + end


def _locals(asked: list[SgNode]) -> Iterator[str]:
    for each in asked:
        alias = each.field("alias") if each.kind() == "aliased_import" else None
        yield each.text().partition(".")[0] if alias is None else alias.text()


def _fill(lines: list[str], piece: Piece, unneeded: AbstractSet[int]) -> None:
    """A class that is left without a member gets one that does nothing."""
    for node in nodes(piece.nodes[0]) if unneeded else ():
        body = node.field("body") if node.kind() == "class_definition" else None
        if body is None:
            continue
        inside = [each for each in body.children() if each.kind() != "comment"]
        if all(line_of(each) in unneeded for each in inside):
            indent = " " * inside[0].range().start.column
            lines[line_of(inside[0]) - 1] = f"{indent}pass"
