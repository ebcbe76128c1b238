"""What a syntax tree says, copied once into plain values that are quick to ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ast_grep_py import SgNode

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import DEEPEST, parse


@dataclass(slots=True, eq=False, kw_only=True)
class Piece:
    """A node of a syntax tree, without comments below it."""

    kind: str
    named: bool
    source: str
    start: int
    end: int
    line: int
    last_line: int
    parts: list[Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """As written."""
        return self.source[self.start : self.end]

    @property
    def nodes(self) -> list[Piece]:
        """The parts that are more than punctuation and keywords."""
        return [each for each in self.parts if each.named]

    def first(self, *kinds: str) -> Piece | None:
        """The first named part of one of some kinds; None without one."""
        return next((each for each in self.nodes if each.kind in kinds), None)

    def has(self, word: str) -> bool:
        """Whether one of the parts is this keyword."""
        return any(each.kind == word for each in self.parts)


def grow(text: str, language: str) -> Piece:
    """The tree of a whole source; raises CannotRead for what `parse` refuses.

    It also raises CannotRead for nesting deeper than DEEPEST. What the grammar could
    not read stays in the tree, as kind "ERROR".
    """
    source = text.encode("utf-8", "replace").decode("utf-8")
    root = parse(source, language)
    whole = _copy(root, source)
    stack = [(root, whole, 0)]
    while stack:
        node, piece, depth = stack.pop()
        if depth > DEEPEST:
            raise CannotRead(f"line {piece.line}: it is nested too deeply to be read")
        for child in node.children():
            copied = _copy(child, source)
            if "comment" not in copied.kind:
                piece.parts.append(copied)
                stack.append((child, copied, depth + 1))
    return whole


def _copy(node: SgNode, source: str) -> Piece:
    place = node.range()
    return Piece(
        kind=node.kind(),
        named=node.is_named(),
        source=source,
        start=place.start.index,
        end=place.end.index,
        line=place.start.line + 1,
        last_line=place.end.line + 1,
    )


def below(piece: Piece, *, stop: frozenset[str] = frozenset()) -> Iterator[Piece]:
    """A piece and all below it in the order of the text; not what is below `stop`."""
    stack = [piece]
    while stack:
        each = stack.pop()
        yield each
        if each is piece or each.kind not in stop:
            stack += reversed(each.parts)


def refuse_broken(whole: Piece) -> None:
    """Raises CannotRead where the grammar could not read a part of the source."""
    for each in below(whole):
        # What the grammar only supposes to be there has no width.
        supposed = not each.named and each.start == each.end
        if each.kind == "ERROR" or supposed:
            raise CannotRead(f"line {each.line}: its syntax can't be read")
