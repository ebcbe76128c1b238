"""What is left of a Python file of base when one test of it is to run by itself.

One test of a file that can't be loaded on head's production may well run there: it
need not use what the others lack. So all that it does not need is taken out, imports
name by name; what acts when the file is loaded, and what applies to each test of it,
stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.restoration.pieces import (
    Kind,
    Needs,
    Piece,
    definition,
    needs,
    nodes,
    pieces,
)
from fairtrial.integrity.restoration.rewriting import blank, without
from fairtrial.integrity.syntax import broken_at, last_line_of, line_of, parse

#: How the names of test methods begin; others of a class are what it sets up.
_TEST: Final = "test"

#: How far helpers may build on helpers.
_ROUNDS: Final = 100

#: Whether an import, as "module" or "module:name", asks for what is gone.
IsLost = Callable[[str], bool]


def _nothing_is_lost(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A file with what one test needs, and what it needs from elsewhere."""

    text: str
    #: Every name that it needs, parameters (fixtures) and their like too.
    names: frozenset[str]
    #: The imports that it needs: local name to "module" or "module:name", as written.
    imports: Mapping[str, str] = field(default_factory=dict)
    #: Modules of which it imports all names, as written.
    stars: frozenset[str] = frozenset()


def restored(
    text: str, names: tuple[str, ...], is_lost: IsLost = _nothing_is_lost
) -> Restored | None:
    """One test of a file, by its names inside it, with all that it needs of the file.

    An import that nothing in the file uses has its effect by itself and stays, but for
    one that asks for what is gone. None where it has no such test, or where the file
    can't be read.
    """
    module = _module(text)
    if module is None or not names:
        return None
    every = pieces(module)
    homes = [at for at, piece in enumerate(every) if names[0] in piece.binds]
    if not homes or not _may_hold(every[homes[-1]], names):
        return None
    # The last definition of a name is the one that counts.
    lines = text.split("\n")
    for at in homes[:-1]:
        blank(lines, range(every[at].first, every[at].last + 1))
    every = [piece for at, piece in enumerate(every) if at not in homes[:-1]]
    wanted = Needs(
        names=frozenset({names[0], *_unused(every, is_lost)}),
        members=frozenset(names[1:]),
    )
    closed = _closure(every, wanted)
    if closed is None:
        return None
    kept, need = closed
    unneeded = frozenset(
        line for at in kept for line in _unneeded(every[at], need.members)
    )
    left = without("\n".join(lines), every, kept, need.names, unneeded)
    return _told(left, every, kept, need)


def spared(text: str, wanted: AbstractSet[str], is_lost: IsLost) -> Restored | None:
    """A file of helpers and fixtures, without what can't be had any more.

    What imports something that is gone, and what uses that, is left out, but for what
    the `wanted` names need. All else stays, since it may count without being named.
    None where the file can't be read.
    """
    module = _module(text)
    every = [] if module is None else pieces(module)
    closed = _closure(every, Needs(names=frozenset(wanted)))
    if module is None or closed is None:
        return None
    needed, need = closed
    lost = {
        local
        for piece in every
        for local, source in piece.imports.items()
        if local not in need.names and is_lost(source)
    }
    dropped = _users(every, needed, lost)
    names = {name for piece in every for name in piece.imports} - lost
    kept = frozenset(range(len(every))) - dropped
    left = without(text, every, kept, names | need.names, frozenset())
    return _told(left, every, needed, need)


def _unused(every: Sequence[Piece], is_lost: IsLost) -> Iterator[str]:
    """The imported names that nothing uses."""
    others = (piece.nodes for piece in every if piece.kind is not Kind.IMPORT)
    used = needs(node for nodes in others for node in nodes)
    for piece in every:
        for local, source in piece.imports.items():
            if local not in used.names | used.strings and not is_lost(source):
                yield local


def _users(
    every: Sequence[Piece], needed: AbstractSet[int], lost: AbstractSet[str]
) -> frozenset[int]:
    """The pieces that use a lost name, and those that use these, in turn."""
    uses = [
        frozenset[str]() if piece.kind is Kind.IMPORT else needs(piece.nodes).names
        for piece in (every if lost else ())
    ]
    found, lost = frozenset[int](), set(lost)
    while True:
        more = {at for at, names in enumerate(uses) if lost & names} - needed - found
        if not more:
            return found
        found |= more
        lost |= {name for at in more for name in every[at].binds}


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


def _closure(
    every: Sequence[Piece], wanted: Needs
) -> tuple[frozenset[int], Needs] | None:
    """The pieces that something needs, by number, and all names that these need.

    None where helpers build on helpers without an end in sight.
    """
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
            return kept, need
        kept, need = more, seen
    return None


def _is_needed(piece: Piece, need: Needs) -> bool:
    if piece.binds & need.names:
        return True
    return piece.kind is Kind.DEFINITION and bool(piece.binds & need.strings)


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


def _members(piece: Piece) -> Iterator[SgNode]:
    """The members of all classes in a statement."""
    if piece.kind is not Kind.DEFINITION:
        return
    for node in nodes(piece.nodes[0]):
        body = node.field("body") if node.kind() == "class_definition" else None
        yield from () if body is None else body.children()


def _told(
    text: str, every: Sequence[Piece], needed: AbstractSet[int], need: Needs
) -> Restored:
    imports: dict[str, str] = {}
    stars: set[str] = set()
    for at in sorted(needed):
        imports |= {
            local: source
            for local, source in every[at].imports.items()
            if local in need.names
        }
        stars |= {module for node in every[at].nodes for module in _starred(node)}
    return Restored(
        text=text,
        names=need.names | need.strings,
        imports=imports,
        stars=frozenset(stars),
    )


def _starred(node: SgNode) -> Iterator[str]:
    star, module = node.find(kind="wildcard_import"), node.field("module_name")
    if star is not None and module is not None:
        yield module.text()
