"""How an expression of PHP reads, whatever its formatting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from fairtrial.integrity.reading.script.naming import Binding, Scope
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import (
    number,
    quoted,
    without_trailing_commas,
)

Naming = Callable[[str], Sequence[str] | None]
_Item = tuple[Piece | str, frozenset[str]]

FUNCTIONS: Final = frozenset({"anonymous_function", "arrow_function"})
CALLS: Final = frozenset(
    {
        "function_call_expression",
        "member_call_expression",
        "nullsafe_member_call_expression",
        "scoped_call_expression",
    }
)
_TEXTS: Final = frozenset({"string", "encapsed_string", "nowdoc", "heredoc"})
_PARTS: Final = frozenset(
    {"string_content", "escape_sequence", "nowdoc_body", "nowdoc_string"}
)
_ERASED: Final = frozenset(
    {
        "visibility_modifier",
        "final_modifier",
        "primitive_type",
        "named_type",
        "optional_type",
        "union_type",
        "anonymous_function_use_clause",
        "attribute_list",
    }
)
_LITERALS: Final = frozenset(
    {
        "integer",
        "float",
        "boolean",
        "null",
        "array_creation_expression",
        "array_element_initializer",
        "unary_op_expression",
        "parenthesized_expression",
        "argument",
        *_TEXTS,
        *_PARTS,
    }
)


def bare(piece: Piece) -> Piece:
    """A piece without parentheses and without being an argument."""
    while piece.kind in {"parenthesized_expression", "argument"} and piece.nodes:
        piece = piece.nodes[-1]
    return piece


def text_value(piece: Piece) -> str | None:
    """The text of a literal without holes; None for anything else."""
    if piece.kind not in _TEXTS:
        return None
    inside = [each for each in below(piece) if each is not piece and each.named]
    if any(
        each.kind not in _PARTS | {"heredoc_start", "heredoc_body", "heredoc_end"}
        for each in inside
    ):
        return None
    return "".join(each.text for each in inside if each.kind in _PARTS)


def key_of(piece: Piece) -> str | None:
    """The key by which a name is bound: "$x", "$this->x", "self::X"."""
    if piece.kind == "variable_name":
        return piece.text
    if piece.kind in {"member_access_expression", "class_constant_access_expression"}:
        text = "".join(piece.text.split())
        if text.startswith(("$this->", "self::", "static::")) and len(piece.nodes) <= 2:  # noqa: PLR2004
            return text.replace("static::", "self::")
    return None


def words(
    piece: Piece, naming: Naming, holes: frozenset[int] = frozenset()
) -> list[str]:
    """The words of a piece: quotes, types and formatting are one way.

    Each name that `naming` knows is replaced; parameters of functions inside the
    piece are numbered by their first use. Functions that begin at one of `holes` are
    left out.
    """
    found: list[str] = []
    numbers: dict[str, str] = {}
    stack: list[_Item] = [(piece, frozenset())]
    while stack:
        each, shadowed = stack.pop()
        if isinstance(each, str):
            found.append(each)
            continue
        if each.kind in FUNCTIONS and each.start in holes:
            found.append("…")
            continue
        key = key_of(each)
        if key is not None and key in shadowed:
            found.append(numbers.setdefault(key, f"$v{len(numbers) + 1}"))
            continue
        known = naming(key) if key is not None else None
        if known is not None:
            found += known
        elif each.kind == "variable_name":
            found.append(each.text)
        else:
            inner = shadowed
            if each.kind in FUNCTIONS:
                inner = shadowed | frozenset(parameters_of(each))
            stack += [(part, inner) for part in reversed(_spelled(each))]
    return without_trailing_commas(found)


def _spelled(each: Piece) -> Sequence[Piece | str]:
    """What stands for a piece in the work list."""
    kind = each.kind
    if kind in _ERASED or kind == ";":
        return []
    text = text_value(each)
    if text is not None:
        return [quoted(text)]
    if kind in {"integer", "float"}:
        return [number(each.text)]
    if kind in {"boolean", "null"}:
        return [each.text.lower()]
    if kind == "array_creation_expression" and each.has("array"):
        return ["[", *each.parts[2:-1], "]"]
    if kind == "qualified_name":
        return [each.text.lstrip("\\")]
    if kind == "parenthesized_expression":
        inner = bare(each)
        return each.parts if inner.kind == "binary_expression" else [inner]
    return each.parts or ([each.text] if each.text.strip() else [])


def parameters_of(function: Piece) -> list[str]:
    """The names that a function is given, in their order."""
    listed = function.first("formal_parameters")
    if listed is None:
        return []
    return [
        each.text
        for parameter in listed.nodes
        for each in parameter.nodes
        if each.kind == "variable_name"
    ]


def statements_of(function: Piece) -> list[Piece]:
    """The statements of a function; the one expression after an arrow."""
    block = function.first("compound_statement")
    if block is not None:
        return block.nodes
    return function.nodes[-1:] if function.kind == "arrow_function" else []


def arguments_of(call: Piece) -> list[Piece]:
    """The arguments of a call, without names that they are given by."""
    listed = call.first("arguments")
    return [bare(each) for each in listed.nodes] if listed is not None else []


class Speaker:
    """Says expressions with the names of one scope, and notes which it met."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.met: list[Binding] = []

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
        stack = [piece]
        while stack:
            each = stack.pop()
            key = key_of(each)
            if key is not None:
                binding = self.scope.find(key)
                if binding is None or not binding.literal:
                    return False
            elif each.named and each.kind not in _LITERALS:
                return False
            else:
                stack += each.parts
        return True
