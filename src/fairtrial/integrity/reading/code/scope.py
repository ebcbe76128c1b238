"""What the names inside a test stand for, and how an expression is said.

A local that gets its value once is replaced by the value; others are numbered in the
order in which they come to be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.demands import Source
from fairtrial.integrity.reading.code.code import Act, Arm, Expr, Shape, Stmt
from fairtrial.integrity.syntax import digest

#: Longest text of one expression; more is named by its digest.
LONGEST_SAID: Final = 1_000

#: What stands for the whole row of a table.
WHOLE_ROW: Final = "$row"

#: Words that stand close to what follows or precedes them.
_OPENING: Final = frozenset({"(", "[", ".", "::", "?.", "!", "&", "@", "{"})
_CLOSING: Final = frozenset({")", "]", ".", "::", "?.", ",", ";", "(", "[", "?", "}"})

#: Callees that hold what they are given.
_LISTS: Final = frozenset(
    {"{}", "map{}", "listOf", "arrayOf", "setOf", "mapOf", "of", "asList", "arguments"}
)
#: Callees that read a file, in any of the languages.
_FILES: Final = frozenset(
    {
        "readString",
        "readAllBytes",
        "readAllLines",
        "readAllText",
        "ReadAllText",
        "ReadAllBytes",
        "ReadAllLines",
        "ReadFile",
        "readText",
        "readLines",
        "readBytes",
        "read_to_string",
        "include_str",
        "include_bytes",
        "getResource",
        "getResourceAsStream",
        "GetManifestResourceStream",
        "ClassPathResource",
        "new ClassPathResource",
    }
)


def capped(text: str) -> str:
    """A text that is no longer than the longest: its end is named by a digest."""
    if len(text) <= LONGEST_SAID:
        return text
    return f"{text[: LONGEST_SAID - 20]}…{digest([text])}"


@dataclass(frozen=True, slots=True)
class Said:
    """An expression as text: in full, with blanked arguments, and the arguments."""

    full: str
    blanked: str
    inputs: tuple[str, ...] = ()
    source: Source = Source.COMPUTED


@dataclass(slots=True)
class Scope:
    """The names that are known at a point of a test."""

    #: Names that are assigned again somewhere in the test.
    changing: frozenset[str] = frozenset()
    known: dict[str, Said] = field(default_factory=dict)
    outer: Scope | None = None
    #: How many numbers are given out, shared by all scopes of a test.
    count: list[int] = field(default_factory=lambda: [0])
    #: How many names got a value that reads like this one, shared by all scopes.
    taken: dict[str, int] = field(default_factory=dict)
    #: Once-assigned names are numbered like others.
    resolving: bool = True
    #: How many variables of loops, handlers and lambdas are around.
    depth: int = 0

    def inner(self) -> Scope:
        """A scope for a block inside this one."""
        return Scope(
            changing=self.changing,
            outer=self,
            count=self.count,
            taken=self.taken,
            resolving=self.resolving,
            depth=self.depth,
        )

    def bind(self, name: str) -> None:
        """Name a variable of a loop, handler or lambda by how deep it stands."""
        self.depth += 1
        text = f"$d{self.depth}"
        self.known[name] = Said(text, text, (), Source.LOCAL)

    def look(self, name: str) -> Said | None:
        """What a name stands for; None for one that is not of this test."""
        scope: Scope | None = self
        while scope is not None:
            if (said := scope.known.get(name)) is not None:
                return said
            scope = scope.outer
        return None

    def number(self, name: str, source: Source = Source.LOCAL) -> None:
        """Give a name the next number."""
        self.count[0] += 1
        text = f"${self.count[0]}"
        self.known[name] = Said(text, text, (), source)

    def declare(self, names: tuple[str, ...], said: Said | None) -> None:
        """Bind names to the parts of a value, or to numbers."""
        if not self.resolving:
            said = None
        elif said is not None and "(" in said.full:
            said = self.another(said)
        for place, name in enumerate(names):
            if name == "_":
                continue
            if said is None or name in self.changing:
                self.number(name)
                continue
            source = Source.LOCAL if said.source is Source.LITERAL else said.source
            if place == 0:
                self.known[name] = replace(said, source=source)
            else:
                end = f"#{place}"
                self.known[name] = Said(
                    said.full + end, said.blanked + end, said.inputs, source
                )

    def another(self, said: Said) -> Said:
        """A value that was made anew, though it reads like the one before."""
        times = self.taken[said.full] = self.taken.get(said.full, 0) + 1
        if times == 1:
            return said
        end = f"~{times}"
        return replace(said, full=said.full + end, blanked=said.blanked + end)

    def say(self, expr: Expr) -> Said:
        """An expression as text."""
        said = self._say(expr)
        return Said(
            capped(said.full),
            capped(said.blanked),
            said.inputs[:20],
            said.source,
        )

    def _say(  # noqa: C901 - one case per shape
        self, expr: Expr
    ) -> Said:
        match expr.shape:
            case Shape.NAME:
                if (known := self.look(expr.text)) is not None:
                    return known
                return Said(expr.text, expr.text, (), Source.FIXTURE)
            case Shape.LITERAL:
                return Said(expr.text, expr.text, (), Source.LITERAL)
            case Shape.TYPE | Shape.WORD:
                return Said(expr.text, expr.text, (), Source.LITERAL)
            case Shape.MEMBER:
                return self._member(expr)
            case Shape.CALL:
                return self._call(expr)
            case Shape.NOT:
                inner = self.say(expr.parts[0])
                return Said(
                    f"!{inner.full}", f"!{inner.blanked}", inner.inputs, inner.source
                )
            case Shape.BINARY:
                left, right = (self.say(each) for each in expr.parts)
                return Said(
                    f"({left.full} {expr.text} {right.full})",
                    f"({left.blanked} {expr.text} {right.blanked})",
                    left.inputs + right.inputs,
                    _least_known((left, right)),
                )
            case Shape.LAMBDA:
                return self._lambda(expr)
            case Shape.TOKENS:
                parts = [self.say(each) for each in expr.parts]
                return Said(
                    joined(each.full for each in parts),
                    joined(each.blanked for each in parts),
                    tuple(one for each in parts for one in each.inputs),
                    _least_known(parts),
                )

    def _member(self, expr: Expr) -> Said:
        if expr.on is None:
            return Said(expr.text, expr.text, (), Source.FIXTURE)
        if expr.on.shape is Shape.WORD and expr.on.text == "this":
            return Said(expr.text, expr.text, (), Source.FIXTURE)
        on = self.say(expr.on)
        if on.full == WHOLE_ROW:
            return Said(f"${expr.text}", f"${expr.text}", (), Source.ROW)
        source = Source.COMPUTED if expr.on.shape is Shape.CALL else Source.FIXTURE
        if on.source is Source.ROW:
            source = Source.ROW
        return Said(
            f"{on.full}.{expr.text}", f"{on.blanked}.{expr.text}", on.inputs, source
        )

    def _call(self, expr: Expr) -> Said:
        on = None
        if expr.on is not None and not (
            expr.on.shape is Shape.WORD and expr.on.text == "this"
        ):
            on = self.say(expr.on)
        name = expr.text
        if expr.types:
            name += "<" + ", ".join(expr.types) + ">"
        parts = [self.say(each) for each in expr.parts]
        labels = expr.labels or ("",) * len(parts)
        arguments = tuple(
            f"{label} = {each.full}" if label else each.full
            for label, each in zip(labels, parts, strict=True)
        )
        if name == "[]":
            full, blanked = f"[{', '.join(arguments)}]", "[_]"
            stem = ""
        else:
            full = f"({', '.join(arguments)})"
            blanked = "(_)" if arguments else "()"
            stem = name if on is None else f".{name}"
        before = on or Said("", "")
        source = Source.FILE if expr.text in _FILES else Source.COMPUTED
        if name in _LISTS:
            source = _least_known(parts)
        if any(each.source is Source.FILE for each in (before, *parts)):
            source = Source.FILE
        return Said(
            f"{before.full}{stem}{full}",
            f"{before.blanked}{stem}{blanked}",
            before.inputs + arguments,
            source,
        )

    def _lambda(self, expr: Expr) -> Said:
        scope = self.inner()
        for name in expr.params:
            scope.bind(name)
        if (
            len(expr.body) == 1
            and expr.body[0].act in {Act.DO, Act.RETURN}
            and expr.body[0].value is not None
        ):
            inner = scope.say(expr.body[0].value)
            if not expr.params:
                return inner
            return Said(f"λ {inner.full}", f"λ {inner.blanked}", inner.inputs)
        text = scope.block(expr.body)
        return Said(f"λ {text}", f"λ {text}")

    def block(self, body: tuple[Stmt, ...]) -> str:
        """Statements as text."""
        return capped("{ " + "; ".join(self.stmt(each) for each in body) + " }")

    def stmt(  # noqa: C901 - one case per kind of statement
        self, stmt: Stmt
    ) -> str:
        """One statement as text; what it declares is known from then on."""
        said = None if stmt.value is None else self.say(stmt.value)
        value = "" if said is None else said.full
        match stmt.act:
            case Act.DECLARE:
                self.declare(stmt.names, said)
                if self.resolving and not (set(stmt.names) & self.changing):
                    return ""
                names = ", ".join(self._name(each) for each in stmt.names)
                return f"{names} = {value}"
            case Act.ASSIGN:
                target = "" if stmt.target is None else self.say(stmt.target).full
                return f"{target} {stmt.word} {value}"
            case Act.DO:
                return value
            case Act.RETURN | Act.THROW:
                return f"{stmt.act.value} {value}".strip()
            case Act.JUMP:
                return stmt.word
            case Act.IF | Act.LOOP | Act.TRY | Act.BLOCK | Act.SWITCH | Act.DEFINE:
                scope = self.inner()
                for name in stmt.names:
                    scope.bind(name)
                text = f"{stmt.act.value} {value} {scope.block(stmt.body)}"
                if stmt.act is Act.DEFINE:
                    text = f"define {stmt.names[0]} {value} {scope.block(stmt.body)}"
                text += "".join(scope.arm(arm) for arm in stmt.arms)
                if stmt.other:
                    text += f" else {self.inner().block(stmt.other)}"
                return text

    def arm(self, arm: Arm) -> str:
        """A handler, or an arm of a switch, as text."""
        scope = self.inner()
        if arm.name:
            scope.bind(arm.name)
        label = "" if arm.label is None else scope.say(arm.label).full
        return f" on {label}{' | '.join(arm.types)} {scope.block(arm.body)}"

    def _name(self, name: str) -> str:
        said = self.look(name)
        return name if said is None else said.full


def joined(words: Iterable[str]) -> str:
    """Words with single spaces where they need them."""
    text = ""
    close = True
    for each in words:
        if not each:
            continue
        if text and not close and each not in _CLOSING:
            text += " "
        text += each
        close = each in _OPENING
    return text


def _least_known(parts: Iterable[Said]) -> Source:
    """Where a value comes from that is put together from others."""
    sources = {each.source for each in parts}
    for source in (
        Source.FILE,
        Source.COMPUTED,
        Source.ROW,
        Source.FIXTURE,
        Source.LOCAL,
    ):
        if source in sources:
            return source
    return Source.LITERAL


def changing(body: tuple[Stmt, ...]) -> frozenset[str]:
    """The names that a body assigns after their declaration, lambdas included."""
    found = set()
    stack = list(body)
    while stack:
        stmt = stack.pop()
        if (
            stmt.act is Act.ASSIGN
            and stmt.target is not None
            and stmt.target.shape is Shape.NAME
        ):
            found.add(stmt.target.text)
        stack += [*stmt.body, *stmt.other]
        stack += [one for arm in stmt.arms for one in arm.body]
        exprs = [stmt.value, stmt.target, *(arm.label for arm in stmt.arms)]
        while exprs:
            each = exprs.pop()
            if each is None:
                continue
            stack += each.body
            exprs += [each.on, *each.parts]
    return frozenset(found)
