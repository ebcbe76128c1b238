"""What only a syntax tree of Python's shows of code that recognises tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity.recognition.text import Source, Spot, spot_at
from fairtrial.integrity.syntax import line_of, one_line, walk

_COMPARING: Final = frozenset(
    {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__"}
)
_CONSTANTS: Final = frozenset({"true", "false", "integer", "float"})
_BROAD: Final = re.compile(
    r"except\s*(?:\(?[^:)]*\b(?:BaseException|AssertionError)\b[^:]*)?:"
)
_EXIT: Final = re.compile(r"(?:sys\.exit|exit|quit)\s*\(\s*(?:0|None)?\s*\)")
_FUNCTIONS: Final = frozenset({"function_definition", "lambda"})


def spots(source: Source) -> Iterator[Spot]:
    """Comparisons without a comparison, exits on import, swallowed exceptions."""
    if source.root is None:
        return
    for node in walk(source.root):
        kind = node.kind()
        if kind == "function_definition":
            yield from _always_equal(node)
        elif kind == "except_clause":
            yield from _swallowed(node)
        elif kind == "call" and _EXIT.fullmatch(node.text()) and _on_import(node):
            yield spot_at("early-exit", node)


def _always_equal(node: SgNode) -> Iterator[Spot]:
    name = node.field("name")
    body = node.field("body")
    if name is None or body is None or name.text() not in _COMPARING:
        return
    statements = [
        each
        for each in body.children()
        if each.is_named() and "comment" not in each.kind()
    ]
    if statements and statements[0].text()[:1] in "\"'":
        statements = statements[1:]
    if len(statements) != 1 or statements[0].kind() != "return_statement":
        return
    values = [each for each in statements[0].children() if each.is_named()]
    if len(values) == 1 and values[0].kind() in _CONSTANTS:
        text = f"{name.text()}: {statements[0].text()}"
        yield Spot("always-equal", line_of(node), one_line(text))


def _swallowed(node: SgNode) -> Iterator[Spot]:
    """Only what swallows a failed assertion, too, and does nothing else."""
    head = node.text().partition("\n")[0]
    if not _BROAD.match(head):
        return
    bodies = [each for each in node.children() if each.kind() == "block"]
    said = [each for body in bodies for each in body.children() if each.is_named()]
    if said and all(each.kind() in {"pass_statement", "comment"} for each in said):
        yield spot_at("exception-swallowed", node)


def _on_import(node: SgNode) -> bool:
    """Whether a call runs when its module is imported, and not when it is run."""
    for above in node.ancestors():
        if above.kind() in _FUNCTIONS:
            return False
        if above.kind() == "if_statement":
            condition = above.field("condition")
            if condition is not None and "__name__" in condition.text():
                return False
    return True
