"""What a test or helper of JavaScript does, statement by statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand
from fairtrial.integrity.reading.ecmascript.acts import hears
from fairtrial.integrity.reading.ecmascript.assertions import Facts
from fairtrial.integrity.reading.ecmascript.expressions import Actions
from fairtrial.integrity.reading.ecmascript.rows import ROUNDS
from fairtrial.integrity.reading.ecmascript.scopes import (
    Assignments,
    Speaker,
    bind_pattern,
    calls_something,
)
from fairtrial.integrity.reading.ecmascript.words import (
    DECLARATIONS,
    FUNCTIONS,
    bound_names,
)
from fairtrial.integrity.reading.script.naming import (
    Binding,
    Origin,
    Scope,
)
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import joined

_FALSE: Final = frozenset({"false", "0", "null", "undefined", '""', "!true"})


class Body(Actions):
    """Reads statements into demands, in their order."""

    def __init__(self, facts: Facts, assignments: Assignments, whole: Piece) -> None:
        super().__init__(facts, assignments, whole)
        #: How each kind of statement is read; whether nothing after it is reached.
        self._kinds = {
            "expression_statement": self._plain,
            "lexical_declaration": self._declaration,
            "variable_declaration": self._declaration,
            "statement_block": self._block,
            "return_statement": self._return,
            "throw_statement": self._throw,
            "if_statement": self._if,
            "for_statement": self._for,
            "for_in_statement": self._for_each,
            "while_statement": self._while,
            "do_statement": self._do,
            "try_statement": self._try,
            "switch_statement": self._switch,
            "labeled_statement": self._labelled,
            "function_declaration": self._local_function,
            "generator_function_declaration": self._local_function,
        }

    def run(self, statements: Sequence[Piece], scope: Scope) -> bool:
        """Reads a block; whether it ends before what follows it."""
        self.home = self.home or scope
        depth = len(self.guards)
        for place, each in enumerate(statements):
            if self._statement(each, scope):
                self._dead(statements[place + 1 :], after=each)
                del self.guards[depth:]
                return True
        del self.guards[depth:]
        return False

    def _dead(self, statements: Sequence[Piece], *, after: Piece) -> None:
        """Statements that are never reached."""
        for each in statements:
            inside = {part.kind for part in below(each)}
            if "call_expression" in inside and each.kind not in FUNCTIONS:
                self.note(Aspect.UNREACHABLE, after, "code after an exit")
                return

    def _statement(self, each: Piece, scope: Scope) -> bool:
        read = self._kinds.get(each.kind)
        return (
            read is not None
            and bool(each.nodes or read == self._return)
            and read(each, scope)
        )

    def _plain(self, each: Piece, scope: Scope) -> bool:
        self.expression(each.nodes[0], scope)
        return False

    def _declaration(self, each: Piece, scope: Scope) -> bool:
        for declarator in each.nodes:
            if declarator.kind == "variable_declarator":
                self.declare(declarator, scope)
        return False

    def _block(self, each: Piece, scope: Scope) -> bool:
        return self.run(each.nodes, scope.inner())

    def _labelled(self, each: Piece, scope: Scope) -> bool:
        return self._statement(each.nodes[-1], scope)

    def _return(self, each: Piece, scope: Scope) -> bool:
        if each.nodes:
            self.expression(each.nodes[0], scope, awaited=True)
        return True

    def _throw(self, each: Piece, scope: Scope) -> bool:
        self.add(
            Demand(
                aspect=Aspect.ASSERTION,
                kind=AssertionKind.CUSTOM,
                subject="throw",
                expected=joined(Speaker(scope).say(each.nodes[0])),
                guard=self.guard,
                text=each.text[:200],
                line=each.line,
            )
        )
        return True

    def _if(self, each: Piece, scope: Scope) -> bool:
        parts = each.nodes
        condition = joined(Speaker(scope).say(parts[0]))
        consequent = parts[1] if len(parts) > 1 else each
        other = each.first("else_clause")
        if condition in _FALSE or condition in {"true", "1", "!false"}:
            return self._decided(each, scope, holds=condition not in _FALSE)
        self.guards.append(f"if {condition}")
        ends = self._branch(consequent, scope)
        self.guards.pop()
        self.guards.append(f"unless {condition}")
        otherwise = False
        if other is not None and other.nodes:
            otherwise = self._branch(other.nodes[-1], scope)
        if not ends:
            self.guards.pop()
        if otherwise and not ends:
            self.guards.append(f"if {condition}")
        return ends and otherwise

    def _decided(self, each: Piece, scope: Scope, *, holds: bool) -> bool:
        """An `if` whose condition is written out."""
        other = each.first("else_clause")
        taken = each.nodes[1] if len(each.nodes) > 1 else None
        left = other.nodes[-1] if other is not None and other.nodes else None
        if not holds:
            taken, left = left, taken
        if left is not None and calls_something(left):
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
        return self._branch(taken, scope) if taken is not None else False

    def _branch(self, each: Piece, scope: Scope) -> bool:
        block = each.nodes if each.kind == "statement_block" else [each]
        return self.run(block, scope.inner())

    def _for_each(self, each: Piece, scope: Scope) -> bool:
        inner = scope.inner()
        pattern, iterated = each.nodes[0], each.nodes[1]
        if self.rounds(pattern, iterated, inner):
            return self._looped(ROUNDS, each.nodes[-1], inner)
        self.unknown(bound_names(pattern), inner)
        if pattern.kind.endswith("_pattern"):
            bind_pattern(inner, pattern, ["each"], Origin.LOCAL)
        said = joined(Speaker(scope).say(iterated))
        return self._looped(f"for {said}", each.nodes[-1], inner)

    def _for(self, each: Piece, scope: Scope) -> bool:
        inner = scope.inner()
        first = each.nodes[0]
        if first.kind in DECLARATIONS:
            self.unknown(
                [name for it in first.nodes for name in bound_names(it.parts[0])], inner
            )
        rest = [joined(Speaker(inner).say(part)) for part in each.nodes[:-1]]
        return self._looped("for " + "; ".join(rest), each.nodes[-1], inner)

    def _while(self, each: Piece, scope: Scope) -> bool:
        said = joined(Speaker(scope).say(each.nodes[0]))
        if said in _FALSE:
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
            return False
        return self._looped(f"while {said}", each.nodes[-1], scope)

    def _do(self, each: Piece, scope: Scope) -> bool:
        self._branch(each.nodes[0], scope)
        return False

    def _looped(self, guard: str, body: Piece, scope: Scope) -> bool:
        self.guards.append(guard)
        self._branch(body, scope)
        self.guards.pop()
        return False

    def _try(self, each: Piece, scope: Scope) -> bool:
        block = each.first("statement_block")
        handler = each.first("catch_clause")
        last = each.first("finally_clause")
        ends = False
        if handler is not None:
            if not hears(handler):
                self.note(Aspect.SWALLOWED, handler, "catch")
            self.guards.append("try")
        if block is not None:
            ends = self._branch(block, scope)
        if handler is not None:
            self.guards[-1] = "catch"
            inner = scope.inner()
            if len(handler.nodes) > 1:
                for name in bound_names(handler.nodes[0]):
                    inner.names[name] = Binding(origin=Origin.LOCAL, words=("error",))
            ends = self._branch(handler.nodes[-1], inner) and ends
            self.guards.pop()
        if last is not None:
            self._branch(last.nodes[-1], scope)
        return ends

    def _switch(self, each: Piece, scope: Scope) -> bool:
        value = joined(Speaker(scope).say(each.nodes[0]))
        for case in each.nodes[-1].nodes:
            wanted = "default"
            statements = case.nodes
            if case.kind == "switch_case" and statements:
                wanted = joined(Speaker(scope).say(statements[0]))
                statements = statements[1:]
            self.guards.append(f"case {value} is {wanted}")
            self.run(statements, scope.inner())
            self.guards.pop()
        return False

    def _local_function(self, each: Piece, scope: Scope) -> bool:
        name = each.first("identifier")
        if name is not None:
            self.function(each, scope, name.text)
        return False
