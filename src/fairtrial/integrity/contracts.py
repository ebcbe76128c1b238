"""Which names a Python source defines, so that others can rely on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ast_grep_py import SgNode

from fairtrial.integrity._pieces import targets
from fairtrial.integrity._syntax import broken_at, parse
from fairtrial.integrity.errors import CannotRead

_NAMED: Final = frozenset({"class_definition", "function_definition"})
_ASSIGNED: Final = frozenset({"assignment", "augmented_assignment"})


def defined_names(text: str) -> frozenset[str]:
    """Functions, classes, methods, attributes, constants: what others can refer to.

    What is only imported is defined elsewhere, and what is bound inside a function is
    its own. Raises CannotRead.
    """
    module = parse(text, "python")
    line = broken_at(module)
    if line is not None:
        raise CannotRead(f"line {line}: it is no Python")
    found: set[str] = set()
    waiting = [(module, True)]
    while waiting:
        node, visible = waiting.pop()
        kind = node.kind()
        if kind in _ASSIGNED:
            found |= set(_assigned(node, visible))
        elif visible and kind in _NAMED:
            name = node.field("name")
            found |= set() if name is None else {name.text()}
        elif visible and kind == "type_alias_statement":
            found.add(node.children()[1].text().partition("[")[0])
        inside = visible and kind != "function_definition"
        waiting += [(each, inside) for each in node.children()]
    return frozenset(found)


def _assigned(node: SgNode, visible: bool) -> Iterator[str]:  # noqa: FBT001
    """An object's attributes can be seen wherever they are set."""
    for target in targets(node):
        if target.kind() == "attribute":
            yield target.children()[-1].text()
        elif visible and target.kind() == "identifier":
            yield target.text()
