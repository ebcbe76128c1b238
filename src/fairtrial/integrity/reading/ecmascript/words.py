"""How an expression of JavaScript or TypeScript reads, whatever its formatting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import (
    number,
    quoted,
    without_trailing_commas,
)

#: What a name stands for: its words; None where it stands for itself.
Naming = Callable[[str], Sequence[str] | None]
#: An entry of the work list: what to say, whether it is an operand, what is shadowed.
_Item = tuple[Piece | str, bool, frozenset[str]]

FUNCTIONS: Final = frozenset(
    {
        "arrow_function",
        "function_expression",
        "generator_function",
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
    }
)
#: Types and what else is gone when the program runs.
_ERASED: Final = frozenset(
    {
        "type_annotation",
        "type_arguments",
        "type_parameters",
        "accessibility_modifier",
        "override_modifier",
        "asserts_annotation",
        "type_predicate_annotation",
        "implements_clause",
    }
)
_ATOMIC: Final = frozenset(
    {
        "identifier",
        "member_expression",
        "subscript_expression",
        "call_expression",
        "number",
        "string",
        "template_string",
        "array",
        "object",
        "regex",
        "this",
        "true",
        "false",
        "null",
        "undefined",
        "super",
    }
)
#: Around these an operand keeps its parentheses.
_OPERATIONS: Final = frozenset(
    {
        "member_expression",
        "subscript_expression",
        "call_expression",
        "new_expression",
        "binary_expression",
        "unary_expression",
        "update_expression",
        "await_expression",
        "ternary_expression",
    }
)
DECLARATIONS: Final = frozenset({"lexical_declaration", "variable_declaration"})
_CASTS: Final = frozenset(
    {"as_expression", "satisfies_expression", "non_null_expression"}
)
NAMES: Final = frozenset(
    {
        "identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "jsx_identifier",
    }
)
_ESCAPE: Final = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
_SHORT: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b"}


def string_value(piece: Piece) -> str:
    """The text that a string literal, or a template without holes, stands for."""
    return _ESCAPE.sub(_unescaped, piece.text[1:-1])


def _unescaped(found: re.Match[str]) -> str:
    digits = found[1] or found[2]
    if digits is not None:
        code = int(digits, 16)
        return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else found[0]  # noqa: PLR2004
    return _SHORT.get(found[3], found[3])


def is_plain_text(piece: Piece) -> bool:
    """Whether it is a text without holes."""
    return piece.kind == "string" or (
        piece.kind == "template_string" and piece.first("template_substitution") is None
    )


def bare(piece: Piece) -> Piece:
    """A piece without parentheses, casts and non-null marks around it."""
    while piece.kind == "parenthesized_expression" or piece.kind in _CASTS:
        inner = piece.nodes
        if not inner:
            return piece
        piece = inner[0]
    return piece


def is_atomic(piece: Piece) -> bool:
    """Whether a piece needs no parentheses as an operand."""
    inner = bare(piece)
    return inner.kind in _ATOMIC or (
        inner.kind == "new_expression" and inner.first("arguments") is not None
    )


def bound_names(pattern: Piece) -> list[str]:
    """The names that a parameter or a pattern binds, in the order of the text."""
    found: list[str] = []
    stack = [pattern]
    while stack:
        each = stack.pop()
        if each.kind in {"identifier", "shorthand_property_identifier_pattern"}:
            found.append(each.text)
        elif each.kind == "pair_pattern":
            stack += each.nodes[-1:]
        elif each.kind in {
            "assignment_pattern",
            "object_assignment_pattern",
            "required_parameter",
            "optional_parameter",
        }:
            stack += [node for node in each.nodes if node.kind not in _ERASED][:1]
        elif each.kind.endswith(("_pattern", "parameters")):
            stack += reversed(each.nodes)
    return found


def parameters_of(function: Piece) -> Piece | None:
    """The parameters of a function: their list, or the one name before an arrow."""
    listed = function.first("formal_parameters")
    if listed is None and function.kind == "arrow_function":
        return function.first("identifier")
    return listed


def body_of(function: Piece) -> Piece | None:
    """The block of a function, or the one expression after its arrow."""
    block = function.first("statement_block")
    if block is None and function.kind == "arrow_function":
        return function.nodes[-1]
    return block


def words(
    piece: Piece, naming: Naming, holes: frozenset[int] = frozenset()
) -> list[str]:
    """The words of a piece: quotes, brackets, types and formatting are one way.

    Each name that `naming` knows is replaced; names that a function or block inside
    the piece binds are numbered by their first use. Functions that begin at one of
    `holes` are left out.
    """
    found: list[str] = []
    numbers: dict[str, str] = {}
    stack: list[_Item] = [(piece, False, frozenset())]
    while stack:
        each, operand, shadowed = stack.pop()
        if isinstance(each, str):
            found.append(each)
        elif each.kind in FUNCTIONS and each.start in holes:
            found.append("…")
        elif each.kind in NAMES:
            text = each.text
            known: Sequence[str] | None
            if text in shadowed:
                known = (numbers.setdefault(text, f"v{len(numbers) + 1}"),)
            else:
                known = naming(text)
            found += _name(each, known, operand=operand)
        else:
            stack += reversed(
                _spelled(each, shadowed | _declared(each), operand=operand)
            )
    return without_trailing_commas(found)


def _declared(block: Piece) -> frozenset[str]:
    """The names that a block, a loop or a handler declares for what is inside it."""
    if block.kind in {"statement_block", "for_statement"}:
        return frozenset(
            name
            for statement in block.nodes
            if statement.kind in DECLARATIONS
            for declarator in statement.nodes
            if declarator.kind == "variable_declarator"
            for name in bound_names(declarator.parts[0])
        )
    if block.kind == "for_in_statement" and (block.has("const") or block.has("let")):
        return frozenset(bound_names(block.nodes[0]))
    if block.kind == "catch_clause" and len(block.nodes) > 1:
        return frozenset(bound_names(block.nodes[0]))
    return frozenset()


def _name(piece: Piece, known: Sequence[str] | None, *, operand: bool) -> list[str]:
    text = piece.text
    if known is None:
        said = [text]
    elif operand and not _stands_alone(known):
        said = ["(", *known, ")"]
    else:
        said = list(known)
    if piece.kind in {
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }:
        return [text, ":", *said]
    return said


def _stands_alone(known: Sequence[str]) -> bool:
    if known[0] in {"await", "!", "-", "+", "typeof", "async", "function"}:
        return False
    depth = 0
    for word in known:
        if word in {"(", "[", "{", "${"}:
            depth += 1
        elif word in {")", "]", "}"}:
            depth -= 1
        elif depth == 0 and not re.match(r"[\w$\"`.#/]|\?\.|new$", word):
            return False
    return True


def _spelled(each: Piece, shadowed: frozenset[str], *, operand: bool) -> list[_Item]:
    """What stands for a piece in the work list."""
    kind = each.kind
    if kind in _ERASED or kind in {";", "empty_statement"}:
        return []
    if kind in _CASTS or kind == "parenthesized_expression":
        inner = bare(each)
        if inner is each:
            return []
        if operand and not is_atomic(inner) and inner.kind not in NAMES:
            return [
                ("(", False, shadowed),
                (inner, False, shadowed),
                (")", False, shadowed),
            ]
        return [(inner, operand, shadowed)]
    if is_plain_text(each):
        return [(quoted(string_value(each)), False, shadowed)]
    if kind == "number":
        return [(number(each.text), False, shadowed)]
    if kind in {"regex", "string_fragment", "jsx_text"} or not each.parts:
        text = " ".join(each.text.split()) if kind == "jsx_text" else each.text
        return [(text, False, shadowed)] if text else []
    if kind in FUNCTIONS:
        return _function(each, shadowed)
    if kind == "pair" and _is_plain_key(each.parts[0]):
        key = each.parts[0]
        return [
            (string_value(key), False, shadowed),
            *((part, False, shadowed) for part in each.parts[1:]),
        ]
    tight = kind in _OPERATIONS
    return [(part, tight, shadowed) for part in each.parts]


def _is_plain_key(key: Piece) -> bool:
    return key.kind == "string" and bool(
        re.fullmatch(r"[A-Za-z_$]\w*", string_value(key))
    )


def _function(each: Piece, shadowed: frozenset[str]) -> list[_Item]:
    """A function, with the arrow for every form that an arrow can have."""
    parameters = parameters_of(each)
    names = bound_names(parameters) if parameters is not None else []
    inner = shadowed | frozenset(names)
    if each.kind != "arrow_function":
        return [(part, False, inner) for part in each.parts]
    found: list[_Item] = [("async", False, inner)] if each.has("async") else []
    if parameters is not None and parameters.kind == "identifier":
        found += [("(", False, inner), (parameters, False, inner), (")", False, inner)]
    elif parameters is not None:
        found.append((parameters, False, inner))
    found.append(("=>", False, inner))
    body = body_of(each)
    if body is None:
        return found
    said = _returned(body)
    if bare(said).kind == "object":
        return [*found, ("(", False, inner), (said, False, inner), (")", False, inner)]
    return [*found, (said, False, inner)]


def _returned(body: Piece) -> Piece:
    """The one expression that a block returns; the block itself otherwise."""
    if body.kind == "statement_block":
        inside = body.nodes
        if len(inside) == 1 and inside[0].kind == "return_statement":
            returned = inside[0].nodes
            if returned:
                return returned[0]
    return body


_CONSTANTS: Final = frozenset({"undefined", "NaN", "Infinity"})
_LITERALS: Final = frozenset(
    {
        "number",
        "string",
        "regex",
        "true",
        "false",
        "null",
        "undefined",
        "array",
        "object",
        "pair",
        "property_identifier",
        "string_fragment",
        "escape_sequence",
        "unary_expression",
        "parenthesized_expression",
        "regex_pattern",
        "regex_flags",
        "template_string",
        *_CASTS,
    }
)


def is_literal(piece: Piece, known: Callable[[str], bool]) -> bool:
    """Whether a value is written out: numbers, texts, and lists and objects of them.

    `known` tells of names that stand for such a value.
    """
    stack = [piece]
    while stack:
        each = stack.pop()
        if not each.named or each.kind in _ERASED:
            continue
        if each.kind in {"identifier", "shorthand_property_identifier"}:
            if each.text not in _CONSTANTS and not known(each.text):
                return False
        elif each.kind not in _LITERALS:
            return False
        elif each.kind in _CASTS:
            stack.append(bare(each))
        else:
            stack += each.parts
    return True
