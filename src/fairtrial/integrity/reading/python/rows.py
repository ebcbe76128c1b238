"""Which rows of data a Python test is run with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fairtrial.integrity.reading.python.literals import plain_string
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import (
    arguments,
    callee,
    plain,
    render,
    text_of,
)
from fairtrial.integrity.reading.python.tree import Node

#: Most rows of one table that are told apart; beyond it the table is one row.
MOST_ROWS: Final = 5_000
TABLES: Final = re.compile(
    r"(^|\.)(parameterized(\.expand|\.parameters|\.named_parameters)?"
    r"|ddt\.data|parameters|named_parameters)$"
)


def items(node: Node, scope: Scope) -> list[Node] | None:
    """The elements of a list, tuple or set, or of the name of one; else None."""
    node = scope.marker(node)
    if node.kind not in {"list", "tuple", "set", "expression_list"}:
        return None
    found: list[Node] = []
    for kid in node.kids:
        if kid.kind in {"[", "]", "{", "}"}:
            continue
        if kid.kind == "list_splat":
            inner = items(kid.kids[-1], scope)
            found += [kid] if inner is None else inner
        else:
            found.append(kid)
    return found if len(found) <= MOST_ROWS else None


def names_in(node: Node, scope: Scope) -> list[str]:
    """The argument names of a parametrization: "a, b" or ["a", "b"]."""
    node = scope.value(node)
    text = plain_string(node)
    if text is not None:
        return [name.strip() for name in text.split(",") if name.strip()]
    return [
        name
        for each in items(node, scope) or []
        for name in [plain_string(scope.value(each))]
        if name is not None
    ]


def row_of(node: Node, scope: Scope) -> tuple[str, list[Node]]:
    """A row's text without its id, and its marks."""
    if callee(node, scope) != "pytest.param":
        value = scope.value(node)
        return text_of(value if value.kind == "tuple" else node, scope), []
    placed, named = arguments(node)
    shown = [render(each, scope) for each in placed]
    marks = named.get("marks")
    held = [] if marks is None else items(marks, scope)
    if held is None and marks is not None:
        held = [marks]
    text = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
    return plain(text), held or []


def rows(node: Node | None, scope: Scope) -> Iterator[tuple[str, list[Node], Node]]:
    """Each row's text, its marks and its node; a table that is computed is one row."""
    if node is None:
        return
    found = items(node, scope)
    if found is None:
        yield text_of(node, scope), [], node
        return
    for each in found:
        text, marks = row_of(each, scope)
        yield text, marks, each
