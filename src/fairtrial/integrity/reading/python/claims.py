"""What an asserted expression says of which subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import AssertionKind, Source
from fairtrial.integrity.reading.python import close
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.sources import expected_first, source_of
from fairtrial.integrity.reading.python.text import (
    OPEN,
    arguments,
    callee,
    plain,
    render,
)
from fairtrial.integrity.reading.python.tree import Node
from fairtrial.integrity.reading.python.truth import truth

OPPOSITE: Final = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
CONTAINING: Final = frozenset({"startswith", "endswith", "issubset", "issuperset"})
MATCHING: Final = frozenset({"re.match", "re.search", "re.fullmatch"})
LOOKED_AT: Final = {"len": AssertionKind.LENGTH, "type": AssertionKind.TYPE}
#: Functions that both sides may call without working each other out.
COMMON: Final = frozenset(
    f"{name}{OPEN}" for name in ("len", "type", "str", "set", "list", "sorted", "dict")
)
PAIR: Final = 2
PLAIN_KINDS: Final = {True: AssertionKind.TRUE, False: AssertionKind.FALSE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one assertion says; `subject` is rendered with its marks."""

    kind: AssertionKind
    subject: str
    expected: str = ""
    source: Source = Source.UNKNOWN
    tolerance: str = ""


def claims(node: Node, scope: Scope, *, holds: bool = True) -> list[Claim]:
    """What it says that an expression holds, or that it does not."""
    kind = node.kind
    if kind == "not_operator":
        return claims(node.kids[-1], scope, holds=not holds)
    fixed = truth(node, scope)
    if fixed is holds:
        return [Claim(kind=AssertionKind.VACUOUS, subject=render(node, scope))]
    if kind == "boolean_operator" and fixed is None:
        return _joined(node, scope, holds=holds)
    if kind == "comparison_operator":
        return _chained(node, scope, holds=holds)
    if kind == "call":
        return [_called(node, scope, holds=holds)]
    if kind == "named_expression":
        text = render(node, scope)
        return [Claim(kind=PLAIN_KINDS[holds], subject=text)]
    return [Claim(kind=PLAIN_KINDS[holds], subject=render(node, scope))]


def _joined(node: Node, scope: Scope, *, holds: bool) -> list[Claim]:
    sides = (node.kids[0], node.kids[-1])
    if (node.kids[1].kind == "and") is holds:
        return [each for side in sides for each in claims(side, scope, holds=holds)]
    # A side that is known says nothing: only the other one is asserted.
    open_sides = [side for side in sides if truth(side, scope) is None]
    if len(open_sides) == 1:
        return claims(open_sides[0], scope, holds=holds)
    return [Claim(kind=PLAIN_KINDS[holds], subject=render(node, scope))]


def _chained(node: Node, scope: Scope, *, holds: bool) -> list[Claim]:
    signs = [" ".join(each.text.split()) for each in node.kids[1::2]]
    sides = node.kids[::2]
    if len(signs) == 1:
        return [compared(sides[0], signs[0], sides[1], scope, holds=holds)]
    if not holds:
        return [Claim(kind=AssertionKind.FALSE, subject=render(node, scope))]
    if all(sign in TURNED for sign in signs) and len(signs) == PAIR:
        low, middle, high = sides
        expected = f"{plain(render(low, scope))} {signs[0]} _ {signs[1]} "
        return [
            Claim(
                kind=AssertionKind.ORDERED,
                subject=render(middle, scope),
                expected=expected + plain(render(high, scope)),
                source=max(source_of(low, scope), source_of(high, scope)),
            )
        ]
    return [
        compared(one, sign, other, scope)
        for one, sign, other in zip(sides, signs, sides[1:], strict=False)
    ]


def compared(
    one: Node, sign: str, other: Node, scope: Scope, *, holds: bool = True
) -> Claim:
    """What a comparison says; the literal side is what is expected."""
    if not holds:
        sign = OPPOSITE.get(sign, f"not {sign}")
    if sign in {"in", "not in"}:
        return _member(one, other, scope, sign)
    if sign in TURNED:
        return _ordered(one, sign, other, scope)
    return equal(one, other, scope, sign=sign)


def sides_of(one: Node, other: Node, scope: Scope) -> tuple[Node, Node, Source]:
    """The subject, what it has to be, and where that comes from."""
    sources = source_of(one, scope), source_of(other, scope)
    if expected_first(*sources):
        return other, one, sources[0]
    return one, other, sources[1]


def equal(one: Node, other: Node, scope: Scope, *, sign: str = "==") -> Claim:
    """What `==`, `!=`, `is` and `is not` say."""
    subject, expected, source = sides_of(one, other, scope)
    negative = sign in {"!=", "is not"}
    if one.text == other.text and not negative and "(" not in one.text:
        return Claim(kind=AssertionKind.VACUOUS, subject=render(one, scope))
    text, marked = render(subject, scope), render(expected, scope)
    wanted = plain(marked)
    if agrees(text, marked):
        source = Source.SUBJECT
    if wanted == "None":
        kind = AssertionKind.NOT_NONE if negative else AssertionKind.NONE
        return Claim(kind=kind, subject=text)
    if negative:
        return Claim(
            kind=AssertionKind.NOT_EQUAL,
            subject=text,
            expected=wanted,
            source=source,
            tolerance="identity" if sign == "is not" else "",
        )
    found = _measured(subject, expected, source, scope)
    if found is not None:
        return found
    kind = AssertionKind.IDENTICAL if sign == "is" else AssertionKind.EQUAL
    if close.APPROX in wanted:
        kind = AssertionKind.CLOSE
    return Claim(kind=kind, subject=text, expected=wanted, source=source)


def agrees(subject: str, expected: str) -> bool:
    """Whether what is expected is worked out by calling the subject."""
    head = subject.partition(OPEN)[0] + OPEN
    return OPEN in subject and head not in COMMON and head in expected


def _measured(
    subject: Node, expected: Node, source: Source, scope: Scope
) -> Claim | None:
    """What `==` says of a length, a type, a snapshot or something approximate."""
    tolerated = close.tolerated(subject, expected, scope)
    if tolerated is not None:
        subject, expected, tolerance = tolerated
        return Claim(
            kind=AssertionKind.CLOSE,
            subject=render(subject, scope),
            expected=plain(render(expected, scope)),
            source=source_of(expected, scope),
            tolerance=tolerance,
        )
    wanted = plain(render(expected, scope))
    name, placed = callee(subject, scope), arguments(subject)[0]
    if name in LOOKED_AT and len(placed) == 1:
        exact = name == "type"
        return Claim(
            kind=LOOKED_AT[name],
            subject=render(placed[0], scope),
            expected=wanted,
            source=Source.LITERAL if exact else source,
            tolerance="exact" if exact else "",
        )
    if is_snapshot(expected, scope):
        return Claim(
            kind=AssertionKind.SNAPSHOT,
            subject=render(subject, scope),
            expected=wanted,
            source=Source.FILE,
        )
    if callee(expected, scope) == "inline_snapshot.snapshot":
        held = arguments(expected)[0]
        return Claim(
            kind=AssertionKind.EQUAL,
            subject=render(subject, scope),
            expected=plain(render(held[0], scope)) if held else "(to be filled)",
            source=source_of(held[0], scope) if held else Source.FILE,
        )
    return None


def is_snapshot(node: Node, scope: Scope) -> bool:
    """Whether an expression is a fixture that compares with a stored snapshot."""
    inner = node
    while inner.kind in {"call", "subscript", "attribute"} and inner.kids:
        inner = inner.kids[0]
    name = inner.text if inner.kind == "identifier" else ""
    return (
        name.startswith("snapshot") or name.endswith("snapshot")
    ) and scope.sources.get(name) is Source.FIXTURE


def _ordered(one: Node, sign: str, other: Node, scope: Scope) -> Claim:
    within = close.within(one, sign, other, scope)
    if within is not None:
        left, right, tolerance = within
        subject, expected, source = sides_of(left, right, scope)
        return Claim(
            kind=AssertionKind.CLOSE,
            subject=render(subject, scope),
            expected=plain(render(expected, scope)),
            source=source,
            tolerance=tolerance,
        )
    subject, expected, source = sides_of(one, other, scope)
    if subject is other:
        sign = TURNED[sign]
    text, wanted = render(subject, scope), plain(render(expected, scope))
    if callee(subject, scope) == "len" and (sign, wanted) in {(">=", "0"), (">", "-1")}:
        return Claim(kind=AssertionKind.VACUOUS, subject=text)
    return Claim(
        kind=AssertionKind.ORDERED,
        subject=text,
        expected=f"{sign} {wanted}",
        source=source,
    )


def _member(one: Node, other: Node, scope: Scope, sign: str) -> Claim:
    sources = source_of(one, scope), source_of(other, scope)
    told = "" if sign == "in" else "not "
    if expected_first(sources[1], sources[0]):
        # `result in (1, 2)`: the container is what is expected.
        return Claim(
            kind=AssertionKind.CONTAINS,
            subject=render(one, scope),
            expected=f"{told}one of {plain(render(other, scope))}",
            source=sources[1],
        )
    return Claim(
        kind=AssertionKind.CONTAINS,
        subject=render(other, scope),
        expected=told + plain(render(one, scope)),
        source=sources[0],
    )


def _called(node: Node, scope: Scope, *, holds: bool) -> Claim:
    name = callee(node, scope)
    placed, _ = arguments(node)
    told = "" if holds else "not "
    if name == "bool" and len(placed) == 1:
        return claims(placed[0], scope, holds=holds)[0]
    if name in {"isinstance", "issubclass"} and len(placed) == PAIR:
        expected = plain(render(placed[1], scope))
        vacuous = expected == "object" and holds
        return Claim(
            kind=AssertionKind.VACUOUS if vacuous else AssertionKind.TYPE,
            subject=render(placed[0], scope),
            expected=told + expected,
            source=Source.LITERAL,
        )
    near = close.judged(node, name, scope)
    if near is not None:
        one, other, tolerance = near
        subject, expected_node, source = sides_of(one, other, scope)
        kind = AssertionKind.CLOSE if tolerance else AssertionKind.EQUAL
        return Claim(
            kind=kind if holds else AssertionKind.NOT_EQUAL,
            subject=render(subject, scope),
            expected=plain(render(expected_node, scope)),
            source=source,
            tolerance=tolerance,
        )
    if name in MATCHING and len(placed) >= PAIR:
        return Claim(
            kind=AssertionKind.MATCHES,
            subject=render(placed[1], scope),
            expected=f"{told}{name[3:]} {plain(render(placed[0], scope))}",
            source=source_of(placed[0], scope),
        )
    function = node.kids[0]
    method = function.kids[-1].text if function.kind == "attribute" else ""
    if method in CONTAINING and placed:
        return Claim(
            kind=AssertionKind.CONTAINS,
            subject=render(function.kids[0], scope),
            expected=f"{told}{method} {plain(render(placed[0], scope))}",
            source=source_of(placed[0], scope),
        )
    return Claim(kind=PLAIN_KINDS[holds], subject=render(node, scope))
