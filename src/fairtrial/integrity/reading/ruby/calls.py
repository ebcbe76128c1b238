"""What a call of Ruby is made of: receiver, name, arguments and block."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.integrity.reading.ruby.words import BLOCKS
from fairtrial.integrity.reading.script.sources import Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call, with or without parentheses, or a bare name."""

    name: str
    receiver: Piece | None = None
    arguments: tuple[Piece, ...] = ()
    block: Piece | None = None
    piece: Piece


def call_of(piece: Piece) -> Call | None:
    """The call that a piece is; None where it is none."""
    if piece.kind == "identifier":
        return Call(name=piece.text, piece=piece)
    if piece.kind != "call":
        return None
    listed = piece.first("argument_list")
    block = piece.first("block", "do_block")
    names = [
        each
        for each in piece.parts
        if each.kind not in {"argument_list", *BLOCKS, ".", "&.", "::"}
    ]
    dotted = piece.has(".") or piece.has("&.") or piece.has("::")
    if not names:
        return None
    receiver = names[0] if dotted and (len(names) > 1 or listed is not None) else None
    name = names[-1].text if not dotted or len(names) > 1 else "call"
    return Call(
        name=name,
        receiver=receiver,
        arguments=tuple(listed.nodes) if listed is not None else (),
        block=block,
        piece=piece,
    )


def chain_of(piece: Piece) -> list[Call]:
    """The calls of a chain, the innermost first."""
    found: list[Call] = []
    each: Piece | None = piece
    while each is not None:
        call = call_of(each)
        if call is None:
            break
        found.append(call)
        each = call.receiver
    return found[::-1]


def positional(arguments: tuple[Piece, ...]) -> list[Piece]:
    """The arguments without options."""
    return [each for each in arguments if each.kind != "pair"]


def option(arguments: tuple[Piece, ...], name: str) -> Piece | None:
    """The value of an option; None without one."""
    for each in arguments:
        if each.kind == "pair" and each.nodes[0].text.strip(":\"'") == name:
            return each.nodes[-1] if len(each.nodes) > 1 else each
    return None
