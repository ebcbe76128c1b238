"""Which classes a Python test file has, what they hold, and which of them are tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fairtrial.integrity.reading.python.functions import decorators, definition
from fairtrial.integrity.reading.python.literals import is_literal
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import text_of
from fairtrial.integrity.reading.python.tree import Node, block, name_of, statements
from fairtrial.integrity.reading.python.truth import truth

#: Runs by itself around each test of a class.
HOOKS: Final = frozenset(
    {
        "setUp",
        "tearDown",
        "setUpClass",
        "tearDownClass",
        "setUpTestData",
        "asyncSetUp",
        "asyncTearDown",
        "setup",
        "teardown",
        "setup_method",
        "teardown_method",
        "setup_class",
        "teardown_class",
        "runTest",
        "__init__",
        "__getattr__",
        "__getattribute__",
    }
)
UNITTEST: Final = re.compile(r"(TestCase|TestBase|BaseTest|Tests?|TestMixin)\d*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A definition with the conditions that it stands under."""

    node: Node
    conditions: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Contents:
    """What a module or class defines; the last definition of a name counts."""

    functions: dict[str, Held] = field(default_factory=dict)
    classes: dict[str, Held] = field(default_factory=dict)
    #: Names that are assigned, with each of their values.
    values: dict[str, list[Node]] = field(default_factory=dict)
    #: Every other statement.
    others: list[Node] = field(default_factory=list)


def contents(nodes: Iterable[Node], scope: Scope) -> Contents:
    """What some statements define, those under conditions included."""
    found = Contents()
    for node in nodes:
        _hold(node, (), scope, found)
    return found


def _hold(
    node: Node, conditions: tuple[str, ...], scope: Scope, found: Contents
) -> None:
    inner = definition(node)
    if inner.kind in {"function_definition", "class_definition"}:
        name = name_of(inner)
        function = inner.kind == "function_definition"
        into, other = found.functions, found.classes
        if not function:
            into, other = other, into
        other.pop(name, None)
        found.values.pop(name, None)
        into.pop(name, None)
        into[name] = Held(node=node, conditions=conditions)
    elif node.kind == "if_statement":
        _branches(node, conditions, scope, found)
    elif node.kind in {"try_statement", "with_statement"}:
        found.others.append(node)
        for each in (
            node,
            *node.every("except_clause", "else_clause", "finally_clause"),
        ):
            for inside in statements(block(each)):
                if definition(inside).kind.endswith("_definition"):
                    _hold(inside, conditions, scope, found)
    elif not _assigned(node, found):
        found.others.append(node)


def _branches(
    node: Node, conditions: tuple[str, ...], scope: Scope, found: Contents
) -> None:
    found.others.append(node)
    past: tuple[str, ...] = ()
    for clause in (node, *node.every("elif_clause", "else_clause")):
        condition = None if clause.kind == "else_clause" else clause.kids[1]
        fixed = None if condition is None else truth(condition, scope)
        text = "" if condition is None else text_of(condition, scope)
        if fixed is not False:
            own = (text,) if text and fixed is None else ()
            for inside in statements(block(clause)):
                if definition(inside).kind.endswith("_definition") or (
                    inside.kind == "if_statement"
                ):
                    _hold(inside, (*conditions, *past, *own), scope, found)
        if fixed is True:
            return
        if fixed is None:
            past = (*past, f"not {text}")


def _assigned(node: Node, found: Contents) -> bool:
    """Note `name = value`; False for any other statement."""
    if node.kind == "delete_statement":
        for each in node.kids[1:]:
            found.functions.pop(each.text, None)
            found.classes.pop(each.text, None)
        return False
    if node.kind != "expression_statement" or len(node.kids) != 1:
        return False
    inner = node.kids[0]
    if inner.kind == "augmented_assignment" and inner.kids[0].kind == "identifier":
        found.values.setdefault(inner.kids[0].text, []).append(inner)
        return True
    if inner.kind != "assignment":
        return False
    targets, value = unchained(inner)
    if any(each.kind != "identifier" for each in targets):
        return False
    if value is not None:
        _give(targets, value, found)
    return True


def unchained(node: Node) -> tuple[list[Node], Node | None]:
    """The targets of `a = b = value` and the value; None for an annotation alone."""
    targets = [node.kids[0]]
    value = node.after("=")
    while value is not None and value.kind == "assignment":
        targets.append(value.kids[0])
        value = value.after("=")
    return targets, value


def _give(targets: list[Node], value: Node, found: Contents) -> None:
    """A name that is given a value is no longer a function, unless it is wrapped."""
    for target in targets:
        name = target.text
        mentioned = any(
            each.kind == "identifier" and each.text == name for each in value.walk()
        )
        if not mentioned:
            found.functions.pop(name, None)
            found.classes.pop(name, None)
        found.values.setdefault(name, []).append(value)


def literals_of(found: Contents) -> dict[str, Node]:
    """The names that are given one literal, once."""
    return {
        name: values[0]
        for name, values in found.values.items()
        if len(values) == 1 and is_literal(values[0])
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Class:
    """One class of the file."""

    name: str
    held: Held
    contents: Contents
    #: Its bases, by full name where they are imported.
    bases: tuple[str, ...]

    @property
    def markers(self) -> list[Node]:
        """Its decorators."""
        return decorators(self.held.node)


def class_of(name: str, held: Held, scope: Scope) -> Class:
    """A class with what it holds."""
    inner = definition(held.node)
    listed = inner.first("argument_list")
    bases = [
        text_of(kid, scope)
        for kid in (listed.kids if listed else ())
        if kid.kind in {"identifier", "attribute", "subscript", "call"}
    ]
    body = block(inner)
    inside = [kid for kid in body.kids if kid.kind != ";"] if body else []
    return Class(
        name=name, held=held, contents=contents(inside, scope), bases=tuple(bases)
    )


def lineage(one: Class, known: Mapping[str, Class]) -> list[Class]:
    """A class and its bases in this file, nearest first."""
    order: list[Class] = []
    waiting = [one]
    while waiting:
        each = waiting.pop(0)
        if each not in order:
            order.append(each)
            waiting += [known[base] for base in each.bases if base in known]
    return order


def is_unittest(line: list[Class], known: Mapping[str, Class]) -> bool:
    """Whether a class is a TestCase, as far as its bases' names say."""
    return any(
        base not in known and UNITTEST.search(base)
        for each in line
        for base in each.bases
    )


def is_collected(one: Class, line: list[Class], known: Mapping[str, Class]) -> bool:
    """Whether a runner collects a class: by its name, or as a TestCase.

    An imported base may be a TestCase, so a class with one and with tests counts.
    """
    if one.name.startswith("Test"):
        return True
    return any(
        base not in known and base != "object" for each in line for base in each.bases
    )
