"""A Python source with some of its statements taken out; lines keep their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from ast_grep_py import SgNode

from fairtrial.integrity.restoration.pieces import Kind, Piece, nodes
from fairtrial.integrity.syntax import line_of


def without(
    text: str,
    every: Sequence[Piece],
    kept: AbstractSet[int],
    names: AbstractSet[str],
    unneeded: AbstractSet[int],
) -> str:
    """A source with the pieces that are kept, by number.

    Imports are left with what they bind of `names`; `unneeded` lines inside the other
    pieces go, too.
    """
    lines = text.split("\n")
    for at, piece in enumerate(every):
        if at not in kept:
            blank(lines, range(piece.first, piece.last + 1))
        elif piece.kind is Kind.IMPORT and piece.imports:
            _narrow(lines, piece, names)
        else:
            inside = unneeded & set(range(piece.first, piece.last + 1))
            blank(lines, inside)
            if inside:
                _fill(lines, piece, inside)
    return "\n".join(lines)


def blank(lines: list[str], numbers: Iterable[int]) -> None:
    """Empty some lines; the first is 1."""
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
    blank(lines, range(piece.first, piece.last + 1))
    lines[piece.first - 1] = (start + ", ".join(left) if left else "") + end


def _locals(asked: list[SgNode]) -> Iterator[str]:
    for each in asked:
        alias = each.field("alias") if each.kind() == "aliased_import" else None
        yield each.text().partition(".")[0] if alias is None else alias.text()


def _fill(lines: list[str], piece: Piece, unneeded: AbstractSet[int]) -> None:
    """A class that is left without a member gets one that does nothing."""
    for node in nodes(piece.nodes[0]):
        body = node.field("body") if node.kind() == "class_definition" else None
        if body is None:
            continue
        inside = [each for each in body.children() if each.kind() != "comment"]
        if inside and all(line_of(each) in unneeded for each in inside):
            indent = " " * inside[0].range().start.column
            lines[line_of(inside[0]) - 1] = f"{indent}pass"
