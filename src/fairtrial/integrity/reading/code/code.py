"""What test code says, in words that Java, Go and Rust have in common.

A language lowers its own syntax tree to these nouns; what reads demands out of them is
shared by all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Shape(StrEnum):
    """What an expression is."""

    NAME = "name"
    TYPE = "type"
    LITERAL = "literal"
    #: `on.text(parts)`; `new Cart` and the operator `[]` are called, too.
    CALL = "call"
    #: `on.text`.
    MEMBER = "member"
    LAMBDA = "lambda"
    #: `parts[0] text parts[1]`.
    BINARY = "binary"
    NOT = "not"
    #: Anything else: its words in order.
    TOKENS = "tokens"
    WORD = "word"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Expr:
    """One expression."""

    shape: Shape
    #: The name, the normalised literal, the callee's or member's name, the operator.
    text: str = ""
    on: Expr | None = None
    parts: tuple[Expr, ...] = ()
    #: Names of the arguments, "" for those without; as long as `parts`, or empty.
    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    body: tuple[Stmt, ...] = ()
    line: int = 0
    #: How many more lines it takes.
    lines: int = 0
    #: As written, on one line.
    written: str = ""


class Act(StrEnum):
    """What a statement does."""

    DECLARE = "declare"
    ASSIGN = "assign"
    DO = "do"
    IF = "if"
    LOOP = "loop"
    TRY = "try"
    RETURN = "return"
    THROW = "throw"
    #: `break`, `continue`, `yield`.
    JUMP = "jump"
    BLOCK = "block"
    SWITCH = "switch"
    #: A function inside a function.
    DEFINE = "define"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arm:
    """A handler of a `try` (types, name) or an arm of a `switch` (label)."""

    label: Expr | None = None
    types: tuple[str, ...] = ()
    name: str = ""
    body: tuple[Stmt, ...] = ()
    line: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stmt:
    """One statement."""

    act: Act
    #: What is declared; the variables of a loop.
    names: tuple[str, ...] = ()
    #: The value, the condition, what is looped over or returned.
    value: Expr | None = None
    target: Expr | None = None
    #: The operator of an assignment, the keyword of a jump or a loop.
    word: str = ""
    body: tuple[Stmt, ...] = ()
    #: The `else`, the `finally`.
    other: tuple[Stmt, ...] = ()
    arms: tuple[Arm, ...] = ()
    type: str = ""
    line: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mark:
    """An annotation or attribute; `name` without its package."""

    name: str
    args: tuple[Expr, ...] = ()
    labels: tuple[str, ...] = ()
    line: int = 0
    written: str = ""

    def value(self, *labels: str) -> Expr | None:
        """The argument under one of these labels ("" for the unnamed first)."""
        for each, label in zip(self.args, self.labels, strict=True):
            if label in labels:
                return each
        return None

    def values(self, *labels: str) -> tuple[Expr, ...]:
        """All arguments under one of these labels."""
        return tuple(
            each
            for each, label in zip(self.args, self.labels, strict=True)
            if label in labels
        )


class UnitKind(StrEnum):
    """What a declaration declares."""

    CLASS = "class"
    FUNCTION = "function"
    FIELD = "field"
    #: Code that runs when its class or file is set up.
    INITIALISER = "initialiser"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unit:
    """A class, function, field or initialiser, with what it holds."""

    kind: UnitKind
    name: str
    marks: tuple[Mark, ...] = ()
    words: frozenset[str] = frozenset()
    params: tuple[str, ...] = ()
    #: The types of the parameters, for a function; the type of a field.
    types: tuple[str, ...] = ()
    returns: str = ""
    bases: tuple[str, ...] = ()
    body: tuple[Stmt, ...] = ()
    value: Expr | None = None
    members: tuple[Unit, ...] = ()
    line: int = 0
    last_line: int = 0
    text: str = ""

    def mark(self, *names: str) -> Mark | None:
        """Its first mark that has one of these names."""
        return next((each for each in self.marks if each.name in names), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """A whole file."""

    units: tuple[Unit, ...] = ()
    imports: Mapping[str, str] = field(default_factory=dict)


EMPTY: Final = Expr(shape=Shape.WORD)


def word(text: str, line: int = 0) -> Expr:
    """A word that stands for itself."""
    return Expr(shape=Shape.WORD, text=text, line=line, written=text)


def expressions(expr: Expr) -> Iterator[Expr]:
    """An expression and all inside it, statements of its lambdas included."""
    stack = [expr]
    while stack:
        each = stack.pop()
        yield each
        inside = [] if each.on is None else [each.on]
        inside += each.parts
        inside += [one for stmt in statements(each.body) for one in direct(stmt)]
        stack += reversed(inside)


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """All statements of a body, deep, but those inside lambdas."""
    stack = list(reversed(body))
    while stack:
        each = stack.pop()
        yield each
        inside = [*each.body, *(one for arm in each.arms for one in arm.body)]
        stack += reversed([*inside, *each.other])


def direct(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that a statement holds itself."""
    if stmt.target is not None:
        yield stmt.target
    if stmt.value is not None:
        yield stmt.value
    for arm in stmt.arms:
        if arm.label is not None:
            yield arm.label


def inside(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """All expressions of a body, deep."""
    for stmt in statements(body):
        for each in direct(stmt):
            yield from expressions(each)
