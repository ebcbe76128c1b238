"""What a literal's value is, however it is written."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from fairtrial.integrity.reading.python.tree import Node

ESCAPE: Final = re.compile(
    r"\\(\n|[\\'\"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}"
    r"|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]+\})"
)
SIMPLE: Final = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
#: What is no value: `known` gives it where a text is no literal.
NO_VALUE: Final = object()
#: Longest text that is looked at as a value, in characters.
LONGEST_VALUE: Final = 4_000


def number(text: str) -> str:
    """A number in its plain form: "1000" for 1_000, "1.5" for 1.50."""
    if text.isdigit() and (text[0] != "0" or len(text) == 1):
        return text
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def unescaped(text: str, *, binary: bool) -> str:
    """The characters that a string's content stands for."""

    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        if code in SIMPLE:
            return SIMPLE[code]
        if code[0] in "uUN" and binary:
            return match.group()
        try:
            if code[0] == "N":
                return unicodedata.lookup(code[2:-1])
            return chr(int(code[1:], 16) if code[0] in "xuU" else int(code, 8))
        except (KeyError, ValueError, OverflowError):
            return match.group()

    return ESCAPE.sub(one, text)


def prefix(node: Node) -> str:
    """The letters before a string's quotes, in lower case."""
    opening = node.kids[0].text if node.kids else ""
    return opening.rstrip("'\"").lower()


def content(node: Node, part: Node) -> str:
    """The characters of one piece of a string."""
    letters = prefix(node)
    text = part.text
    return text if "r" in letters else unescaped(text, binary="b" in letters)


def plain_string(node: Node) -> str | None:
    """The value of a string or of strings in a row; None where a part is computed."""
    if node.kind == "concatenated_string":
        parts = [plain_string(kid) for kid in node.every("string")]
        return None if None in parts else "".join(part or "" for part in parts)
    if node.kind != "string" or node.first("interpolation"):
        return None
    return "".join(content(node, kid) for kid in node.every("string_content"))


def pieces(node: Node) -> Iterator[str | Node]:
    """The text and the computed parts of strings in a row."""
    parts = node.every("string") if node.kind == "concatenated_string" else [node]
    for part in parts:
        for kid in part.kids:
            if kid.kind == "interpolation":
                yield kid
            elif kid.kind == "string_content":
                text = content(part, kid)
                # A brace of a plain string is two in a formatted one.
                computed = {"f", "t"} & set(prefix(part))
                yield text if computed else text.replace("{", "{{").replace("}", "}}")


def is_binary(node: Node) -> bool:
    """Whether a string is made of bytes."""
    first = node.first("string") if node.kind == "concatenated_string" else node
    return first is not None and "b" in prefix(first)


def known(text: str) -> object:
    """The value of a rendered literal; NO_VALUE where it is none."""
    word = text[:1].isalpha() and text[:2] not in {"b'", 'b"'}
    if len(text) > LONGEST_VALUE or (word and text not in CONSTANTS):
        return NO_VALUE
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return NO_VALUE


CONSTANTS: Final = frozenset({"True", "False", "None"})
LITERAL_KINDS: Final = frozenset(
    {"integer", "float", "true", "false", "none", "ellipsis"}
)
DISPLAYS: Final = frozenset(
    {"list", "tuple", "set", "dictionary", "pair", "expression_list"}
)
OPERATIONS: Final = frozenset({"unary_operator", "binary_operator"})


def is_literal(node: Node) -> bool:
    """Whether an expression holds nothing but literals."""
    stack = [node]
    while stack:
        each = stack.pop()
        if each.kind in LITERAL_KINDS:
            continue
        if each.kind in {"string", "concatenated_string"}:
            if plain_string(each) is None:
                return False
        elif each.kind in DISPLAYS or each.kind in OPERATIONS:
            stack += [kid for kid in each.kids if kid.kids or kid.kind[0].isalpha()]
        else:
            return False
    return True
