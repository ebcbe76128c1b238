"""Within which tolerance two values of a Python test have to agree."""

from __future__ import annotations

from typing import Final

from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import arguments, callee, text_of
from fairtrial.integrity.reading.python.tree import Node

PAIR: Final = 2
APPROX: Final = "pytest.approx("
#: Functions that say whether two values are close: their names for the tolerances, in
#: the order in which they may stand after the two values, with their defaults.
CLOSENESS: Final = {
    "math.isclose": (("rel_tol", "1e-09"), ("abs_tol", "0.0")),
    "cmath.isclose": (("rel_tol", "1e-09"), ("abs_tol", "0.0")),
    "numpy.isclose": (("rtol", "1e-05"), ("atol", "1e-08")),
    "numpy.allclose": (("rtol", "1e-05"), ("atol", "1e-08")),
    "torch.allclose": (("rtol", "1e-05"), ("atol", "1e-08")),
}
APPROXIMATE: Final = (("rel", "1e-06"), ("abs", "1e-12"))
WORDS: Final = {
    "rel_tol": "rel",
    "abs_tol": "abs",
    "rtol": "rel",
    "atol": "abs",
    "delta": "abs",
    "decimal": "places",
}
SAME: Final = frozenset({"numpy.array_equal", "torch.equal", "operator.eq"})
WRAPPERS: Final = frozenset({"numpy.all", "all"})
EQUAL_METHODS: Final = frozenset({"equals", "__eq__"})


def limits(
    placed: list[Node],
    named: dict[str, Node],
    known: tuple[tuple[str, str], ...],
    scope: Scope,
) -> str:
    """The tolerances of a call as one text: "abs=0.1, rel=1e-06"."""
    found = {WORDS.get(name, name): value for name, value in known}
    for (name, _), node in zip(known, placed, strict=False):
        found[WORDS.get(name, name)] = text_of(node, scope)
    for name, node in named.items():
        found[WORDS.get(name, name)] = text_of(node, scope)
    return ", ".join(f"{name}={found[name]}" for name in sorted(found))


def tolerated(
    subject: Node, expected: Node, scope: Scope
) -> tuple[Node, Node, str] | None:
    """Both sides of `==` without what makes them approximate, and the tolerance."""
    for one, other in ((subject, expected), (expected, subject)):
        value = scope.value(other)
        if callee(value, scope) == "pytest.approx":
            placed, named = arguments(value)
            if placed:
                return one, placed[0], limits(placed[1:], named, APPROXIMATE, scope)
    if callee(subject, scope) == "round":
        placed, named = arguments(subject)
        if placed:
            return (
                placed[0],
                expected,
                limits(placed[1:], named, (("places", "0"),), scope),
            )
    return None


def within(
    one: Node, sign: str, other: Node, scope: Scope
) -> tuple[Node, Node, str] | None:
    """The two values and the tolerance of `abs(one - other) < tolerance`."""
    if sign in {">", ">="}:
        one, other = other, one
    if callee(one, scope) not in {"abs", "math.fabs", "numpy.abs"}:
        return None
    placed, _ = arguments(one)
    if len(placed) != 1 or placed[0].kind != "binary_operator":
        return None
    left, token, right = placed[0].kids
    if token.kind != "-":
        return None
    return left, right, f"abs={text_of(other, scope)}"


def judged(node: Node, name: str, scope: Scope) -> tuple[Node, Node, str] | None:
    """The two values that a call compares, and the tolerance ("" for none)."""
    placed, named = arguments(node)
    if name in WRAPPERS and len(placed) == 1 and placed[0].kind == "call":
        return judged(placed[0], callee(placed[0], scope), scope)
    function = node.kids[0]
    if function.kind == "attribute" and function.kids[0].kind == "call":
        inner = function.kids[0]
        if function.kids[-1].text == "all" and not placed:
            return judged(inner, callee(inner, scope), scope)
    if len(placed) >= PAIR and name in CLOSENESS:
        return placed[0], placed[1], limits(placed[2:], named, CLOSENESS[name], scope)
    if len(placed) >= PAIR and name in SAME:
        return placed[0], placed[1], limits(placed[2:], named, (), scope)
    method = function.kids[-1].text if function.kind == "attribute" else ""
    if method in EQUAL_METHODS and len(placed) == 1:
        return function.kids[0], placed[0], ""
    return None
