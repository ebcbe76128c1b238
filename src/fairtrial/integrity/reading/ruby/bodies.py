"""What a test or helper of Ruby does, statement by statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand
from fairtrial.integrity.reading.ruby.assertions import assertions
from fairtrial.integrity.reading.ruby.calls import call_of
from fairtrial.integrity.reading.ruby.mocks import stand_ins
from fairtrial.integrity.reading.ruby.words import (
    BLOCKS,
    Speaker,
    parameters_of,
    statements_of,
)
from fairtrial.integrity.reading.script.naming import Binding, Origin, Scope, is_short
from fairtrial.integrity.reading.script.notes import Notes, demand
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import joined

_FALSE: Final = frozenset({"false", "nil"})
_HANDLERS: Final = frozenset({"rescue", "ensure", "else"})
_RUNNERS: Final = frozenset({"aggregate_failures", "tap", "step", "let", "it"})
_ASSERTS: Final = re.compile(r"(?:assert|refute|expect|must|wont|should|flunk)(?:_|$)")
#: The condition under which a loop's assertions stand, where its rows are told.
_ROUNDS: Final = "for each row"


def asserting(piece: Piece) -> bool:
    """Whether something inside looks like an assertion."""
    return any(
        each.kind == "identifier" and _ASSERTS.match(each.text) for each in below(piece)
    )


class Body(Notes):
    """Reads statements into demands, in their order."""

    def __init__(self, whole: Piece, helpers: Callable[[str], bool]) -> None:
        super().__init__()
        self.helpers = helpers
        self._assigned: dict[str, int] = {}
        for each in below(whole):
            if each.kind in {"assignment", "operator_assignment"}:
                for name in _targets(each):
                    self._assigned[name] = self._assigned.get(name, 0) + 1
        self._kinds: dict[str, Callable[[Piece, Scope], bool]] = {
            "assignment": self._assign,
            "operator_assignment": self._operate,
            "if": self._if,
            "unless": self._if,
            "elsif": self._if,
            "conditional": self._if,
            "if_modifier": self._modified,
            "unless_modifier": self._modified,
            "while": self._loop,
            "until": self._loop,
            "for": self._loop,
            "while_modifier": self._modified,
            "until_modifier": self._modified,
            "begin": self._begin,
            "body_statement": self._begin,
            "block_body": self._begin,
            "parenthesized_statements": self._begin,
            "then": self._begin,
            "else": self._begin,
            "case": self._case,
            "return": self._return,
            "rescue_modifier": self._rescued,
            "binary": self._binary,
            "method": self._method,
        }

    def run(self, statements: Sequence[Piece], scope: Scope) -> bool:
        """Reads a block with its handlers; whether it ends before what follows it."""
        handlers = [each for each in statements if each.kind in _HANDLERS]
        body = [each for each in statements if each.kind not in _HANDLERS]
        rescues = [each for each in handlers if each.kind == "rescue"]
        for each in rescues:
            if not _hears(each):
                self.note(Aspect.SWALLOWED, each, "rescue")
        if rescues:
            self.guards.append("try")
        ends = self._sequence(body, scope)
        if rescues:
            self.guards.pop()
        for each in handlers:
            guard = "rescue" if each.kind == "rescue" else ""
            inside = each.first("then")
            nodes = inside.nodes if inside is not None else each.nodes
            self._under(
                guard, nodes if guard == "" or inside is not None else [], scope
            )
        return ends

    def _sequence(self, statements: Sequence[Piece], scope: Scope) -> bool:
        depth = len(self.guards)
        ends = False
        for place, each in enumerate(statements):
            if self._statement(each, scope):
                ends = True
                if any(
                    it.kind in {"call", "identifier"} for it in statements[place + 1 :]
                ):
                    self.note(Aspect.UNREACHABLE, each, "code after an exit")
                break
        del self.guards[depth:]
        return ends

    def _statement(self, each: Piece, scope: Scope) -> bool:
        read = self._kinds.get(each.kind)
        return self._call(each, scope) if read is None else read(each, scope)

    def _under(self, guard: str, statements: Sequence[Piece], scope: Scope) -> bool:
        if guard:
            self.guards.append(guard)
        ends = self.run(statements, scope)
        if guard:
            self.guards.pop()
        return ends

    # Branches

    def _if(self, each: Piece, scope: Scope) -> bool:
        condition = joined(Speaker(scope).say(each.nodes[0]))
        words = ("unless", "if") if each.kind == "unless" else ("if", "unless")
        if condition in _FALSE | {"true"}:
            taken = (condition == "true") == (each.kind != "unless")
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
            branches = [it for it in each.nodes[1:] if (it.kind == "then") == taken]
            ended = [self._statement(it, scope) for it in branches]
            return any(ended)
        ends = []
        for part in each.nodes[1:]:
            first = part.kind == "then" or (
                each.kind == "conditional" and part is each.nodes[1]
            )
            word = words[0] if first else words[1]
            ends.append(self._under(f"{word} {condition}", [part], scope))
        return len(ends) > 1 and all(ends)

    def _modified(self, each: Piece, scope: Scope) -> bool:
        """`x if y`; what follows `return if y` stands under the opposite."""
        body, condition = each.nodes[0], each.nodes[-1]
        said = joined(Speaker(scope).say(condition))
        word = each.kind.removesuffix("_modifier")
        if word in {"if", "unless"} and said in _FALSE | {"true"}:
            if (said == "true") == (word == "if"):
                return self._statement(body, scope)
            self.note(Aspect.UNREACHABLE, each, "a dead branch")
            return False
        ends = self._under(f"{word} {said}", [body], scope)
        if ends and word in {"if", "unless"}:
            opposite = "unless" if word == "if" else "if"
            self.guards.append(f"{opposite} {said}")
        return False

    def _loop(self, each: Piece, scope: Scope) -> bool:
        inner = scope.inner()
        condition = each.nodes[1] if each.kind == "for" else each.nodes[0]
        if each.kind == "for":
            self.unknown([each.nodes[0].text], inner)
        said = joined(Speaker(scope).say(condition))
        self._under(f"{each.kind} {said}", each.nodes[-1].nodes, inner)
        return False

    def _case(self, each: Piece, scope: Scope) -> bool:
        said = joined(Speaker(scope).say(each.nodes[0]))
        for part in each.nodes[1:]:
            wanted = joined(Speaker(scope).say(part.nodes[0])) if part.nodes else ""
            inside = part.first("then")
            nodes = inside.nodes if inside is not None else part.nodes
            self._under(f"case {said} is {wanted}", nodes, scope)
        return False

    def _begin(self, each: Piece, scope: Scope) -> bool:
        return self.run(each.nodes, scope)

    def _return(self, each: Piece, scope: Scope) -> bool:
        for part in each.nodes:
            for inner in part.nodes if part.kind == "argument_list" else [part]:
                self._statement(inner, scope)
        return True

    def _rescued(self, each: Piece, scope: Scope) -> bool:
        self.note(Aspect.SWALLOWED, each, "rescue")
        return self._under("try", each.nodes[:1], scope)

    def _binary(self, each: Piece, scope: Scope) -> bool:
        sign = next((it for it in ("&&", "and", "||", "or") if each.has(it)), None)
        if sign is None:
            return False
        said = joined(Speaker(scope).say(each.nodes[0]))
        word = "if" if sign in {"&&", "and"} else "unless"
        self._under(f"{word} {said}", each.nodes[-1:], scope)
        return False

    def _method(self, each: Piece, scope: Scope) -> bool:
        self._under("in a method", statements_of(each), scope.inner())
        return False

    # Values

    def _assign(self, each: Piece, scope: Scope) -> bool:
        target, value = each.nodes[0], each.nodes[-1]
        if value.kind == "rescue_modifier":
            self.note(Aspect.SWALLOWED, value, "rescue")
            value = value.nodes[0]
        self._blocks(value, scope)
        speaker = Speaker(scope)
        said = speaker.say(value)
        name = target.text
        plain = target.kind in {"identifier", "instance_variable", "constant"}
        known = scope.find(name)
        if known is not None and known.origin is Origin.FIXTURE and known.words:
            # The name stands for just this value wherever a test says it.
            self.arrange(each, said)
            return False
        if not plain or self._assigned.get(name, 0) != 1 or not is_short(said):
            if target.kind == "identifier" and known is None:
                self.unknown([name], scope)
            self.arrange(each, [*Speaker(scope).say(target), "=", *said])
            return False
        literal = speaker.is_literal(value)
        if not literal and len(said) > 1:
            said = list(self.numbers.distinct(said))
        binding = Binding(origin=Origin.LOCAL, words=said, literal=literal)
        scope.names[name] = binding
        if not literal:
            self.arrange(each, said, [binding])
        return False

    def _operate(self, each: Piece, scope: Scope) -> bool:
        self.arrange(each, Speaker(scope).say(each))
        return False

    # Calls

    def _call(self, each: Piece, scope: Scope) -> bool:
        call = call_of(each)
        if call is None:
            return False
        if call.receiver is None and call.name in {"skip", "pending", "omit"}:
            condition = self.guard.removeprefix("if ")
            kind = "xfail" if call.name == "pending" else "skip"
            self.add(demand(Aspect.SKIP, each, subject=kind, expected=condition))
            return call.name != "pending" and not self.guards
        if call.receiver is None and call.name == "raise":
            self._raise(each, scope)
            return True
        mocked = stand_ins(each, Speaker(scope), self.guard)
        self.add(*mocked)
        found = assertions(each, Speaker(scope), self.helpers, self.guard)
        self.add(*found)
        if not found:
            read = self._blocks(each, scope)
            if not mocked:
                self.arrange(each, Speaker(scope).say(each, read))
        return False

    def _raise(self, each: Piece, scope: Scope) -> None:
        said = Demand(
            aspect=Aspect.ASSERTION,
            kind=AssertionKind.CUSTOM,
            subject="throw",
            expected=joined(Speaker(scope).say(each)),
            guard=self.guard,
            text=each.text[:200],
            line=each.line,
        )
        self.add(said)

    def _blocks(self, piece: Piece, scope: Scope) -> frozenset[int]:
        """Reads the blocks inside a value that assert; where these begin."""
        read: set[int] = set()
        call = call_of(piece)
        while call is not None:
            block = call.block
            if block is not None and asserting(block):
                inner = scope.inner()
                guard = "" if call.name in _RUNNERS else f"in {call.name}"
                if call.name == "each" and self._rounds(call.receiver, block, inner):
                    guard = _ROUNDS
                else:
                    self.unknown(parameters_of(block), inner)
                self._under(guard, statements_of(block), inner)
                read.add(block.start)
            call = None if call.receiver is None else call_of(call.receiver)
        return frozenset(read)

    def _rounds(self, table: Piece | None, block: Piece, scope: Scope) -> bool:
        """Tells the rows of a loop over a written list; whether it is one."""
        if table is None or table.kind not in {"array", "string_array", "symbol_array"}:
            return False
        speaker = Speaker(scope)
        names = parameters_of(block)
        for place, name in enumerate(names):
            scope.names[name] = Binding(origin=Origin.ROW, words=(f"$each{place}",))
        self.add(*(replace(it, subject="") for it in rows_of(table, (), speaker)))
        return True


def rows_of(table: Piece, names: Sequence[str], speaker: Speaker) -> list[Demand]:
    """A demand for each element of a list."""
    found = []
    for each in table.nodes:
        inside = each.nodes if each.kind == "array" else [each]
        cells = ", ".join(joined(speaker.say(it)) for it in inside)
        subject = ", ".join(names)
        found.append(demand(Aspect.ROW, each, subject=subject, expected=cells))
    return found


def _targets(assignment: Piece) -> list[str]:
    first = assignment.nodes[0]
    return [
        it.text for it in below(first) if it.kind in {"identifier", "instance_variable"}
    ]


def _hears(handler: Piece) -> bool:
    """Whether a handler raises, asserts or fails the test."""
    for each in below(handler):
        if each.kind == "identifier" and each.text in {
            "raise",
            "flunk",
            "fail",
            "skip",
        }:
            return True
    return asserting(handler)


#: A block is a function that is handed over.
FUNCTIONS: Final = BLOCKS
