"""How a syntax tree becomes code in common words.

Each language has a class of its own here that knows its kinds of node; what it does not
know stays a row of words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import ClassVar, Final

from ast_grep_py import SgNode

from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.reading.code.code import Act, Expr, Shape, Stmt
from fairtrial.integrity.syntax import (
    broken_at,
    last_line_of,
    line_of,
    one_line,
    parse,
)

_STRING: Final = re.compile(
    r"""^(?:[bcru$@]|br|cr)*\#*(\"{3,}|"|'|`)(.*)\1\#*(?:u8)?$""",
    re.DOTALL | re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"^(?!0[xX])([0-9][0-9_.]*(?:[eE][+-]?[0-9]+)?)[a-zA-Z]*$")


def literal_text(text: str) -> str:
    """A literal in one form, whatever its quotes, suffixes and separators."""
    if found := _STRING.match(text):
        inner = found.group(2)
        if len(found.group(1)) > 1:
            inner = "\n".join(line.strip() for line in inner.strip().splitlines())
        return '"' + inner.replace('\\"', '"').replace("\n", "\\n") + '"'
    if found := _NUMBER.match(text):
        return found.group(1).replace("_", "")
    return text


def readable(text: str, language: str) -> SgNode:
    """The root of a source; raises CannotRead where the grammar can't read it whole.

    A test that lies in an unreadable part would not be missed otherwise.
    """
    root = parse(text, language)
    line = broken_at(root)
    if line is not None:
        raise CannotRead(
            f"line {line}: it is broken, or newer than the grammar of {language}"
        )
    return root


def kids(node: SgNode) -> list[SgNode]:
    """The named children of a node without its comments."""
    return [
        each
        for each in node.children()
        if each.is_named() and "comment" not in each.kind()
    ]


def child(node: SgNode, *kinds: str) -> SgNode | None:
    """The first child of one of these kinds."""
    return next((each for each in node.children() if each.kind() in kinds), None)


def children(node: SgNode | None, *kinds: str) -> list[SgNode]:
    """All children of these kinds."""
    if node is None:
        return []
    return [each for each in node.children() if each.kind() in kinds]


def has_word(node: SgNode, *words: str) -> bool:
    """Whether one of a node's unnamed children is one of these words."""
    return any(not each.is_named() and each.text() in words for each in node.children())


class Lowering:
    """What all languages do alike; subclasses name their kinds in the tables."""

    NAMES: ClassVar[frozenset[str]] = frozenset({"identifier"})
    TYPES: ClassVar[frozenset[str]] = frozenset({"type_identifier"})
    LITERALS: ClassVar[frozenset[str]] = frozenset()
    #: Kinds with a left side, an operator and a right side as their children.
    BINARIES: ClassVar[frozenset[str]] = frozenset({"binary_expression"})
    #: Kinds that are the one expression inside them.
    TRANSPARENT: ClassVar[frozenset[str]] = frozenset({"parenthesized_expression"})
    #: Kinds that are a list of statements.
    BLOCKS: ClassVar[frozenset[str]] = frozenset({"block"})

    def __init__(self) -> None:
        self.exprs: dict[str, Callable[[SgNode], Expr]] = {}
        self.stmts: dict[str, Callable[[SgNode], Iterable[Stmt]]] = {}
        self.shift = 0

    def line(self, node: SgNode) -> int:
        """The line of a node in the file."""
        return line_of(node) + self.shift

    def make(
        self,
        node: SgNode,
        shape: Shape,
        text: str = "",
        *,
        on: Expr | None = None,
        parts: Iterable[Expr] = (),
        labels: Iterable[str] = (),
        types: Iterable[str] = (),
        params: Iterable[str] = (),
        body: Iterable[Stmt] = (),
    ) -> Expr:
        """An expression that stands where a node stands."""
        return Expr(
            shape=shape,
            text=text,
            on=on,
            parts=tuple(parts),
            labels=tuple(labels),
            types=tuple(types),
            params=tuple(params),
            body=tuple(body),
            line=self.line(node),
            lines=last_line_of(node) - line_of(node),
            written=one_line(node.text()),
        )

    def expr(self, node: SgNode) -> Expr:
        """What an expression's node says."""
        kind = node.kind()
        if special := self.exprs.get(kind):
            return special(node)
        if kind in self.LITERALS:
            return self.make(node, Shape.LITERAL, literal_text(node.text()))
        if kind in self.NAMES:
            return self.make(node, Shape.NAME, node.text())
        if kind in self.TYPES:
            return self.make(node, Shape.TYPE, node.text())
        if kind in self.TRANSPARENT and (inner := kids(node)):
            return self.expr(inner[0])
        if kind in self.BINARIES:
            return self.binary(node)
        if kind in self.BLOCKS or kind in self.stmts:
            return self.make(node, Shape.LAMBDA, "{}", body=self.stmt(node))
        return self.words(node)

    def words(self, node: SgNode) -> Expr:
        """A node that has no meaning of its own here: its words in order."""
        if node.is_leaf():
            return self.make(node, Shape.WORD, node.text())
        parts = [
            self.expr(each) if each.is_named() else self.make(each, Shape.WORD, text)
            for each in node.children()
            if "comment" not in each.kind() and (text := each.text().strip())
        ]
        return self.make(node, Shape.TOKENS, parts=parts)

    def binary(self, node: SgNode) -> Expr:
        """A chain of operators; a long one takes no deep recursion."""
        chain = []
        while node.kind() in self.BINARIES:
            sides = [each for each in node.children() if "comment" not in each.kind()]
            if len(sides) != 3:  # noqa: PLR2004 - left, operator, right
                break
            chain.append((node, sides[1].text(), sides[2]))
            node = sides[0]
        left = self.words(node) if node.kind() in self.BINARIES else self.expr(node)
        for whole, operator, right in reversed(chain):
            left = self.make(
                whole, Shape.BINARY, operator, parts=(left, self.expr(right))
            )
        return left

    def negated(self, node: SgNode) -> Expr:
        """A unary expression: `!x` is a NOT, a signed number a literal."""
        inner = kids(node)
        text = node.text()
        if inner and text.startswith("!"):
            return self.make(node, Shape.NOT, parts=(self.expr(inner[-1]),))
        if inner and inner[-1].kind() in self.LITERALS and text[:1] in "-+":
            return self.make(
                node,
                Shape.LITERAL,
                text[0].strip("+") + literal_text(inner[-1].text()),
            )
        return self.words(node)

    def stmt(self, node: SgNode | None) -> tuple[Stmt, ...]:
        """What a statement's node says; a block is all its statements."""
        if node is None:
            return ()
        kind = node.kind()
        if "comment" in kind or not node.is_named():
            return ()
        if special := self.stmts.get(kind):
            return tuple(special(node))
        if kind in self.BLOCKS:
            return self.body(node)
        return (self.act(node, Act.DO, value=self.expr(node)),)

    def body(self, node: SgNode) -> tuple[Stmt, ...]:
        """All statements that a node holds."""
        return tuple(one for each in kids(node) for one in self.stmt(each))

    def act(
        self,
        node: SgNode,
        act: Act,
        *,
        names: Iterable[str] = (),
        value: Expr | None = None,
        target: Expr | None = None,
        word: str = "",
        body: Iterable[Stmt] = (),
        other: Iterable[Stmt] = (),
        type: str = "",  # noqa: A002 - it is the type
    ) -> Stmt:
        """A statement that stands where a node stands."""
        return Stmt(
            act=act,
            names=tuple(names),
            value=value,
            target=target,
            word=word,
            body=tuple(body),
            other=tuple(other),
            type=type,
            line=self.line(node),
            written=one_line(node.text()),
        )
