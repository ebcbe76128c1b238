"""What the helpers, fixtures and classes of a Python test file are to its tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fairtrial.domain.demands import (
    Aspect,
    AssertionKind,
    Demand,
    Source,
    Support,
)
from fairtrial.integrity.reading.python.classes import HOOKS, Class, Held
from fairtrial.integrity.reading.python.functions import (
    FIXTURE,
    Around,
    decorators,
    definition,
    module_scope,
    read_function,
    used,
)
from fairtrial.integrity.reading.python.literals import plain_string
from fairtrial.integrity.reading.python.markers import demand_at
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.rows import rows
from fairtrial.integrity.reading.python.shape import digest_of
from fairtrial.integrity.reading.python.text import arguments, callee, text_of
from fairtrial.integrity.reading.python.tree import Node
from fairtrial.integrity.reading.python.truth import truth
from fairtrial.integrity.syntax import one_line

#: Functions of a module that run by themselves.
MODULE_HOOKS: Final = frozenset(
    {
        "setUpModule",
        "tearDownModule",
        "setup_module",
        "teardown_module",
        "setup_function",
        "teardown_function",
        "load_tests",
        "__getattr__",
    }
)
HOOK: Final = re.compile(r"^pytest_")


def fixture_of(node: Node, scope: Scope) -> Node | None:
    """The decorator that makes a function a fixture; None without one."""
    for each in decorators(node):
        if FIXTURE.search(callee(each, scope) or text_of(each, scope)):
            return each
    return None


def is_fixture(node: Node, scope: Scope) -> bool:
    """Whether a definition is a fixture."""
    return fixture_of(node, scope) is not None


def shown_name(name: str, held: Held, scope: Scope) -> str:
    """The name that a function is asked for by: a fixture may have another one."""
    fixture = fixture_of(held.node, scope)
    if fixture is None or fixture.kind != "call":
        return name
    given = arguments(fixture)[1].get("name")
    return (plain_string(given) if given is not None else None) or name


def is_automatic(name: str, node: Node, scope: Scope) -> bool:
    """Whether a method runs around each test of its class without being named."""
    return name in HOOKS or _autouse(fixture_of(node, scope), scope)


def _autouse(fixture: Node | None, scope: Scope) -> bool:
    if fixture is None or fixture.kind != "call":
        return False
    value = arguments(fixture)[1].get("autouse")
    return value is not None and truth(value, scope) is not False


def function_support(name: str, node: Node, around: Around, *, owner: str) -> Support:
    """A helper, fixture or hook; `owner` is its class ("" for none)."""
    scope = Scope(around.file, around.owned)
    read = read_function(node, around, marked=False)
    fixture = fixture_of(node, scope)
    demands = list(read.demands)
    shown = shown_name(name, Held(node=node), scope)
    if fixture is not None and fixture.kind == "call":
        named = arguments(fixture)[1]
        demands += [
            demand_at(Aspect.ROW, where, subject=shown, expected=text)
            for text, _, where in rows(named.get("params"), scope)
        ]
    in_module = not owner and (name in MODULE_HOOKS or HOOK.match(name) is not None)
    automatic = in_module or (not owner and _autouse(fixture, scope))
    uses = read.uses - {shown, f"{owner}.{shown}", owner}
    return Support(
        name=f"{owner}.{shown}" if owner else shown,
        demands=tuple(demands),
        uses=uses,
        digest=read.digest,
        automatic=automatic,
        line=node.line,
        last_line=node.last,
        text=node.text,
    )


def class_support(
    name: str, one: Class, around: Around, *, uses: Iterable[str]
) -> Support:
    """A class: what it is made of beside its methods, and which of them it brings."""
    node = one.held.node
    inner = definition(node)
    own = [
        *decorators(node),
        *inner.every("argument_list"),
        *(value for values in one.contents.values.values() for value in values),
        *one.contents.others,
    ]
    names = sorted(one.contents.values)
    found = {each for part in own for each in used(part, around)}
    return Support(
        name=name,
        demands=tuple(_agreeing(one, around)),
        uses=frozenset((found | set(uses)) - {name}),
        digest=digest_of(own, around.file.imports, frozenset())
        + digest_of_names(names),
        line=node.line,
        last_line=node.last,
        text=node.text if not around.methods else one_line(inner.text.split(":")[0]),
    )


def digest_of_names(names: list[str]) -> str:
    """The names that a class gives values to, as part of its digest."""
    return f":{','.join(names)}" if names else ""


def _agreeing(one: Class, around: Around) -> Iterable[Demand]:
    """An `__eq__` that agrees with everything makes each comparison pass."""
    held = one.contents.functions.get("__eq__")
    if held is None:
        return
    scope = module_scope(around.file)
    given = [each for each in held.node.walk() if each.kind == "return_statement"]
    if given and all(
        len(each.kids) > 1 and truth(each.kids[-1], scope) is True for each in given
    ):
        yield Demand(
            aspect=Aspect.ASSERTION,
            kind=AssertionKind.VACUOUS,
            subject=f"{one.name}.__eq__",
            source=Source.LITERAL,
            text=one_line(held.node.text),
            line=held.node.line,
        )
