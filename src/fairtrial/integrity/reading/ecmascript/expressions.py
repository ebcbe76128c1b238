"""What expressions of a JavaScript test do and assert, and what its names are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect
from fairtrial.integrity.reading.ecmascript.acts import (
    asserting,
    hears,
    marks,
    stand_ins,
)
from fairtrial.integrity.reading.ecmascript.assertions import Facts, assertions
from fairtrial.integrity.reading.ecmascript.chains import Link, unchained
from fairtrial.integrity.reading.ecmascript.rows import (
    ROUNDS,
    Columns,
    pattern_of,
    rows_of,
)
from fairtrial.integrity.reading.ecmascript.scopes import (
    Assignments,
    Speaker,
    bind_pattern,
    calls_something,
    operand,
)
from fairtrial.integrity.reading.ecmascript.words import (
    FUNCTIONS,
    bare,
    body_of,
    bound_names,
    parameters_of,
)
from fairtrial.integrity.reading.script.naming import (
    Binding,
    Origin,
    Scope,
    is_short,
)
from fairtrial.integrity.reading.script.notes import Notes
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

#: Calls that simply run what they are given.
_RUNNERS: Final = frozenset({"act", "step", "then", "runInAction", "fakeAsync"})
#: Expressions that are an act by themselves.
_ACTS: Final = frozenset(
    {
        "call_expression",
        "new_expression",
        "update_expression",
        "augmented_assignment_expression",
        "unary_expression",
    }
)


class Actions(Notes, ABC):
    """Reads expressions into demands, in their order."""

    def __init__(self, facts: Facts, assignments: Assignments, whole: Piece) -> None:
        super().__init__()
        self.facts = facts
        self.assignments = assignments
        self.whole = whole
        #: The outermost block: what is declared in one and assigned in another is here.
        self.home: Scope | None = None

    @abstractmethod
    def run(self, statements: Sequence[Piece], scope: Scope) -> bool:
        """Reads a block; whether it ends before what follows it."""

    def function(self, function: Piece, scope: Scope, name: str) -> None:
        """Reads a helper inside a test: it demands where it stands what it demands."""
        found = asserting(function)
        scope.names[name] = Binding(
            origin=Origin.HELPER,
            numbers=None if found else self.numbers,
            asserts=found,
        )
        if found:
            self._callback(function, scope, "a function")

    # Declarations

    def declare(self, declarator: Piece, scope: Scope) -> None:
        """Binds the names of a declaration, and reads what its value does."""
        pattern = declarator.parts[0]
        value = declarator.nodes[-1] if declarator.has("=") else None
        names = bound_names(pattern)
        if value is None:
            again = [
                it for name in names for it in self.assignments.of(name, self.whole)
            ]
            if len(again) != 1:
                self.unknown(names, scope)
            return
        inner = bare(value)
        if (
            inner.kind in FUNCTIONS
            and pattern.kind == "identifier"
            and asserting(inner)
        ):
            self.function(inner, scope, pattern.text)
            return
        changed = any(self.assignments.of(name, self.whole) for name in names)
        self.effects(value, scope)
        self._bind(pattern, value, scope, changed=changed)

    def _bind(
        self, pattern: Piece, value: Piece, scope: Scope, *, changed: bool
    ) -> None:
        speaker = Speaker(scope)
        inner = bare(value)
        said = speaker.say(inner)
        effective = calls_something(inner)
        if changed or not is_short(said):
            base = list(self.numbers.fresh())
            self.arrange(value, [*base, "=", *said])
            bind_pattern(scope, pattern, base, Origin.LOCAL)
            return
        literal = speaker.is_literal(inner)
        if not literal and len(said) > 1:
            said = list(self.numbers.distinct(said))
        base = said if pattern.kind == "identifier" else list(operand(said, inner))
        bind_pattern(scope, pattern, base, Origin.LOCAL, literal=literal)
        bound = [
            scope.names[name] for name in bound_names(pattern) if name in scope.names
        ]
        if pattern.kind == "identifier" and bound:
            bound[0].value = inner
        if effective:
            self.arrange(value, said, bound)

    # Expressions

    def expression(self, piece: Piece, scope: Scope, *, awaited: bool = False) -> None:
        """Reads an expression that stands for its effects."""
        inner = bare(piece)
        nodes = inner.nodes
        if inner.kind == "await_expression" and nodes:
            self.expression(nodes[0], scope, awaited=True)
        elif inner.kind == "sequence_expression":
            for each in nodes:
                self.expression(each, scope, awaited=awaited)
        elif inner.kind == "unary_expression" and inner.has("void") and nodes:
            self.expression(nodes[0], scope)
        elif inner.kind == "assignment_expression":
            self._assign(inner, scope)
        elif not self._branches(inner, scope, awaited=awaited):
            self._called(inner, scope, awaited=awaited)

    def _branches(self, inner: Piece, scope: Scope, *, awaited: bool) -> bool:
        """Reads what is done only under a condition; whether it was that."""
        nodes = inner.nodes
        if inner.kind == "ternary_expression":
            for word, part in zip(("if", "unless"), nodes[1:], strict=False):
                self._under(word, nodes[0], part, scope, awaited=awaited)
            return True
        if inner.kind == "binary_expression" and (inner.has("&&") or inner.has("||")):
            word = "if" if inner.has("&&") else "unless"
            self._under(word, nodes[0], nodes[-1], scope, awaited=awaited)
            return True
        return inner.kind in FUNCTIONS

    def _under(
        self, word: str, condition: Piece, piece: Piece, scope: Scope, *, awaited: bool
    ) -> None:
        self.guards.append(f"{word} {joined(Speaker(scope).say(condition))}")
        self.expression(piece, scope, awaited=awaited)
        self.guards.pop()

    def _assign(self, inner: Piece, scope: Scope) -> None:
        target, value = inner.nodes[0], inner.nodes[-1]
        found = stand_ins(inner, Speaker(scope), self.guard)
        if found:
            self.add(*found)
            return
        self.effects(value, scope)
        names = bound_names(target)
        if names and all(self._is_set_once(name, scope) for name in names):
            self._bind(target, value, self.home or scope, changed=False)
            return
        told = scope.find(names[0]) if names == [target.text] else None
        said = Speaker(scope).say(inner)
        if told is not None and told.words and told.origin is Origin.FIXTURE:
            # The name stands for just this value wherever a test says it.
            said = Speaker(scope).say(value)
        self.arrange(inner, said)

    def _is_set_once(self, name: str, scope: Scope) -> bool:
        """Whether a name was declared without a value and is given one only here."""
        again = self.assignments.of(name, self.whole)
        return scope.find(name) is None and len(again) == 1

    def _called(self, inner: Piece, scope: Scope, *, awaited: bool) -> None:
        speaker = Speaker(scope)
        chain = unchained(inner)
        found = assertions(
            inner, speaker, self.facts, awaited=awaited, guard=self.guard
        )
        self.add(*found)
        if found:
            self._inside(inner, scope)
            return
        told = marks(chain, speaker, inner, self.guard)
        told = told or stand_ins(inner, speaker, self.guard)
        self.add(*told)
        if told:
            return
        read = self.effects(inner, scope)
        if inner.kind in _ACTS:
            before = ["await"] if awaited else []
            self.arrange(inner, [*before, *Speaker(scope).say(inner, read)])

    def effects(self, piece: Piece, scope: Scope) -> frozenset[int]:
        """Reads what a value asserts and replaces while it is worked out.

        The functions inside it that were read are told by where they begin.
        """
        inner = bare(piece)
        if inner.kind == "await_expression" and inner.nodes:
            return self.effects(inner.nodes[0], scope)
        if inner.kind != "call_expression":
            return frozenset()
        speaker = Speaker(scope)
        found = stand_ins(inner, speaker, self.guard)
        if found:
            self.add(*found)
            return frozenset()
        if unchained(inner).name == "expect":
            guard = self.guard
            self.add(*assertions(inner, speaker, self.facts, awaited=True, guard=guard))
        return self._inside(inner, scope)

    def _inside(self, piece: Piece, scope: Scope) -> frozenset[int]:
        """Reads the functions that a chain of calls is given, where they assert."""
        read: set[int] = set()
        chain = unchained(piece)
        for link in chain.links:
            for argument in map(bare, link.arguments or ()):
                if argument.kind == "array":
                    for each in argument.nodes:
                        if unchained(each).name == "expect":
                            self.expression(each, scope, awaited=True)
                if argument.kind not in FUNCTIONS:
                    continue
                if link.name == "catch" and not hears(argument):
                    self.note(Aspect.SWALLOWED, link.piece, "catch")
                if asserting(argument):
                    self._callback(argument, scope, link.name or chain.name, link)
                    read.add(argument.start)
        return frozenset(read)

    def rounds(self, pattern: Piece, iterated: Piece, scope: Scope) -> bool:
        """Tells the rows of a loop over a written list; whether it is one."""
        speaker = Speaker(scope)
        table = speaker.value_of(iterated)
        if table.kind != "array" or not speaker.is_literal(table):
            return False
        listed = pattern.nodes if pattern.kind == "array_pattern" else [pattern]
        names = [f"$each{place}" for place in range(len(listed))]
        for name, part in zip(names, listed, strict=True):
            bind_pattern(scope, part, [name], Origin.ROW)
        rows = rows_of(table, Columns(names=tuple(names)), speaker)
        self.add(*(replace(each, subject="") for each in rows))
        return True

    def _callback(
        self, function: Piece, scope: Scope, callee: str, link: Link | None = None
    ) -> None:
        inner = scope.inner()
        guard = _run_by(callee)
        parameters = parameters_of(function)
        if parameters is not None:
            self.unknown(bound_names(parameters), inner)
            if link is not None and callee == "forEach":
                first = (parameters.nodes or [parameters])[0]
                before = link.piece.parts[0].parts[0]
                if self.rounds(pattern_of(first), before, inner):
                    guard = ROUNDS
        body = body_of(function)
        if guard:
            self.guards.append(guard)
        if body is not None and body.kind == "statement_block":
            self.run(body.nodes, inner.inner())
        elif body is not None:
            self.expression(body, inner, awaited=True)
        if guard:
            self.guards.pop()


def _run_by(callee: str) -> str:
    """The condition under which a call runs the function that it is given."""
    return "" if callee in _RUNNERS else f"in {callee}"
