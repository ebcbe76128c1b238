"""Which tests, hooks and helpers a file of PHP has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.demands import (
    Aspect,
    AssertionKind,
    Demand,
    FileDemands,
    Support,
    WrittenTest,
)
from fairtrial.integrity.reading.php.assertions import chain_of
from fairtrial.integrity.reading.php.bodies import Body, asserting, rows_of
from fairtrial.integrity.reading.php.imports import imported
from fairtrial.integrity.reading.php.marks import attributes_of, marks_of, pest_marks
from fairtrial.integrity.reading.php.words import (
    CALLS,
    FUNCTIONS,
    Speaker,
    arguments_of,
    bare,
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
from fairtrial.integrity.reading.script.wording import joined
from fairtrial.integrity.syntax import digest

_SETUPS: Final = frozenset({"setUp", "beforeEach", "setUpBeforeClass", "beforeAll"})
_HOOKS: Final = _SETUPS | {"tearDown", "afterEach", "tearDownAfterClass", "afterAll"}
_CLASSES: Final = frozenset({"class_declaration", "trait_declaration"})
_PEST: Final = frozenset({"it", "test", "describe", "arch", "todo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where in a file a statement stands."""

    names: tuple[str, ...] = ()
    hooks: list[str] = field(default_factory=list)
    marks: tuple[Demand, ...] = ()
    scope: Scope = field(default_factory=Scope)


class Reader:
    """Reads one file, class by class."""

    def __init__(self, whole: Piece) -> None:
        self.whole = whole
        self.support: dict[str, Support] = {}
        self.imports: dict[str, str] = {}
        self.tests: list[WrittenTest] = []
        self._helpers: set[str] = set()
        self._numbers = Numbers()
        self._seen: dict[tuple[str, ...], int] = {}
        self._budget = Budget()

    def read(self) -> FileDemands:
        """All of it."""
        self._statements(self.whole.nodes, Where())
        return FileDemands(
            tests=tuple(self.tests), support=self.support, imports=self.imports
        )

    def _statements(self, statements: Sequence[Piece], place: Where) -> None:
        for each in statements:
            self._declared(each, place)
        for each in statements:
            self._classes(each, place)
        expressions = [
            bare(each.nodes[0])
            for each in statements
            if each.kind == "expression_statement" and each.nodes
        ]
        for each in expressions:
            self._pest(each, place, hooks=True)
        for each in expressions:
            self._pest(each, place, hooks=False)

    def _declared(self, each: Piece, place: Where) -> None:
        if each.kind == "namespace_use_declaration":
            self.imports.update(imported(each))
        elif each.kind == "const_declaration":
            self._constants(each, place, "")
        elif each.kind == "function_definition":
            self._helper(each, place)

    def _classes(self, each: Piece, place: Where) -> None:
        if each.kind in _CLASSES:
            self._class(each, place)
        elif each.kind == "namespace_definition":
            inside = each.first("compound_statement")
            if inside is not None:
                self._statements(inside.nodes, place)

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
            uses=self._uses(piece, place) - {known},
            digest=digest(words(piece, lambda _: None)),
            automatic=name in _HOOKS and not place.names,
            line=piece.line,
            last_line=piece.last_line,
            text=piece.text,
        )
        return known

    def _uses(self, piece: Piece, place: Where) -> frozenset[str]:
        found = set()
        for each in below(piece):
            if each.kind == "name":
                binding = place.scope.find(each.text)
                if binding is not None and binding.support:
                    found.add(binding.support)
                elif each.text in self.imports:
                    found.add(each.text)
        return frozenset(found)

    def _body(self, piece: Piece) -> Body:
        return Body(piece, self._helpers.__contains__)

    def _constants(self, each: Piece, place: Where, start: str) -> None:
        for element in each.nodes:
            if element.kind != "const_element" or len(element.nodes) < 2:  # noqa: PLR2004
                continue
            name, value = element.nodes[0].text, element.nodes[-1]
            speaker = Speaker(place.scope)
            said = speaker.say(value)
            known = self._keep(name, element, place)
            binding = Binding(
                origin=Origin.OUTER, support=known, literal=speaker.is_literal(value)
            )
            binding.words = said if is_short(said) else None
            place.scope.names[name] = binding
            place.scope.names[f"{start}{name}"] = binding

    def _helper(self, each: Piece, place: Where) -> None:
        name = each.first("name")
        if name is None:
            return
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

    def _hook(
        self, name: str, piece: Piece, statements: Sequence[Piece], place: Where
    ) -> None:
        self._properties(piece, place)
        body = self._body(piece)
        body.run(statements, place.scope.inner())
        known = self._keep(name, piece, place, body.demands)
        if place.names:
            place.hooks.append(known)

    def _properties(self, hook: Piece, place: Where) -> None:
        """`$this->cart = …` in a set-up stands for its value in the tests."""
        for each in below(hook):
            if each.kind != "assignment_expression":
                continue
            target = "".join(each.nodes[0].text.split())
            if not target.startswith("$this->"):
                continue
            speaker = Speaker(place.scope)
            said = speaker.say(each.nodes[-1])
            binding = Binding(origin=Origin.FIXTURE)
            if target not in place.scope.names and is_short(said):
                binding.words = list(self._numbers.distinct(said))
            place.scope.names[target] = binding

    # Classes

    def _class(self, each: Piece, place: Where) -> None:
        name = each.first("name")
        inside = each.first("declaration_list")
        if name is None or inside is None:
            return
        inner = Where(
            names=(*place.names, name.text),
            scope=place.scope.inner(),
            marks=tuple(marks_of(each, Speaker(place.scope))),
        )
        methods = {}
        tests = []
        for member in inside.nodes:
            if member.kind == "const_declaration":
                self._constants(member, inner, "self::")
            elif member.kind == "method_declaration":
                named = member.first("name")
                if named is None:
                    continue
                methods[named.text] = member
                if _is_test(member, named.text):
                    tests.append(member)
                elif named.text in _HOOKS:
                    self._hook(named.text, member, statements_of(member), inner)
                else:
                    self._helper(member, inner)
        for test in tests:
            self._method(test, methods, inner)

    def _method(self, each: Piece, methods: dict[str, Piece], place: Where) -> None:
        name = each.first("name")
        assert name is not None
        scope = place.scope.inner()
        names = parameters_of(each)
        told = [f"$row{position}" for position in range(len(names))]
        for parameter, row in zip(names, told, strict=True):
            scope.names[parameter] = Binding(origin=Origin.ROW, words=(row,))
        speaker = Speaker(place.scope)
        rows = list(_provided(each, methods, told, speaker))
        body = self._body(each)
        body.run(statements_of(each), scope)
        marks = marks_of(each, speaker)
        self._note(name.text, each, (*marks, *rows, *body.demands), place)

    def _note(
        self, title: str, piece: Piece, demands: tuple[Demand, ...], place: Where
    ) -> None:
        self._budget.spend(len(demands) + len(place.marks) + 1)
        names = (*place.names, title)
        self._seen[names] = count = self._seen.get(names, 0) + 1
        if count > 1:
            names = (*place.names, f"{title}#{count}")
        said = words(piece, lambda _: None)
        for each in [it for it in said if it.strip('"') == title][:1]:
            said.remove(each)
        self.tests.append(
            WrittenTest(
                names=names,
                demands=(*place.marks, *demands),
                uses=self._uses(piece, place) | frozenset(place.hooks),
                digest=digest(said),
                line=piece.line,
                last_line=piece.last_line,
                text=piece.text,
            )
        )

    # Pest

    def _pest(self, piece: Piece, place: Where, *, hooks: bool) -> None:
        if piece.kind not in CALLS:
            if hooks and piece.kind.startswith(("require", "include")):
                for each in piece.nodes:
                    path = text_value(bare(each)) or each.text
                    self.imports[path] = path
            return
        chain = chain_of(piece)
        name, first = chain[0]
        given = arguments_of(first)
        functions = [each for each in given if each.kind in FUNCTIONS]
        if name in _HOOKS and hooks and functions:
            self._hook(name, piece, statements_of(functions[0]), place)
        elif hooks or name not in _PEST or not given:
            return
        elif name == "describe" and functions:
            title = text_value(given[0]) or given[0].text
            marks = tuple(pest_marks(chain[1:], Speaker(place.scope), piece))
            inner = Where(
                names=(*place.names, title),
                hooks=list(place.hooks),
                marks=(*place.marks, *marks),
                scope=place.scope.inner(),
            )
            self._statements(statements_of(functions[0]), inner)
        else:
            self._pest_test(chain, functions, piece, place)

    def _pest_test(
        self,
        chain: Sequence[tuple[str, Piece]],
        functions: Sequence[Piece],
        piece: Piece,
        place: Where,
    ) -> None:
        name, first = chain[0]
        title = arguments_of(first)[0]
        scope, speaker = place.scope.inner(), Speaker(place.scope)
        found = pest_marks(chain[1:], speaker, piece)
        names: list[str] = []
        if functions:
            names = parameters_of(functions[0])
        else:
            found = [*found, *self._higher_order(chain, place)]
        told = [f"$row{position}" for position in range(len(names))]
        for parameter, row in zip(names, told, strict=True):
            scope.names[parameter] = Binding(origin=Origin.ROW, words=(row,))
        for called, it in chain[1:]:
            for table in arguments_of(it)[:1] if called == "with" else []:
                if table.kind == "array_creation_expression":
                    found = [*found, *rows_of(table, told, speaker)]
                else:
                    found = [*found, _one_row(table, told, speaker)]
        body = self._body(piece)
        if functions:
            body.run(statements_of(functions[0]), scope)
        text = text_value(title) or title.text
        text = f"it {text}" if name == "it" else text
        self._note(text, piece, (*found, *body.demands), place)

    def _higher_order(
        self, chain: Sequence[tuple[str, Piece]], place: Where
    ) -> list[Demand]:
        """`it("works")->expect(f())->toBe(3)`, and tests that are still to write."""
        if len(chain) == 1:
            return [demand(Aspect.SKIP, chain[0][1], subject="todo")]
        said = Speaker(place.scope).say(chain[-1][1])
        return [
            Demand(
                aspect=Aspect.ASSERTION,
                kind=AssertionKind.CUSTOM,
                subject=joined(said[said.index(")") + 1 :]),
                text=chain[-1][1].text[:200],
                line=chain[-1][1].line,
            )
        ]


def _one_row(table: Piece, names: Sequence[str], speaker: Speaker) -> Demand:
    subject = ", ".join(names)
    return demand(
        Aspect.ROW, table, subject=subject, expected=joined(speaker.say(table))
    )


def _is_test(method: Piece, name: str) -> bool:
    return re.match(r"test", name) is not None or "Test" in {
        each for each, _ in attributes_of(method)
    }


def _provided(
    test: Piece, methods: dict[str, Piece], names: Sequence[str], speaker: Speaker
) -> Iterator[Demand]:
    """The rows that a test is given by its attributes and its provider."""
    for attribute, given in attributes_of(test):
        if attribute == "TestWith" and given:
            cells = ", ".join(joined(speaker.say(it)) for it in _cells(given[0]))
            subject = ", ".join(names)
            yield demand(Aspect.ROW, test, subject=subject, expected=cells)
        if attribute != "DataProvider" or not given:
            continue
        provider = methods.get(text_value(given[0]) or given[0].text)
        if provider is not None:
            yield from _rows(provider, names, speaker)


def _cells(row: Piece) -> list[Piece]:
    return [bare(it.nodes[-1]) for it in row.nodes if it.nodes]


def _rows(provider: Piece, names: Sequence[str], speaker: Speaker) -> Iterator[Demand]:
    for each in below(provider):
        if each.kind == "return_statement" and each.nodes:
            table = bare(each.nodes[0])
            if table.kind == "array_creation_expression":
                yield from rows_of(table, names, speaker)
            else:
                yield _one_row(table, names, speaker)
        elif each.kind == "yield_expression":
            for row in each.nodes:
                (told,) = rows_of(replace(each, parts=[row]), names, speaker)
                yield told
