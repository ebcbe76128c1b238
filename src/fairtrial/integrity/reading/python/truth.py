"""Whether an expression is known to hold, or never to hold, before anything runs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from fairtrial.integrity.reading.python.literals import NO_VALUE, known
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import text_of
from fairtrial.integrity.reading.python.tree import Node

COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.eq,
    "is not": operator.ne,
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
}
FIXED: Final = {
    "typing.TYPE_CHECKING": False,
    "TYPE_CHECKING": False,
    "__debug__": True,
    "NotImplemented": True,
}


def truth(node: Node, scope: Scope) -> bool | None:
    """True or False where nothing can change it; None where it depends."""
    kind = node.kind
    if kind == "not_operator":
        inner = truth(node.kids[-1], scope)
        return None if inner is None else not inner
    if kind == "boolean_operator":
        sides = [truth(node.kids[0], scope), truth(node.kids[-1], scope)]
        decisive = node.kids[1].kind == "or"
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    if kind == "comparison_operator":
        return _compared(node, scope)
    if kind == "tuple":
        return len(node.kids) > 0
    if kind in {"lambda", "generator_expression", "ellipsis"}:
        return True
    text = text_of(node, scope)
    if text in FIXED:
        return FIXED[text]
    if kind == "call" and text.startswith("bool("):
        text = text[5:-1]
    value = known(text)
    return None if value is NO_VALUE or scope.changes(node) else bool(value)


def _compared(node: Node, scope: Scope) -> bool | None:
    values = [known(text_of(each, scope)) for each in node.kids[::2]]
    if NO_VALUE in values or scope.changes(node):
        return None
    signs = [" ".join(each.text.split()) for each in node.kids[1::2]]
    try:
        return all(
            COMPARED[sign](one, other)
            for sign, one, other in zip(signs, values, values[1:], strict=False)
        )
    except (KeyError, TypeError):
        return None
