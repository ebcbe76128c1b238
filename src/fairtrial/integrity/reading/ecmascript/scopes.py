"""What a name of JavaScript stands for at a place in a test file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairtrial.integrity.reading.ecmascript.words import (
    FUNCTIONS,
    bare,
    bound_names,
    is_atomic,
    is_literal,
    words,
)
from fairtrial.integrity.reading.script.naming import (
    LONGEST_VALUE,
    Binding,
    Origin,
    Scope,
)
from fairtrial.integrity.reading.script.sources import Piece, below


class Assignments:
    """Where each name of a file is assigned to, after its declaration."""

    def __init__(self, whole: Piece) -> None:
        self._found: dict[str, list[Piece]] = {}
        for each in below(whole):
            if each.kind in {
                "assignment_expression",
                "augmented_assignment_expression",
                "update_expression",
            }:
                for target in each.parts:
                    if target.kind == "identifier" or target.kind.endswith("_pattern"):
                        for name in bound_names(target):
                            self._found.setdefault(name, []).append(each)
                        break
                    if target.named:
                        break

    def of(self, name: str, within: Piece) -> Sequence[Piece]:
        """The assignments to a name inside a piece, in the order of the text."""
        found = self._found.get(name, [])
        first = bisect_left(found, within.start, key=lambda each: each.start)
        last = bisect_right(found, within.end - 1, key=lambda each: each.start)
        return found[first:last]


@dataclass(slots=True, eq=False)
class Speaker:
    """Says expressions with the names of one scope, and notes which it met."""

    scope: Scope
    met: list[Binding] = field(default_factory=list)

    def naming(self, name: str) -> Sequence[str] | None:
        """What stands for a name."""
        binding = self.scope.find(name)
        if binding is None:
            return None
        binding.used = True
        self.met.append(binding)
        if binding.words is None and binding.numbers is not None:
            binding.words = binding.numbers.fresh()
        return binding.words

    def say(self, piece: Piece, holes: frozenset[int] = frozenset()) -> list[str]:
        """The words of an expression."""
        return words(bare(piece), self.naming, holes)

    def is_literal(self, piece: Piece) -> bool:
        """Whether it is written out, here or where its names are declared."""
        return is_literal(piece, self._is_known)

    def _is_known(self, name: str) -> bool:
        binding = self.scope.find(name)
        return binding is not None and binding.literal

    def value_of(self, piece: Piece) -> Piece:
        """What a name was declared as; the piece itself where that is not known."""
        for _ in range(5):
            piece = bare(piece)
            if piece.kind != "identifier":
                break
            binding = self.scope.find(piece.text)
            if binding is None or binding.value is None:
                break
            piece = binding.value
        return piece


def bind_pattern(
    scope: Scope,
    pattern: Piece,
    base: Sequence[str],
    origin: Origin,
    *,
    literal: bool = False,
) -> None:
    """Binds what a pattern takes apart: `{a, b: [c]}` of x are x.a and x.b[0]."""
    stack: list[tuple[Piece, list[str]]] = [(pattern, list(base))]
    while stack:
        each, path = stack.pop()
        if len(path) > LONGEST_VALUE:
            continue
        if each.kind == "identifier":
            scope.names[each.text] = Binding(origin=origin, words=path, literal=literal)
        elif each.kind == "shorthand_property_identifier_pattern":
            said = [*path, ".", each.text]
            scope.names[each.text] = Binding(origin=origin, words=said, literal=literal)
        else:
            stack += _taken(each, path)


def _taken(pattern: Piece, path: list[str]) -> list[tuple[Piece, list[str]]]:
    """The parts of a pattern, each with the words of what it takes."""
    nodes = pattern.nodes
    if pattern.kind == "object_pattern":
        return [(part, path) for part in nodes]
    if pattern.kind == "pair_pattern" and len(nodes) > 1:
        return [(nodes[-1], [*path, ".", nodes[0].text.strip("'\"")])]
    if pattern.kind == "array_pattern":
        found, place = [], 0
        for part in pattern.parts[1:]:
            place += part.kind == ","
            if part.named:
                found.append((part, [*path, "[", str(place), "]"]))
        return found
    if pattern.kind == "rest_pattern" and nodes:
        return [(nodes[-1], ["...", *path])]
    return [(part, path) for part in nodes[:1]]


def operand(said: Sequence[str], piece: Piece) -> Sequence[str]:
    """The words of a value as the object of what follows."""
    return said if is_atomic(piece) else ["(", *said, ")"]


def calls_something(piece: Piece) -> bool:
    """Whether working a value out may have effects: calls, constructions, waits."""
    return any(
        each.kind in {"call_expression", "new_expression", "await_expression"}
        for each in below(piece, stop=FUNCTIONS)
        if each.kind not in FUNCTIONS
    )
