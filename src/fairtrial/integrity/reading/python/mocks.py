"""What a Python test puts a stand-in for, and which."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fairtrial.integrity.reading.python.literals import plain_string
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import arguments, callee, text_of
from fairtrial.integrity.reading.python.tree import Node

PATCH: Final = re.compile(
    r"^(unittest\.mock|mock|asynctest|(\w+_)?mocker)\.(patch)(\.object|\.dict|\.multiple)?$"
)
SPY: Final = re.compile(r"^(\w+_)?mocker\.(spy|stub)$")
MONKEY: Final = re.compile(
    r"[mM]onkey_?[pP]atch(\(\))?(\.context\(\))?"
    r"\.(setattr|setitem|setenv|delattr|delitem|delenv|syspath_prepend|chdir)$"
)
ENVIRONMENT: Final = frozenset({"setenv", "delenv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A stand-in: what it replaces, and with what."""

    target: str
    value: str


def stand_in(node: Node, scope: Scope) -> StandIn | None:
    """The stand-in that a decorator, context or call puts up; None for none."""
    if node.kind != "call":
        return None
    name = callee(node, scope)
    if name.endswith((".start", ".enter_context", ".enterContext")):
        function = node.kids[0]
        inner = function.kids[0] if name.endswith(".start") else None
        if inner is None:
            placed, _ = arguments(node)
            inner = placed[0] if placed else None
        return None if inner is None else stand_in(scope.value(inner), scope)
    found = PATCH.match(name)
    if found is not None:
        return _patched(node, found.group(4) or "", scope)
    if MONKEY.search(name):
        return _monkey(node, name.rpartition(".")[2], scope)
    if SPY.match(name):
        placed, _ = arguments(node)
        target = ".".join(_word(each, scope) for each in placed[:2])
        return StandIn(target=target, value=name.rpartition(".")[2])
    return None


def _patched(node: Node, form: str, scope: Scope) -> StandIn:
    placed, named = arguments(node)
    target = placed[0] if placed else named.pop("target", None)
    words = [] if target is None else [_word(target, scope)]
    rest = placed[1:]
    if form == ".object":
        attribute = rest.pop(0) if rest else named.pop("attribute", None)
        words += [] if attribute is None else [_word(attribute, scope)]
    named.pop("autospec", None)
    shown = [text_of(each, scope) for each in rest]
    shown += [f"{name}={text_of(named[name], scope)}" for name in sorted(named)]
    value = ", ".join(each.removeprefix("new=") for each in shown)
    return StandIn(target=".".join(words), value=value)


def _monkey(node: Node, method: str, scope: Scope) -> StandIn:
    placed, named = arguments(node)
    words = [_word(each, scope) for each in placed]
    rest = [
        f"{name}={text_of(named[name], scope)}"
        for name in sorted(named)
        if name != "raising"
    ]
    if method in ENVIRONMENT:
        target = f"os.environ[{words[0] if words else ''}]"
        taken = 1
    elif method in {"setitem", "delitem"}:
        key = text_of(placed[1], scope) if len(placed) > 1 else ""
        target = f"{words[0] if words else ''}[{key}]"
        taken = 2
    elif method in {"syspath_prepend", "chdir"}:
        target, taken = method, 0
    else:
        # `setattr("cart.total", new)` names its target in one string.
        whole = bool(placed) and plain_string(placed[0]) is not None
        taken = 1 if whole else 2
        target = ".".join(words[:taken])
    shown = [text_of(each, scope) for each in placed[taken:]] + rest
    if method.startswith("del"):
        shown = ["(deleted)"]
    return StandIn(target=target, value=", ".join(shown))


def _word(node: Node, scope: Scope) -> str:
    """A target as a dotted name: a string is what it says."""
    value = plain_string(scope.value(node))
    return text_of(node, scope) if value is None else value
