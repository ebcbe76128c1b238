"""What an assertion comes down to, once it is known what its words say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Protocol

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Source
from fairtrial.integrity.reading.script.naming import Binding, Origin
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import (
    COMPARISONS,
    blanked,
    is_text,
    joined,
    parted,
)
from fairtrial.integrity.syntax import one_line

K = AssertionKind
_FILES: Final = re.compile(r"readFile|loadFixture|readJson|fixture\(|\.json\"|\.snap\"")
_CONSTANT: Final = re.compile(
    r'[\d.]+n?|".*"|:\w+|true|false|null|nil|undefined|NaN|[\[\]{},:-]', re.DOTALL
)
_ORDERS: Final = frozenset({"<", "<=", ">", ">="})
_LENGTHS: Final = ([".", "length"], [".", "size"], [".", "count"])
_FALSY: Final = (["false"], ["nil"], ["0"], ["null"], ["undefined"], ['""'])
_BOOLEANS: Final = {"true": True, "false": False}
#: Questions whose answer is a boolean, with what they ask.
_QUESTIONS: Final = {
    "includes": K.CONTAINS,
    "include?": K.CONTAINS,
    "key?": K.CONTAINS,
    "start_with?": K.CONTAINS,
    "end_with?": K.CONTAINS,
    "match?": K.MATCHES,
    "has": K.CONTAINS,
    "startsWith": K.CONTAINS,
    "endsWith": K.CONTAINS,
    "test": K.MATCHES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An assertion in words, before the texts are made of it."""

    kind: AssertionKind
    subject: Sequence[str]
    expected: Sequence[str] = ()
    source: Source = Source.UNKNOWN
    tolerance: str = ""


def source_of(
    said: Sequence[str],
    met: Sequence[Binding],
    subject: Sequence[str],
    *,
    literal: bool,
) -> Source:
    """Where an expected value comes from."""
    origins = {each.origin for each in met}
    text = joined(said)
    called = _callees(said)
    if Origin.ROW in origins:
        return Source.ROW
    if called & _callees(subject):
        return Source.SUBJECT
    if _FILES.search(text):
        return Source.FILE
    if literal and Origin.FIXTURE not in origins:
        return Source.LOCAL if met else Source.LITERAL
    if origins & {Origin.FIXTURE, Origin.HELPER}:
        return Source.FIXTURE
    if called or len(said) > 1:
        return Source.COMPUTED
    return Source.UNKNOWN


def taken_earlier(
    said: list[str], met: Sequence[Binding], subject: Sequence[str]
) -> list[str]:
    """The words of an expected value, told apart from an equal subject of a later time.

    `before = f(); …; expect(f()).toBe(before)` does not hold a thing against itself.
    """
    kept = any(
        not each.literal and each.words and list(each.words) == said for each in met
    )
    return ["earlier", *said] if kept and said == list(subject) else said


class Speaks(Protocol):
    """What says expressions of a language, and notes which names it met."""

    met: list[Binding]

    def say(self, piece: Piece) -> list[str]:
        """An expression in words."""

    def is_literal(self, piece: Piece) -> bool:
        """Whether an expression is written out."""


def listed(pieces: Sequence[Piece], speaker: Speaks) -> list[str]:
    """Several expressions in words, with commas between them."""
    found: list[str] = []
    for each in pieces:
        found += [",", *speaker.say(each)] if found else speaker.say(each)
    return found


def expected_of(
    pieces: Sequence[Piece], speaker: Speaks, subject: Sequence[str]
) -> tuple[list[str], Source]:
    """An expected value in words, and where it comes from."""
    speaker.met.clear()
    said = listed(pieces, speaker)
    literal = all(map(speaker.is_literal, pieces))
    source = source_of(said, speaker.met, subject, literal=literal)
    return taken_earlier(said, speaker.met, subject), source


def _callees(said: Sequence[str]) -> set[str]:
    """What is called in an expression, but for matchers and constructors of data."""
    found = set()
    for word, after in pairwise(said):
        if after == "(" and re.fullmatch(r"[A-Za-z_$][\w$]*", word):
            found.add(word)
    return found - _EVERYWHERE


_EVERYWHERE: Final = frozenset(
    [
        "Date",
        "Map",
        "Set",
        "Array",
        "Object",
        "String",
        "Number",
        "BigInt",
        "Error",
        "RegExp",
        "Buffer",
        "from",
        "of",
        "parse",
        "stringify",
        "keys",
        "values",
        "entries",
        "map",
        "filter",
        "join",
        "slice",
        "trim",
        "any",
        "anything",
        "expect",
        "get",
        "objectContaining",
        "arrayContaining",
        "stringContaining",
        "stringMatching",
        "closeTo",
        "Symbol",
        "toString",
        "fn",
        "toISOString",
        "getByText",
        "getByRole",
        "getByTestId",
        "queryByText",
        "find",
        "querySelector",
        "now",
        "then",
        "await",
        "async",
        "resolve",
        "fill",
        "push",
        "concat",
        "return",
    ]
)


def settled(claim: Claim) -> Claim:
    """The claim in its one way of saying it; VACUOUS where it can't fail."""
    said, wanted = list(claim.subject), list(claim.expected)
    if claim.kind in {K.EQUAL, K.IDENTICAL, K.NOT_EQUAL} and wanted in (
        ["null"],
        ["undefined"],
        ["nil"],
    ):
        kind = K.NOT_NONE if claim.kind is K.NOT_EQUAL else K.NONE
        claim = replace(claim, kind=kind)
    if claim.kind is K.IDENTICAL and (
        claim.source is Source.ROW or _is_primitive(wanted)
    ):
        claim = replace(claim, kind=K.EQUAL)
    if claim.kind is K.NOT_NONE and wanted == ["truthy"] and said in _FALSY:
        return replace(claim, kind=K.CUSTOM, subject=["fail"], expected=())
    if _is_hollow(claim):
        return replace(claim, kind=K.VACUOUS)
    wants = _wanted_truth(claim)
    if wants is not None:
        while said[:1] == ["!"] and parted(said[1:], ("&&", "||")) is None:
            said, wants = said[1:], not wants
            if said[:1] == ["("] and said[-1:] == [")"]:
                said = said[1:-1]
            word = "true" if wants else "false"
            claim = replace(claim, kind=K.EQUAL, subject=said, expected=[word])
        told = _comparison(claim, said, wants=wants)
        if told is not None:
            return replace(claim, kind=K.VACUOUS) if _is_hollow(told) else told
    if claim.kind is K.EQUAL and said[-2:] in _LENGTHS:
        return replace(claim, kind=K.LENGTH, subject=said[:-2])
    return claim


def _is_primitive(said: Sequence[str]) -> bool:
    plain = said[1:] if said[:1] == ["-"] else said
    return len(plain) == 1 and bool(_CONSTANT.fullmatch(plain[0]))


def _is_constant(word: str) -> bool:
    return word in _ORDERS or bool(_CONSTANT.fullmatch(word))


def _is_hollow(claim: Claim) -> bool:
    """Whether it looks at a constant, or holds a thing against itself."""
    constant = bool(claim.subject) and all(map(_is_constant, claim.subject))
    match claim.kind:
        case K.EQUAL | K.IDENTICAL | K.CONTAINS | K.MATCHES | K.CLOSE:
            return list(claim.subject) == list(claim.expected)
        case K.NOT_EQUAL | K.ORDERED:
            return constant and all(map(_is_constant, claim.expected))
        case K.NOT_NONE | K.TRUE | K.FALSE | K.NONE:
            return constant
        case (
            K.LENGTH
            | K.TYPE
            | K.RAISES
            | K.RAISES_ANY
            | K.NOT_RAISES
            | K.CALLED
            | K.SNAPSHOT
            | K.VACUOUS
            | K.CUSTOM
        ):
            return False


def _wanted_truth(claim: Claim) -> bool | None:
    """Which boolean is demanded; None where none is."""
    if claim.kind is K.EQUAL and len(claim.expected) == 1:
        return _BOOLEANS.get(claim.expected[0])
    if claim.kind is K.NOT_NONE and list(claim.expected) == ["truthy"]:
        return True
    return False if claim.kind is K.FALSE else None


def _comparison(claim: Claim, said: list[str], *, wants: bool) -> Claim | None:
    """What `expect(a === b).toBe(true)` says; None where it is no comparison."""
    found = parted(said, COMPARISONS)
    if found is None:
        return _question(claim, said, wants=wants)
    place, sign = found
    left, right = said[:place], said[place + 1 :]
    if sign in _ORDERS:
        kind, wanted = K.ORDERED, [sign, *right] if wants else ["not", sign, *right]
    else:
        same = wants == (sign in {"==", "==="})
        kind, wanted = (K.EQUAL if same else K.NOT_EQUAL), right
    literal = all(_CONSTANT.fullmatch(word) for word in right)
    source = Source.LITERAL if literal else Source.COMPUTED
    if right == left or _callees(left) & _callees(right):
        source = Source.SUBJECT
    return settled(
        replace(claim, kind=kind, subject=left, expected=wanted, source=source)
    )


def _question(claim: Claim, said: list[str], *, wants: bool) -> Claim | None:
    """What `expect(a.includes(b)).toBe(true)` says; None where it asks nothing."""
    if not said or said[-1] != ")":
        return None
    depth = 0
    for place in range(len(said) - 1, 1, -1):
        depth += {")": 1, "(": -1}.get(said[place], 0)
        if depth == 0:
            break
    else:
        return None
    name, dot = said[place - 1], said[place - 2]
    if dot != "." or name not in _QUESTIONS or place < 3:  # noqa: PLR2004 - x.f(
        return None
    wanted = said[place + 1 : -1]
    if name not in {"includes", "include?", "test", "match?"}:
        wanted = [name, *wanted]
    if not wants:
        wanted = ["not", *wanted]
    return replace(
        claim,
        kind=_QUESTIONS[name],
        subject=said[: place - 2],
        expected=wanted,
        source=Source.LITERAL if all(map(is_text, wanted)) else Source.COMPUTED,
    )


def as_demand(claim: Claim, piece: Piece, guard: str) -> Demand:
    """A claim as the demand that is compared."""
    told = settled(claim)
    subject, inputs = blanked(told.subject)
    return Demand(
        aspect=Aspect.ASSERTION,
        kind=told.kind,
        subject=subject,
        inputs=inputs,
        expected=joined(told.expected),
        source=told.source,
        tolerance=told.tolerance,
        guard=guard,
        text=one_line(piece.text[:2000]),
        line=piece.line,
    )
