"""What a chain of calls and properties is made of: `expect(x).not.toBe(3)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.integrity.reading.ecmascript.words import (
    FUNCTIONS,
    bare,
    is_plain_text,
    string_value,
)
from fairtrial.integrity.reading.script.sources import Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A property or a call in a chain; a call of the thing itself has no name."""

    name: str
    #: The arguments where it is called; None for a property.
    arguments: tuple[Piece, ...] | None = None
    #: A template that it is called with: it.each`…`.
    template: Piece | None = None
    #: The chain up to and with it.
    piece: Piece

    @property
    def is_call(self) -> bool:
        """Whether it is called."""
        return self.arguments is not None or self.template is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A root and what is asked of it, in the order of the text."""

    root: Piece
    links: tuple[Link, ...]
    #: It is waited for: `await` stands before it.
    awaited: bool = False

    @property
    def name(self) -> str:
        """The root where it is a name; "" otherwise."""
        return self.root.text if self.root.kind in {"identifier", "this"} else ""

    @property
    def path(self) -> str:
        """Root and properties to the first call: "jest.mock"."""
        found = [self.name]
        for link in self.links:
            if link.name:
                found.append(link.name)
            if link.is_call:
                break
        return ".".join(found)


def unchained(piece: Piece) -> Chain:
    """The chain that an expression is; one without links where it is none."""
    links: list[Link] = []
    piece = bare(piece)
    awaited = False
    while True:
        if piece.kind == "await_expression" and piece.nodes:
            awaited = awaited or not links
            piece = bare(piece.nodes[0])
        elif piece.kind == "call_expression":
            callee = bare(piece.parts[0])
            given = piece.first("arguments")
            template = piece.first("template_string")
            if template is callee:
                template = None
            name = ""
            after = callee
            if callee.kind == "member_expression":
                name = callee.parts[-1].text
                after = callee.parts[0]
            links.append(
                Link(
                    name=name,
                    arguments=tuple(given.nodes) if given is not None else None,
                    template=template if given is None else None,
                    piece=piece,
                )
            )
            piece = bare(after)
        elif piece.kind == "member_expression":
            links.append(Link(name=piece.parts[-1].text, piece=piece))
            piece = bare(piece.parts[0])
        elif piece.kind == "subscript_expression" and len(piece.nodes) > 1:
            index = piece.nodes[-1]
            name = string_value(index) if is_plain_text(index) else "[]"
            links.append(Link(name=name, piece=piece))
            piece = bare(piece.nodes[0])
        else:
            break
    return Chain(root=piece, links=tuple(reversed(links)), awaited=awaited)


def function_in(arguments: Sequence[Piece]) -> Piece | None:
    """The last function among some arguments; wrappers like `fakeAsync(fn)` count."""
    for each in reversed(arguments):
        inner = bare(each)
        if inner.kind in FUNCTIONS:
            return inner
        if inner.kind == "call_expression":
            given = inner.first("arguments")
            if given is not None:
                found = [
                    bare(part) for part in given.nodes if bare(part).kind in FUNCTIONS
                ]
                if found:
                    return found[-1]
    return None
