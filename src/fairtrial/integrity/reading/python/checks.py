"""What a call asserts: unittest's methods, numpy's and pandas', mocks', snapshots'."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.demands import AssertionKind, Source
from fairtrial.integrity.reading.python import close
from fairtrial.integrity.reading.python.claims import (
    Claim,
    agrees,
    claims,
    compared,
    sides_of,
)
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.sources import source_of
from fairtrial.integrity.reading.python.text import arguments, callee, plain, render
from fairtrial.integrity.reading.python.tree import Node

#: Methods that compare two values, as the comparison they are.
COMPARING: Final = {
    "assertEqual": "==",
    "assertEquals": "==",
    "assertListEqual": "==",
    "assertDictEqual": "==",
    "assertSetEqual": "==",
    "assertTupleEqual": "==",
    "assertSequenceEqual": "==",
    "assertMultiLineEqual": "==",
    "failUnlessEqual": "==",
    "assertNotEqual": "!=",
    "assertNotEquals": "!=",
    "assertIs": "is",
    "assertIsNot": "is not",
    "assertIn": "in",
    "assertNotIn": "not in",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertLess": "<",
    "assertLessEqual": "<=",
}
#: Equality that looks away from something, with what it looks away from.
LOOSER: Final = {
    "assertCountEqual": "any order",
    "assertItemsEqual": "any order",
    "assertQuerysetEqual": "queryset",
    "assertQuerySetEqual": "queryset",
    "assertHTMLEqual": "html",
    "assertInHTML": "html",
    "assertXMLEqual": "xml",
    "assertJSONEqual": "json",
    "assertURLEqual": "url",
}
#: Methods that say one thing of one value.
TRUTHS: Final = {
    "assertTrue": True,
    "assert_": True,
    "failUnless": True,
    "assertFalse": False,
    "failIf": False,
}
#: Methods that say of one value what the other is to it: the kind, the word before
#: what is expected, and whether the subject comes second.
TOLD: Final = {
    "assertIsInstance": (AssertionKind.TYPE, "", False),
    "assertNotIsInstance": (AssertionKind.TYPE, "not ", False),
    "assertIsSubclass": (AssertionKind.TYPE, "", False),
    "assertRegex": (AssertionKind.MATCHES, "search ", False),
    "assertRegexpMatches": (AssertionKind.MATCHES, "search ", False),
    "assertNotRegex": (AssertionKind.MATCHES, "not search ", False),
    "assertStartsWith": (AssertionKind.CONTAINS, "startswith ", False),
    "assertEndsWith": (AssertionKind.CONTAINS, "endswith ", False),
    "assertDictContainsSubset": (AssertionKind.CONTAINS, "subset ", True),
    "assertContains": (AssertionKind.CONTAINS, "", False),
    "assertNotContains": (AssertionKind.CONTAINS, "not ", False),
}
NEAR: Final = {
    "assertAlmostEqual": (("places", "7"), ("msg", ""), ("delta", "")),
    "assertAlmostEquals": (("places", "7"), ("msg", ""), ("delta", "")),
    "assertNotAlmostEqual": (("places", "7"), ("msg", ""), ("delta", "")),
    "assert_allclose": (("rtol", "1e-07"), ("atol", "0")),
    "assert_almost_equal": (("decimal", "7"),),
    "assert_array_almost_equal": (("decimal", "6"),),
    "assert_approx_equal": (("significant", "7"),),
    "assert_close": (("rtol", ""), ("atol", "")),
    "assertAllClose": (("rtol", "1e-06"), ("atol", "1e-06")),
}
#: Equality of arrays and frames; the other arguments say how exact it is.
FRAMES: Final = frozenset(
    {
        "assert_array_equal",
        "assert_equal",
        "assert_string_equal",
        "assert_frame_equal",
        "assert_series_equal",
        "assert_index_equal",
        "assert_extension_array_equal",
        "assert_geodataframe_equal",
        "assert_geoseries_equal",
    }
)
LIBRARIES: Final = re.compile(
    r"^(numpy|np|pandas|pd|torch|polars|geopandas|xarray|jax|cupy|scipy)\b"
)
PAIR: Final = 2
#: What is said, but by no reader: the message.
MESSAGES: Final = frozenset({"msg", "err_msg", "verbose", "message"})
CALLED: Final = {
    "assert_called": "called",
    "assert_called_once": "once",
    "assert_not_called": "never",
    "assert_called_with": "last with",
    "assert_called_once_with": "once with",
    "assert_any_call": "any with",
    "assert_has_calls": "has calls",
    "assert_awaited": "awaited",
    "assert_awaited_once": "awaited once",
    "assert_not_awaited": "never awaited",
    "assert_awaited_with": "last awaited with",
    "assert_awaited_once_with": "awaited once with",
    "assert_any_await": "any await with",
    "assert_has_awaits": "has awaits",
}
SNAPSHOTS: Final = re.compile(
    r"(^|\.)(\w*snapshot\w*\.(assert_match\w*|check)|\w+_regression\.check"
    r"|assertMatchSnapshot|assert_match_snapshot|approvaltests(\.\w+)*\.verify\w*)$"
)
HELPER: Final = re.compile(r"^_*(assert|check|verify|expect)(_|[A-Z]|$)")


def checked(node: Node, scope: Scope) -> list[Claim] | None:
    """What a call asserts; None where it asserts nothing."""
    inner = node.kids[-1] if node.kind == "await" else node
    if inner.kind != "call":
        return None
    name = callee(inner, scope)
    method = _method(inner)
    placed, named = arguments(inner)
    if SNAPSHOTS.search(name):
        return [_snapshot(inner, placed, scope)]
    if method in CALLED and inner.kids[0].kind == "attribute":
        return [_called(inner, method, scope)]
    found = _unittest(method, placed, named, scope) or _library(
        name, method, placed, named, scope
    )
    if found is not None:
        return found
    if any(HELPER.match(part) for part in re.split(r"\.|\x01.*?\x02", name)[-1:]):
        return [_custom(inner, scope)]
    if HELPER.match(_root(inner)):
        # A chain: `assert_that(x).is_equal_to(3)`, `expect(x).to_equal(3)`.
        return [_custom(inner, scope)]
    return None


def _method(node: Node) -> str:
    function = node.kids[0]
    return function.kids[-1].text if function.kind == "attribute" else function.text


def _root(node: Node) -> str:
    """What a chain of calls begins with, where it begins with a call."""
    called = ""
    while node.kind in {"call", "attribute"}:
        if node.kind == "call":
            called = _method(node)
        node = node.kids[0]
    return called if node.kind == "identifier" and called == node.text else ""


def _unittest(
    method: str, placed: list[Node], named: dict[str, Node], scope: Scope
) -> list[Claim] | None:
    pair = _pair(placed, named)
    if method in TRUTHS:
        value = placed[0] if placed else named.get("expr")
        return claims(value, scope, holds=TRUTHS[method]) if value else None
    if method in {"assertIsNone", "assertIsNotNone"} and placed:
        kind = (
            AssertionKind.NONE if method == "assertIsNone" else AssertionKind.NOT_NONE
        )
        return [Claim(kind=kind, subject=render(placed[0], scope))]
    if pair is None:
        return None
    one, other = pair
    if method in COMPARING:
        return [compared(one, COMPARING[method], other, scope)]
    if method in LOOSER:
        rest = [
            f"{name}={plain(render(value, scope))}"
            for name, value in sorted(named.items())
            if name not in MESSAGES
        ]
        return [
            _near(one, other, ", ".join([LOOSER[method], *rest]), scope, equal=True)
        ]
    if method in TOLD:
        kind, told, turned = TOLD[method]
        subject, expected = (other, one) if turned else (one, other)
        return [_told(kind, subject, told, expected, scope)]
    return None


def _pair(placed: list[Node], named: dict[str, Node]) -> tuple[Node, Node] | None:
    """The first two arguments, however they are passed."""
    names = (
        ("first", "second"),
        ("actual", "desired"),
        ("left", "right"),
        ("actual", "expected"),
        ("member", "container"),
        ("x", "y"),
    )
    if len(placed) >= PAIR:
        return placed[0], placed[1]
    for one, other in names:
        if other in named and (placed or one in named):
            return (placed[0] if placed else named[one]), named[other]
    return None


def _library(
    name: str, method: str, placed: list[Node], named: dict[str, Node], scope: Scope
) -> list[Claim] | None:
    pair = _pair(placed, named)
    if pair is None:
        return None
    one, other = pair
    rest = {
        each: value
        for each, value in named.items()
        if each not in MESSAGES and value not in pair
    }
    if method in NEAR and (method.startswith("assert") and "." in name):
        limits = close.limits(placed[2:], rest, NEAR[method], scope)
        if "abs=" in limits and "places" in limits:
            rest.setdefault("places", one)
        kept = [part for part in limits.split(", ") if not part.endswith("=")]
        if method.startswith(("assertAlmost", "assertNotAlmost")):
            kept = [part for part in kept if not part.startswith("msg=")]
            given = [part for part in kept if part.startswith("abs=")]
            kept = given or kept
        return [_near(one, other, ", ".join(kept), scope, equal="Not" not in method)]
    if method in FRAMES and LIBRARIES.match(name):
        return [_near(one, other, close.limits([], rest, (), scope), scope, equal=True)]
    return None


def _near(
    one: Node, other: Node, tolerance: str, scope: Scope, *, equal: bool
) -> Claim:
    subject, expected, source = sides_of(one, other, scope)
    kind = AssertionKind.CLOSE if tolerance else AssertionKind.EQUAL
    text, marked = render(subject, scope), render(expected, scope)
    if agrees(text, marked):
        source = Source.SUBJECT
    return Claim(
        kind=kind if equal else AssertionKind.NOT_EQUAL,
        subject=text,
        expected=plain(marked),
        source=source,
        tolerance=tolerance,
    )


def _told(
    kind: AssertionKind, subject: Node, told: str, expected: Node, scope: Scope
) -> Claim:
    return Claim(
        kind=kind,
        subject=render(subject, scope),
        expected=told + plain(render(expected, scope)),
        source=source_of(expected, scope),
    )


def _called(node: Node, method: str, scope: Scope) -> Claim:
    inputs = render(node, scope)[len(render(node.kids[0], scope)) :]
    expected = CALLED[method]
    if plain(inputs) != "()":
        expected += f" {plain(inputs)}"
    return Claim(
        kind=AssertionKind.CALLED,
        subject=render(node.kids[0].kids[0], scope),
        expected=expected,
        source=Source.LITERAL,
    )


def _snapshot(node: Node, placed: list[Node], scope: Scope) -> Claim:
    rest = [plain(render(each, scope)) for each in placed[1:]]
    name = _method(node)
    return Claim(
        kind=AssertionKind.SNAPSHOT,
        subject=render(placed[0], scope) if placed else "",
        expected=", ".join([f"{plain(render(node.kids[0], scope))}" or name, *rest]),
        source=Source.FILE,
    )


def _custom(node: Node, scope: Scope) -> Claim:
    placed, _ = arguments(node)
    sources = [source_of(each, scope) for each in placed[1:]]
    return Claim(
        kind=AssertionKind.CUSTOM,
        subject=render(node, scope),
        source=sources[-1] if sources else Source.UNKNOWN,
    )
