"""How an expression of Ruby reads, whatever its formatting."""

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

BLOCKS: Final = frozenset({"block", "do_block", "lambda"})
NAMES: Final = frozenset(
    {"identifier", "instance_variable", "global_variable", "constant"}
)
_TEXTS: Final = frozenset({"string", "bare_string", "chained_string", "heredoc"})
_LITERALS: Final = frozenset(
    {
        "string",
        "bare_string",
        "string_content",
        "escape_sequence",
        "heredoc",
        "integer",
        "float",
        "rational",
        "complex",
        "simple_symbol",
        "hash_key_symbol",
        "true",
        "false",
        "nil",
        "array",
        "hash",
        "pair",
        "string_array",
        "symbol_array",
        "bare_symbol",
        "regex",
        "unary",
        "range",
        "parenthesized_statements",
    }
)
_TIGHT: Final = frozenset({"call", "element_reference", "binary", "unary", "range"})


def with_heredocs(whole: Piece) -> Piece:
    """The tree with each heredoc's text in the place of its beginning."""
    waiting: list[Piece] = []
    for each in below(whole):
        if each.kind == "heredoc_beginning":
            waiting.append(each)
        for part in [it for it in each.parts if it.kind == "heredoc_body"]:
            each.parts.remove(part)
            if waiting:
                beginning = waiting.pop(0)
                beginning.kind = "heredoc"
                beginning.start, beginning.end = part.start, part.end
                beginning.parts = part.parts
    return whole


def text_value(piece: Piece) -> str | None:
    """The text of a literal without holes; None for anything else."""
    if piece.kind == "heredoc":
        if any(each.kind == "interpolation" for each in piece.parts):
            return None
        body = "".join(it.text for it in piece.parts if it.kind == "heredoc_content")
        return "\n".join(line.strip() for line in body.strip().splitlines())
    if piece.kind == "chained_string":
        values = [text_value(each) for each in piece.nodes]
        return None if None in values else "".join(map(str, values))
    if piece.kind not in _TEXTS:
        return None
    if any(each.kind == "interpolation" for each in piece.parts):
        return None
    return "".join(each.text for each in piece.nodes)


def name_of(piece: Piece) -> str:
    """A symbol or a text as a plain name; "" for anything else."""
    if piece.kind in {"simple_symbol", "hash_key_symbol", "bare_symbol"}:
        return piece.text.lstrip(":")
    return text_value(piece) or ""


def words(
    piece: Piece, naming: Naming, holes: frozenset[int] = frozenset()
) -> list[str]:
    """The words of a piece: quotes, parentheses and formatting are one way.

    Each name that `naming` knows is replaced; parameters of blocks inside the piece
    are numbered by their first use. Blocks that begin at one of `holes` are left out.
    """
    found: list[str] = []
    numbers: dict[str, str] = {}
    stack: list[_Item] = [(piece, frozenset())]
    while stack:
        each, shadowed = stack.pop()
        if isinstance(each, str):
            found.append(each)
        elif each.kind in BLOCKS and each.start in holes:
            found.append("…")
        elif each.kind in NAMES:
            text = each.text
            if text in shadowed:
                found.append(numbers.setdefault(text, f"v{len(numbers) + 1}"))
            else:
                found += naming(text) or [text]
        else:
            inner = shadowed
            if each.kind in BLOCKS:
                inner = shadowed | frozenset(parameters_of(each))
            stack += [(part, inner) for part in reversed(_spelled(each))]
    return without_trailing_commas(found)


def _spelled(each: Piece) -> Sequence[Piece | str]:
    """What stands for a piece in the work list."""
    kind = each.kind
    text = text_value(each)
    if text is not None:
        return [quoted(text)]
    if kind == "regex" and all(it.kind != "interpolation" for it in each.parts):
        return [each.text]
    if kind in {"integer", "float"}:
        return [number(each.text)]
    if kind == "argument_list" and not each.has("("):
        return ["(", *each.parts, ")"]
    if kind == "pair" and each.has("=>") and each.nodes[0].kind == "simple_symbol":
        return [each.nodes[0].text[1:], ":", each.nodes[-1]]
    if kind in {"string_array", "symbol_array"}:
        mark = ":" if kind == "symbol_array" else ""
        values = [f":{it.text}" if mark else quoted(it.text) for it in each.nodes]
        listed = [word for value in values for word in (value, ",")]
        return ["[", *listed[:-1], "]"]
    if kind == "do_block":
        return ["{", *each.parts[1:-1], "}"]
    if kind in {";", "then"}:
        return each.nodes
    if kind == "parenthesized_statements" and len(each.nodes) == 1:
        inner = each.nodes[0]
        return [inner] if inner.kind not in {"binary", "conditional"} else each.parts
    return each.parts or ([each.text] if each.text.strip() else [])


def parameters_of(block: Piece) -> list[str]:
    """The names that a block or a method is given, in their order."""
    listed = block.first("block_parameters", "lambda_parameters", "method_parameters")
    if listed is None:
        return []
    return [
        each.text
        for each in below(listed)
        if each.kind == "identifier" and each is not listed
    ]


def statements_of(block: Piece) -> list[Piece]:
    """The statements of a block, a method or a branch; its handlers are among them."""
    inside = block.first("body_statement", "block_body", "then", "do", "else")
    if inside is not None and block.kind not in {"if", "unless", "case"}:
        return inside.nodes
    skipped = {"block_parameters", "lambda_parameters", "method_parameters"}
    return [each for each in block.nodes if each.kind not in skipped]


def is_literal(piece: Piece, known: Callable[[str], bool]) -> bool:
    """Whether a value is written out; `known` tells of names that stand for one."""
    for each in below(piece):
        if each.kind in NAMES:
            if not known(each.text):
                return False
        elif (
            each.named and each.kind not in _LITERALS and each.parts
        ) or each.kind in {"self", "super", "yield"}:
            return False
    return True


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
        return words(piece, self.naming, holes)

    def is_literal(self, piece: Piece) -> bool:
        """Whether it is written out, here or where its names are declared."""

        def known(name: str) -> bool:
            binding = self.scope.find(name)
            return binding is not None and binding.literal

        return is_literal(piece, known)
