"""Which names of a Python function may change behind the back of what assigns them."""

from __future__ import annotations

from typing import Final

from fairtrial.integrity.reading.python.tree import Node

#: Values that a call which holds them can change.
MUTABLE: Final = frozenset(
    {
        "list",
        "dictionary",
        "set",
        "list_comprehension",
        "dictionary_comprehension",
        "set_comprehension",
    }
)
#: Functions that look at what they are given and leave it as it is.
LOOKING: Final = frozenset(
    {
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "frozenset",
        "isinstance",
        "len",
        "list",
        "max",
        "min",
        "print",
        "range",
        "repr",
        "reversed",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "type",
        "zip",
    }
)
INSIDE: Final = frozenset({"function_definition", "class_definition", "lambda"})
CHANGED: Final = frozenset({"attribute", "subscript"})


def handed_on(body: Node | None) -> frozenset[str]:
    """The names that calls, inner functions and changes of parts get hold of."""
    found: set[str] = set()
    for each in body.walk() if body else ():
        kind = each.kind
        if kind == "call":
            function = each.kids[0]
            if function.kind == "identifier" and function.text in LOOKING:
                continue
            held: list[Node] = [*each.kids[1:]]
            if function.kind == "attribute":
                held.append(function.kids[0])
            found |= _names(held)
        elif kind in INSIDE:
            found |= _names(each.kids)
        elif kind == "augmented_assignment" or (
            kind == "assignment" and each.kids[0].kind in CHANGED
        ):
            found |= _names(each.kids[:1])
        elif kind == "delete_statement":
            found |= _names(each.kids)
    return frozenset(found)


def rebound(body: Node | None) -> frozenset[str]:
    """The names that an inner function says it assigns from outside."""
    found: set[str] = set()
    for each in body.walk() if body else ():
        if each.kind in {"nonlocal_statement", "global_statement"}:
            found |= _names(each.kids)
    return frozenset(found)


def _names(nodes: list[Node]) -> set[str]:
    return {
        each.text for node in nodes for each in node.walk() if each.kind == "identifier"
    }
