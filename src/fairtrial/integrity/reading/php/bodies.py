"""What a test or helper of PHP does, statement by statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand
from fairtrial.integrity.reading.php.assertions import assertions, chain_of
from fairtrial.integrity.reading.php.words import (
    CALLS,
    FUNCTIONS,
    Speaker,
    arguments_of,
    bare,
    key_of,
    parameters_of,
    statements_of,
    text_value,
)
from fairtrial.integrity.reading.script.naming import Binding, Origin, Scope, is_short
from fairtrial.integrity.reading.script.notes import Notes, demand
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import joined

_FALSE: Final = frozenset({"false", "0", "null"})
_ASSERTS: Final = re.compile(r"(?:assert|expect|verify|check|ensure|fail)(?=[A-Z_]|$)")
_SKIPS: Final = {"markTestSkipped": "skip", "markTestIncomplete": "incomplete"}
_ANSWERS: Final = re.compile(r"will\w*$|andReturn\w*$|andThrow$|returns$")
_ROUNDS: Final = "for each row"


def asserting(piece: Piece) -> bool:
    """Whether something inside looks like an assertion."""
    return any(
        each.kind == "name" and _ASSERTS.match(each.text) for each in below(piece)
    )


class Body(Notes):
    """Reads statements into demands, in their order."""

    def __init__(self, whole: Piece, helpers: Callable[[str], bool]) -> None:
        super().__init__()
        self.helpers = helpers
        self._assigned: dict[str, int] = {}
        for each in below(whole):
            if each.kind in {
                "assignment_expression",
                "augmented_assignment_expression",
                "update_expression",
            }:
                key = key_of(each.nodes[0]) if each.nodes else None
                if key is not None:
                    self._assigned[key] = self._assigned.get(key, 0) + 1
        self._kinds: dict[str, Callable[[Piece, Scope], bool]] = {
            "expression_statement": self._plain,
            "compound_statement": self._block,
            "colon_block": self._block,
            "return_statement": self._return,
            "if_statement": self._if,
            "else_if_clause": self._if,
            "else_clause": self._block,
            "foreach_statement": self._for_each,
            "for_statement": self._loop,
            "while_statement": self._loop,
            "do_statement": self._loop,
            "try_statement": self._try,
            "switch_statement": self._block,
            "switch_block": self._block,
            "case_statement": self._block,
            "default_statement": self._block,
        }

    def run(self, statements: Sequence[Piece], scope: Scope) -> bool:
        """Reads a block; whether it ends before what follows it."""
        depth = len(self.guards)
        ends = False
        for place, each in enumerate(statements):
            if self._statement(each, scope):
                ends = True
                rest = statements[place + 1 :]
                if any(it.kind in CALLS for part in rest for it in below(part)):
                    self.note(Aspect.UNREACHABLE, each, "code after an exit")
                break
        del self.guards[depth:]
        return ends

    def _statement(self, each: Piece, scope: Scope) -> bool:
        read = self._kinds.get(each.kind)
        if read is not None:
            return read(each, scope)
        if each.kind in CALLS | FUNCTIONS | {"throw_expression", "match_expression"}:
            return self._expression(each, scope)
        return False

    def _plain(self, each: Piece, scope: Scope) -> bool:
        return self._expression(each.nodes[0], scope) if each.nodes else False

    def _block(self, each: Piece, scope: Scope) -> bool:
        return self.run(each.nodes, scope)

    def _return(self, each: Piece, scope: Scope) -> bool:
        for part in each.nodes:
            self._expression(part, scope)
        return True

    def _under(self, guard: str, statements: Sequence[Piece], scope: Scope) -> bool:
        if guard:
            self.guards.append(guard)
        ends = self.run(statements, scope)
        if guard:
            self.guards.pop()
        return ends

    def _if(self, each: Piece, scope: Scope) -> bool:
        condition = joined(Speaker(scope).say(each.nodes[0]))
        then, others = each.nodes[1:2], each.nodes[2:]
        if condition in _FALSE:
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
            return self.run(others, scope)
        if condition == "true":
            return self.run(then, scope)
        ends = self._under(f"if {condition}", then, scope)
        otherwise = self._under(f"unless {condition}", others, scope)
        if ends and not otherwise:
            self.guards.append(f"unless {condition}")
        return ends and otherwise

    def _for_each(self, each: Piece, scope: Scope) -> bool:
        inner = scope.inner()
        table, pattern = bare(each.nodes[0]), each.nodes[1]
        names = [it.text for it in below(pattern) if it.kind == "variable_name"]
        guard = f"for {joined(Speaker(scope).say(table))}"
        speaker = Speaker(scope)
        if table.kind == "array_creation_expression" and speaker.is_literal(table):
            if pattern.kind == "pair":
                names = names[1:]
            for place, name in enumerate(names):
                words = (f"$each{place}",)
                inner.names[name] = Binding(origin=Origin.ROW, words=words)
            told = rows_of(table, (), speaker)
            self.add(*(replace(it, subject="") for it in told))
            guard = _ROUNDS
        else:
            self.unknown(names, inner)
        self._under(guard, each.nodes[-1:], inner)
        return False

    def _loop(self, each: Piece, scope: Scope) -> bool:
        said = joined(Speaker(scope).say(each.nodes[0]))
        if said in _FALSE and each.kind == "while_statement":
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
            return False
        guard = "" if each.kind == "do_statement" else f"while {said}"
        self._under(guard, each.nodes[:1] if not guard else each.nodes[-1:], scope)
        return False

    def _try(self, each: Piece, scope: Scope) -> bool:
        handlers = [it for it in each.nodes if it.kind == "catch_clause"]
        for handler in handlers:
            if not _hears(handler):
                self.note(Aspect.SWALLOWED, handler, "catch")
        ends = self._under("try" if handlers else "", each.nodes[:1], scope)
        for part in each.nodes[1:]:
            guard = "catch" if part.kind == "catch_clause" else ""
            self._under(guard, part.nodes[-1:], scope)
        return ends and not handlers

    # Expressions

    def _expression(self, piece: Piece, scope: Scope) -> bool:
        inner = bare(piece)
        if inner.kind == "assignment_expression":
            self._assign(inner, scope)
        elif inner.kind == "throw_expression":
            self._throw(inner, scope)
            return True
        elif inner.kind == "binary_expression" and (inner.has("&&") or inner.has("||")):
            word = "if" if inner.has("&&") else "unless"
            said = joined(Speaker(scope).say(inner.nodes[0]))
            self._under(f"{word} {said}", inner.nodes[-1:], scope)
        elif inner.kind == "error_suppression_expression":
            self.note(Aspect.SWALLOWED, inner, "@")
            return self._expression(inner.nodes[0], scope)
        elif inner.kind in CALLS:
            return self._call(inner, scope)
        elif inner.kind in {
            "augmented_assignment_expression",
            "update_expression",
            "object_creation_expression",
            "unset_statement",
        }:
            self.arrange(inner, Speaker(scope).say(inner))
        return False

    def _throw(self, piece: Piece, scope: Scope) -> None:
        self.add(
            Demand(
                aspect=Aspect.ASSERTION,
                kind=AssertionKind.CUSTOM,
                subject="throw",
                expected=joined(Speaker(scope).say(piece.nodes[0])),
                guard=self.guard,
                text=piece.text[:200],
                line=piece.line,
            )
        )

    def _assign(self, piece: Piece, scope: Scope) -> None:
        target, value = piece.nodes[0], bare(piece.nodes[-1])
        key = key_of(target)
        speaker = Speaker(scope)
        self._answers(value, scope)
        self._functions(value, scope)
        said = speaker.say(value)
        known = scope.find(key) if key is not None else None
        if known is not None and known.origin is Origin.FIXTURE and known.words:
            # The name stands for just this value wherever a test says it.
            self.arrange(piece, said)
            return
        once = key is not None and self._assigned.get(key, 0) == 1
        if key is None or not once or not is_short(said):
            if key is not None and target.kind == "variable_name" and known is None:
                self.unknown([key], scope)
            self.arrange(piece, [*Speaker(scope).say(target), "=", *said])
            return
        literal = speaker.is_literal(value)
        if not literal and len(said) > 1:
            said = list(self.numbers.distinct(said))
        binding = Binding(origin=Origin.LOCAL, words=said, literal=literal)
        scope.names[key] = binding
        if not literal and value.kind not in FUNCTIONS:
            self.arrange(piece, said, [binding])

    def _call(self, piece: Piece, scope: Scope) -> bool:
        chain = chain_of(piece)
        name, last = chain[-1] if chain else ("", piece)
        if name in _SKIPS:
            condition = self.guard.removeprefix("if ")
            self.add(
                demand(Aspect.SKIP, piece, subject=_SKIPS[name], expected=condition)
            )
            return not self.guards
        found = assertions(piece, Speaker(scope), self.helpers, self.guard)
        self.add(*found)
        mocked = self._answers(piece, scope)
        if found:
            return name == "fail"
        if not mocked:
            read = self._functions(last, scope)
            self.arrange(piece, Speaker(scope).say(piece, read))
        return False

    def _answers(self, piece: Piece, scope: Scope) -> bool:
        """Notes what a stand-in is told to answer; whether it was that."""
        if piece.kind not in CALLS:
            return False
        chain = chain_of(piece)
        first = next(
            (
                n
                for n, (name, it) in enumerate(chain)
                if name in {"method", "shouldReceive", "expects", "allows"}
                and it.kind in CALLS
            ),
            None,
        )
        if first is None or not any(_ANSWERS.match(name) for name, _ in chain):
            return False
        speaker = Speaker(scope)
        target = joined(speaker.say(chain[first][1].nodes[0]))
        method = ""
        answer = []
        for name, it in chain[first:]:
            given = arguments_of(it)
            if name in {"method", "shouldReceive", "allows"} and given:
                method = text_value(given[0]) or joined(speaker.say(given[0]))
            else:
                told = ", ".join(joined(speaker.say(part)) for part in given)
                answer.append(f"{name}({told})")
        self.add(
            demand(
                Aspect.MOCK,
                piece,
                subject=f"{target}->{method}",
                expected=" ".join(answer),
                guard=self.guard,
            )
        )
        return True

    def _functions(self, piece: Piece, scope: Scope) -> frozenset[int]:
        """Reads the functions that a call is given and that assert."""
        read: set[int] = set()
        if piece.kind not in CALLS:
            return frozenset()
        for each in arguments_of(piece):
            if each.kind in FUNCTIONS and asserting(each):
                inner = scope.inner()
                self.unknown(parameters_of(each), inner)
                chain = chain_of(piece)
                self._under(f"in {chain[-1][0]}", statements_of(each), inner)
                read.add(each.start)
        return frozenset(read)


def rows_of(table: Piece, names: Sequence[str], speaker: Speaker) -> list[Demand]:
    """A demand for each element of a list; names of rows are left out."""
    found = []
    for each in table.nodes:
        row = bare(each.nodes[-1]) if each.nodes else each
        cells = [it.nodes[-1] for it in row.nodes if it.nodes]
        several = row.kind == "array_creation_expression"
        said = (
            ", ".join(joined(speaker.say(it)) for it in cells)
            if several
            else joined(speaker.say(row))
        )
        subject = ", ".join(names)
        found.append(demand(Aspect.ROW, each, subject=subject, expected=said))
    return found


def _hears(handler: Piece) -> bool:
    """Whether a handler throws, asserts or fails the test."""
    return any(each.kind == "throw_expression" for each in below(handler)) or asserting(
        handler
    )
