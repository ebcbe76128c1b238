"""Which tests, hooks and helpers a file of Ruby has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, FileDemands, Support, WrittenTest
from fairtrial.integrity.reading.ruby.bodies import Body, asserting, rows_of
from fairtrial.integrity.reading.ruby.calls import Call, call_of, positional
from fairtrial.integrity.reading.ruby.marks import marks_of, title_of
from fairtrial.integrity.reading.ruby.words import (
    Speaker,
    name_of,
    parameters_of,
    statements_of,
    text_value,
    words,
)
from fairtrial.integrity.reading.script.naming import (
    Binding,
    Numbers,
    Origin,
    Scope,
    is_short,
)
from fairtrial.integrity.reading.script.notes import Budget, demand
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import blanked, joined
from fairtrial.integrity.syntax import digest, one_line

_BLOCKS: Final = re.compile(
    r"(?P<mark>[xf]?)(?:describe|context|feature|example_group|shared_examples"
    r"|shared_examples_for|shared_context|concern)"
)
_TESTS: Final = re.compile(
    r"(?P<mark>[xf]?)(?:it|specify|example|scenario|test|should|its|focus)"
)
_HOOKS: Final = frozenset(
    {"before", "after", "around", "setup", "teardown", "background"}
)
_LETS: Final = frozenset({"let", "let!", "subject", "subject!", "let_it_be", "given"})
_LIKE: Final = re.compile(
    r"it_behaves_like|it_should_behave_like|include_examples|include_context"
)
_METHODS: Final = frozenset({"setup", "teardown", "before_setup", "after_teardown"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where among a file's blocks a statement stands."""

    names: tuple[str, ...] = ()
    marks: tuple[Demand, ...] = ()
    #: Hooks, lets and helpers of the blocks around it, by their support's name.
    hooks: list[str] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)


class Reader:
    """Reads one file, block by block."""

    def __init__(self, whole: Piece) -> None:
        self.whole = whole
        self.support: dict[str, Support] = {}
        self.imports: dict[str, str] = {}
        self.tests: list[WrittenTest] = []
        self._seen: dict[tuple[str, ...], int] = {}
        self._budget = Budget()
        self._helpers: set[str] = set()
        self._numbers = Numbers()

    def read(self) -> FileDemands:
        """All of it."""
        self._block(self.whole.nodes, Where())
        return FileDemands(
            tests=tuple(self.tests), support=self.support, imports=self.imports
        )

    def _block(self, statements: Sequence[Piece], place: Where) -> None:
        """A block: first its names and hooks, which hold for all of its tests."""
        late = [each for each in statements if not self._early(each, place)]
        for each in late:
            self._statement(each, place)

    def _early(self, each: Piece, place: Where) -> bool:
        """Keeps what is no test; whether it was that."""
        if each.kind == "assignment":
            self._constant(each, place)
            return True
        if each.kind in {"method", "singleton_method"}:
            return self._method(each, place)
        call = call_of(each)
        if call is None:
            return False
        if call.receiver is None and call.name in {
            "require",
            "require_relative",
            "load",
        }:
            for given in call.arguments[:1]:
                path = text_value(given) or given.text
                self.imports[path] = path
            return True
        if call.receiver is not None or call.block is None:
            return False
        if call.name in _LETS:
            self._let(call, place)
            return True
        if call.name in _HOOKS:
            self._hook(call.name, call.piece, statements_of(call.block), place)
            return True
        return False

    # Supports

    def _keep(
        self, name: str, piece: Piece, place: Where, demands: Sequence[Demand] = ()
    ) -> str:
        whole = known = " > ".join((*place.names, name))
        count = 1
        while known in self.support:
            count += 1
            known = f"{whole}#{count}"
        self.support[known] = Support(
            name=known,
            demands=tuple(demands),
            uses=uses(piece, place.scope) - {known},
            digest=digest(words(piece, lambda _: None)),
            automatic=name in _HOOKS | _METHODS and not place.names,
            line=piece.line,
            last_line=piece.last_line,
            text=piece.text,
        )
        return known

    def _body(self, piece: Piece) -> Body:
        return Body(piece, self._helpers.__contains__)

    def _hook(
        self, name: str, piece: Piece, statements: Sequence[Piece], place: Where
    ) -> None:
        self._instance_variables(piece, place)
        body = self._body(piece)
        body.run(statements, place.scope.inner())
        known = self._keep(name, piece, place, body.demands)
        if place.names:
            place.hooks.append(known)

    def _instance_variables(self, hook: Piece, place: Where) -> None:
        """`@cart = …` in a set-up stands for its value in the tests."""
        for each in below(hook):
            if each.kind != "assignment" or each.nodes[0].kind != "instance_variable":
                continue
            name = each.nodes[0].text
            said = Speaker(place.scope).say(each.nodes[-1])
            binding = Binding(origin=Origin.FIXTURE)
            if name not in place.scope.names and is_short(said):
                binding.words = list(self._numbers.distinct(said))
            place.scope.names[name] = binding

    def _let(self, call: Call, place: Where) -> None:
        assert call.block is not None
        named = [name_of(each) for each in call.arguments[:1]]
        name = named[0] if named else "subject"
        statements = statements_of(call.block)
        body = self._body(call.piece)
        body.run(statements, place.scope.inner())
        outer = place.scope.find(name)
        known = self._keep(name, call.piece, place, body.demands)
        binding = Binding(origin=Origin.FIXTURE, support=known)
        if len(statements) == 1:
            said = Speaker(place.scope).say(statements[0])
            if said and is_short(said) and outer is None:
                binding.words = said
        place.scope.names[name] = binding
        if name != "subject" and call.name.startswith("subject"):
            place.scope.names["subject"] = binding
        if call.name.endswith("!"):
            place.hooks.append(known)

    def _constant(self, each: Piece, place: Where) -> None:
        target, value = each.nodes[0], each.nodes[-1]
        speaker = Speaker(place.scope)
        said = speaker.say(value)
        known = self._keep(target.text, each, place)
        binding = Binding(
            origin=Origin.OUTER, support=known, literal=speaker.is_literal(value)
        )
        if is_short(said):
            binding.words = said
        place.scope.names[target.text] = binding

    def _method(self, each: Piece, place: Where) -> bool:
        name = each.first("identifier", "constant")
        if name is None or re.match(r"test_", name.text):
            return False
        if name.text in _METHODS:
            self._hook(name.text, each, statements_of(each), place)
            return True
        if asserting(each):
            self._helpers.add(name.text)
        scope = place.scope.inner()
        for position, parameter in enumerate(parameters_of(each)):
            scope.names[parameter] = Binding(
                origin=Origin.FIXTURE, words=(f"parameter{position}",)
            )
        body = self._body(each)
        body.run(statements_of(each), scope)
        known = self._keep(name.text, each, place, body.demands)
        place.scope.names[name.text] = Binding(origin=Origin.HELPER, support=known)
        return True

    # Tests and blocks

    def _statement(self, each: Piece, place: Where) -> None:
        if each.kind in {"class", "module"}:
            self._class(each, place)
        elif each.kind == "method":
            name = each.first("identifier")
            if name is not None:
                self._test(name.text, each, statements_of(each), (), place)
        elif each.kind in {"if", "unless", "if_modifier", "unless_modifier"}:
            self._conditional(each, place)
        elif each.kind in {"body_statement", "begin", "then"}:
            self._block(each.nodes, place)
        else:
            call = call_of(each)
            if call is not None:
                self._call(call, place)

    def _class(self, each: Piece, place: Where) -> None:
        name = each.first("constant", "scope_resolution")
        inside = each.first("body_statement")
        if name is None or inside is None:
            return
        inner = Where(
            names=(*place.names, name.text),
            marks=place.marks,
            hooks=list(place.hooks),
            scope=place.scope.inner(),
        )
        self._block(inside.nodes, inner)

    def _conditional(self, each: Piece, place: Where) -> None:
        modifier = each.kind.endswith("_modifier")
        condition = each.nodes[-1] if modifier else each.nodes[0]
        said = joined(Speaker(place.scope).say(condition))
        negated = each.kind.startswith("if")
        expected = f"!({said})" if negated else said
        mark = demand(Aspect.SKIP, each, subject="skip", expected=expected)
        inner = replace(place, marks=(*place.marks, mark))
        branches = each.nodes[:1] if modifier else each.nodes[1:]
        self._block(branches, inner)

    def _call(self, call: Call, place: Where) -> None:
        rspec = call.receiver is None or call.receiver.text in {"RSpec", "Minitest"}
        block, test = _BLOCKS.fullmatch(call.name), _TESTS.fullmatch(call.name)
        if rspec and block is not None and call.block is not None:
            self._describe(call, place)
        elif rspec and test is not None and (call.block is not None or call.arguments):
            self._example(call, place)
        elif _LIKE.fullmatch(call.name):
            self._behaves_like(call, place)
        elif call.block is not None and call.name in {"each", "each_pair"}:
            self._each(call, place)
        elif call.block is not None:
            self._block(statements_of(call.block), place)
        else:
            body = self._body(call.piece)
            body.run([call.piece], place.scope.inner())
            known = self._keep("(statements)", call.piece, place, body.demands)
            if place.names:
                place.hooks.append(known)

    def _each(self, call: Call, place: Where) -> None:
        """Tests that are defined for each element of a list."""
        assert call.block is not None
        scope = place.scope.inner()
        names = parameters_of(call.block)
        told = [f"$row{position}" for position in range(len(names))]
        for name, row in zip(names, told, strict=True):
            scope.names[name] = Binding(origin=Origin.ROW, words=(row,))
        rows: list[Demand] = []
        if call.receiver is not None:
            rows = rows_of(call.receiver, told, Speaker(place.scope))
        inner = replace(place, marks=(*place.marks, *rows), scope=scope)
        self._block(statements_of(call.block), inner)

    def _describe(self, call: Call, place: Where) -> None:
        assert call.block is not None
        title = " ".join(
            title_of(each)
            for each in positional(call.arguments)
            if each.kind != "simple_symbol"
        )
        inner = Where(
            names=(*place.names, title),
            marks=(*place.marks, *marks_of(call, Speaker(place.scope))),
            hooks=list(place.hooks),
            scope=place.scope.inner(),
        )
        self._block(statements_of(call.block), inner)

    def _example(self, call: Call, place: Where) -> None:
        titles = [
            title_of(each)
            for each in positional(call.arguments)
            if each.kind != "simple_symbol"
        ]
        statements = statements_of(call.block) if call.block is not None else []
        marks = list(marks_of(call, Speaker(place.scope)))
        if call.block is None:
            marks.append(demand(Aspect.SKIP, call.piece, subject="todo"))
        title = (
            titles[0] if titles else one_line(" ".join(it.text for it in statements))
        )
        self._test(title, call.piece, statements, marks, place)

    def _behaves_like(self, call: Call, place: Where) -> None:
        said = Speaker(place.scope).say(call.piece)
        subject, inputs = blanked(said)
        act = demand(Aspect.ARRANGEMENT, call.piece, subject=subject, inputs=inputs)
        named = " ".join(name_of(each) for each in call.arguments[:1])
        self._note_test(f"behaves like {named}", call.piece, (*place.marks, act), place)

    def _test(
        self,
        title: str,
        piece: Piece,
        statements: Sequence[Piece],
        marks: Sequence[Demand],
        place: Where,
    ) -> None:
        body = self._body(piece)
        body.run(statements, place.scope.inner())
        self._note_test(title, piece, (*place.marks, *marks, *body.demands), place)

    def _note_test(
        self, title: str, piece: Piece, demands: tuple[Demand, ...], place: Where
    ) -> None:
        self._budget.spend(len(demands) + 1)
        names = (*place.names, title)
        self._seen[names] = count = self._seen.get(names, 0) + 1
        if count > 1:
            names = (*place.names, f"{title}#{count}")
        said = words(piece, lambda _: None)
        named = [each for each in said if each.strip('"') == title]
        for each in named[:1]:
            said.remove(each)
        self.tests.append(
            WrittenTest(
                names=names,
                demands=demands,
                uses=uses(piece, place.scope) | frozenset(place.hooks),
                digest=digest(said),
                line=piece.line,
                last_line=piece.last_line,
                text=piece.text,
            )
        )


def uses(piece: Piece, scope: Scope) -> frozenset[str]:
    """The supports that are named inside a piece."""
    found = set()
    for each in below(piece):
        if each.kind in {"identifier", "constant", "instance_variable"}:
            binding = scope.find(each.text)
            if binding is not None and binding.support:
                found.add(binding.support)
    return frozenset(found)
