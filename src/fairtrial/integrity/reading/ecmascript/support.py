"""Which helpers, constants and hooks a file of JavaScript tests has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fairtrial.domain.demands import Demand, Support
from fairtrial.integrity.reading.ecmascript.acts import asserting
from fairtrial.integrity.reading.ecmascript.assertions import Facts
from fairtrial.integrity.reading.ecmascript.bodies import Body
from fairtrial.integrity.reading.ecmascript.chains import unchained
from fairtrial.integrity.reading.ecmascript.heads import Alias, alias_of, defines_tests
from fairtrial.integrity.reading.ecmascript.imports import required_module
from fairtrial.integrity.reading.ecmascript.scopes import (
    Assignments,
    Speaker,
    bind_pattern,
    calls_something,
    operand,
)
from fairtrial.integrity.reading.ecmascript.words import (
    DECLARATIONS,
    FUNCTIONS,
    bare,
    body_of,
    bound_names,
    parameters_of,
    words,
)
from fairtrial.integrity.reading.script.naming import (
    Binding,
    Numbers,
    Origin,
    Scope,
    is_short,
)
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.syntax import digest

_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where among a file's blocks a statement stands."""

    names: tuple[str, ...] = ()
    #: Marks of the blocks around it, that hold for each test.
    marks: tuple[Demand, ...] = ()
    #: Hooks of the blocks around it, by their support's name.
    hooks: list[str] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)


def exported(statement: Piece) -> Piece:
    """What an `export` exports; the statement itself otherwise."""
    if statement.kind == "export_statement":
        for each in statement.nodes:
            if each.kind in DECLARATIONS | FUNCTIONS | _CLASSES:
                return each
    return statement


def uses(piece: Piece, scope: Scope) -> frozenset[str]:
    """The supports and imports that are named inside a piece."""
    found = set()
    for each in below(piece):
        if each.kind in {
            "identifier",
            "shorthand_property_identifier",
            "type_identifier",
            "jsx_identifier",
        }:
            binding = scope.find(each.text)
            if binding is not None and binding.support:
                found.add(binding.support)
        elif each.kind == "property_identifier":
            matcher = scope.find(f"expect.{each.text}")
            if matcher is not None:
                found.add(matcher.support)
    return frozenset(found)


class Shelf:
    """Keeps the supports of a file, each under a name of its own."""

    def __init__(self, whole: Piece) -> None:
        self.whole = whole
        self.assignments = Assignments(whole)
        self.aliases: dict[str, Alias] = {}
        self.facts = Facts()
        self.support: dict[str, Support] = {}
        self._numbers = Numbers()

    def keep(
        self,
        name: str,
        piece: Piece,
        place: Where,
        demands: Sequence[Demand] = (),
        *,
        automatic: bool = False,
    ) -> str:
        """Keeps a support and says its name; one inside a block bears the block's."""
        known = self._free(name, place)
        self.support[known] = Support(
            name=known,
            demands=tuple(demands),
            uses=uses(piece, place.scope) - {known},
            digest=digest(words(piece, lambda _: None)),
            automatic=automatic and not place.names,
            line=piece.line,
            last_line=piece.last_line,
            text=piece.text,
        )
        if automatic and place.names:
            place.hooks.append(known)
        return known

    def _free(self, name: str, place: Where) -> str:
        whole = known = " > ".join((*place.names, name))
        count = 1
        while known in self.support:
            count += 1
            known = f"{whole}#{count}"
        return known

    def effects(self, statements: Sequence[Piece], place: Where) -> None:
        """Keeps what a block does outside its tests and hooks, as one support."""
        done = [each for each in statements if not self._extends(each, place)]
        if not done:
            return
        body = Body(self.facts, self.assignments, self.whole)
        body.run(done, place.scope)
        first, last = done[0], done[-1]
        known = self.keep("(statements)", first, place, body.demands, automatic=True)
        said = [word for each in done for word in words(each, lambda _: None)]
        named = [uses(each, place.scope) for each in done]
        self.support[known] = replace(
            self.support[known],
            uses=frozenset().union(*named),
            digest=digest(said),
            last_line=last.last_line,
            text="\n".join(each.text for each in done),
        )

    def _extends(self, statement: Piece, place: Where) -> bool:
        """Matchers that a file defines are its helpers: expect.extend({…})."""
        if statement.kind != "expression_statement" or not statement.nodes:
            return False
        chain = unchained(statement.nodes[0])
        if chain.path != "expect.extend" or not chain.links[0].arguments:
            return False
        for each in bare(chain.links[0].arguments[0]).nodes:
            if each.kind not in {"method_definition", "pair"} or not each.nodes:
                continue
            names = [it for it in each.nodes if it.kind == "property_identifier"]
            if names:
                matcher = names[0].text
                self.facts.matchers.add(matcher)
                known = self.keep(f"expect.{matcher}", each, place)
                place.scope.names[f"expect.{matcher}"] = Binding(
                    origin=Origin.HELPER, support=known
                )
        return True

    # Declarations

    def declare(self, statement: Piece, place: Where) -> None:
        """Keeps the functions, classes and constants that a statement declares."""
        if statement.kind in DECLARATIONS:
            for declarator in statement.nodes:
                if declarator.kind == "variable_declarator":
                    self._variable(declarator, place)
        elif statement.kind in FUNCTIONS and not defines_tests(statement, self.aliases):
            name = statement.first("identifier")
            if name is not None:
                self._function(name.text, statement, statement, place)
        elif statement.kind in _CLASSES:
            name = statement.first("type_identifier", "identifier")
            if name is not None:
                self._class(name.text, statement, place)

    def _function(self, name: str, function: Piece, piece: Piece, place: Where) -> None:
        binding = Binding(origin=Origin.HELPER, asserts=asserting(function))
        place.scope.names[name] = binding
        binding.support = self.keep(
            name, piece, place, self._demands_of(function, place)
        )

    def _demands_of(self, function: Piece, place: Where) -> tuple[Demand, ...]:
        scope = place.scope.inner()
        parameters = parameters_of(function)
        names = bound_names(parameters) if parameters is not None else []
        for position, name in enumerate(names):
            scope.names[name] = Binding(
                origin=Origin.FIXTURE, words=(f"parameter{position}",)
            )
        body = Body(self.facts, self.assignments, function)
        block = body_of(function)
        if block is not None and block.kind == "statement_block":
            body.run(block.nodes, scope.inner())
        elif block is not None:
            body.expression(block, scope.inner(), awaited=True)
        return body.demands

    def _class(self, name: str, piece: Piece, place: Where) -> None:
        found: list[Demand] = []
        inside = piece.first("class_body")
        for each in inside.nodes if inside is not None else []:
            if each.kind == "method_definition":
                found += self._demands_of(each, place)
        binding = Binding(origin=Origin.HELPER)
        place.scope.names[name] = binding
        binding.support = self.keep(name, piece, place, found)

    def _variable(self, declarator: Piece, place: Where) -> None:
        pattern = declarator.parts[0]
        names = bound_names(pattern)
        value = bare(declarator.nodes[-1]) if declarator.has("=") else None
        if value is None or any(self.assignments.of(it, self.whole) for it in names):
            self._assigned(names, declarator, value, place)
            return
        if required_module(value) is not None:
            for name in names:
                place.scope.names.setdefault(
                    name, Binding(origin=Origin.IMPORTED, support=name)
                )
            return
        alias = alias_of(value, self.aliases, Speaker(place.scope))
        if alias is not None and pattern.kind == "identifier":
            self.aliases[pattern.text] = alias
            self._constant(names, pattern, value, declarator, place)
        elif value.kind in FUNCTIONS and pattern.kind == "identifier":
            if not defines_tests(value, self.aliases):
                self._function(pattern.text, value, declarator, place)
        else:
            self._constant(names, pattern, value, declarator, place)

    def _constant(
        self,
        names: Sequence[str],
        pattern: Piece,
        value: Piece,
        declarator: Piece,
        place: Where,
    ) -> None:
        """A constant stands for its value wherever it is named."""
        speaker = Speaker(place.scope)
        said = list(speaker.say(value))
        literal = speaker.is_literal(value)
        body = Body(self.facts, self.assignments, self.whole)
        body.effects(value, place.scope)
        known = self.keep(", ".join(names), declarator, place, body.demands)
        if not is_short(said):
            for name in names:
                place.scope.names[name] = Binding(
                    origin=Origin.OUTER, support=known, value=value, literal=literal
                )
            return
        if calls_something(value):
            said = list(self._numbers.distinct(said))
        base = said if pattern.kind == "identifier" else list(operand(said, value))
        bind_pattern(place.scope, pattern, base, Origin.OUTER, literal=literal)
        for name in names:
            binding = place.scope.names.get(name)
            if binding is not None:
                binding.support = known
                binding.value = value if pattern.kind == "identifier" else None

    def _assigned(
        self,
        names: Sequence[str],
        declarator: Piece,
        value: Piece | None,
        place: Where,
    ) -> None:
        """A name that is assigned to later: by one hook it stands for that value."""
        known = self.keep(", ".join(names), declarator, place)
        for name in names:
            again = self.assignments.of(name, self.whole)
            binding = Binding(origin=Origin.FIXTURE, support=known)
            place.scope.names[name] = binding
            if value is None and len(again) == 1 and again[0].nodes:
                target = again[0].nodes[0]
                given = bare(again[0].nodes[-1])
                said = Speaker(place.scope).say(given)
                if target.kind == "identifier" and said and is_short(said):
                    binding.words = list(self._numbers.distinct(said))
