"""Which names a declaration uses, and what it says without its formatting."""

from __future__ import annotations

from typing import Final

from fairtrial.integrity.reading.code.code import (
    Expr,
    Shape,
    Unit,
    expressions,
    inside,
    statements,
)
from fairtrial.integrity.reading.code.scope import Scope

#: How annotations begin that disable a test under a condition.
CONDITIONS: Final = ("Disabled", "Enabled", "IfProfile")
#: Annotations that say nothing of what is demanded.
COSMETIC: Final = frozenset(
    {"DisplayName", "SuppressWarnings", "Suppress", "Order", "Override", "Tag", "Trait",
     "Category", "TestCategory", "Description", "Owner", "allow", "SafeVarargs",
     "Deprecated", "JvmStatic", "DisplayNameGeneration", "TestOf", "Priority"}
)  # fmt: skip


def uses_of(unit: Unit) -> frozenset[str]:
    """The names that a declaration uses and does not make itself."""
    found = set(unit.bases) | mark_uses(unit)
    own = set(unit.params)
    stack = [unit]
    while stack:
        each = stack.pop()
        found |= {*each.types, *each.bases, *mark_uses(each)}
        own |= set(each.params)
        stack += each.members
        exprs = [*inside(each.body)]
        if each.value is not None:
            exprs += expressions(each.value)
        for stmt in statements(each.body):
            own |= set(stmt.names)
            found.add(stmt.type)
        for expr in exprs:
            found |= _named(expr)
            own |= set(expr.params)
    return frozenset(found - (own - set(unit.bases)) - {"", unit.name})


def mark_uses(unit: Unit) -> set[str]:
    """The names that the annotations of a declaration use."""
    return {
        name.strip('"')
        for mark in unit.marks
        for arg in mark.args
        for each in expressions(arg)
        for name in _named(each)
        | ({each.text} if mark.name == "MethodSource" else set())
    }


def _named(expr: Expr) -> set[str]:
    match expr.shape:
        case Shape.NAME | Shape.TYPE:
            return set(expr.text.split("::"))
        case Shape.CALL | Shape.MEMBER:
            return {*expr.text.removeprefix("new ").split("::"), *expr.types}
        case _:
            return set(expr.types)


def said(unit: Unit) -> list[str]:
    """A declaration in words that formatting and local names don't change."""
    scope = Scope(resolving=False)
    for name in unit.params:
        scope.number(name)
    words = [
        f"@{mark.name}({', '.join(scope.say(each).full for each in mark.args)})"
        for mark in unit.marks
        if mark.name not in COSMETIC
    ]
    if unit.value is not None:
        words.append(scope.say(unit.value).full)
    words += [scope.stmt(each) for each in unit.body]
    for member in unit.members:
        words += [member.name, *said(member)]
    return words
