"""Which assertions an expression of PHP makes: PHPUnit's and Pest's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import AssertionKind, Demand, Source
from fairtrial.integrity.reading.php.words import CALLS, Speaker, arguments_of, bare
from fairtrial.integrity.reading.script.claims import (
    Claim,
    as_demand,
    expected_of,
    listed,
)
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

K = AssertionKind
_HELPER: Final = re.compile(r"(?:assert|expect|verify|check|ensure)(?=[A-Z_])")
_E: Final = "expected"
#: PHPUnit's: kind, place of the subject, place of what is expected or its words.
_ASSERTIONS: Final[dict[str, tuple[AssertionKind, int, int | str | None]]] = {
    "Same": (K.IDENTICAL, 1, 0),
    "Equals": (K.EQUAL, 1, 0),
    "EqualsCanonicalizing": (K.EQUAL, 1, 0),
    "EqualsIgnoringCase": (K.EQUAL, 1, 0),
    "EqualsWithDelta": (K.CLOSE, 1, 0),
    "JsonStringEqualsJsonString": (K.EQUAL, 1, 0),
    "StringEqualsFile": (K.EQUAL, 1, 0),
    "True": (K.EQUAL, 0, "true"),
    "False": (K.EQUAL, 0, "false"),
    "Null": (K.NONE, 0, "null"),
    "Empty": (K.LENGTH, 0, "0"),
    "Count": (K.LENGTH, 1, 0),
    "Contains": (K.CONTAINS, 1, 0),
    "ContainsEquals": (K.CONTAINS, 1, 0),
    "ArrayHasKey": (K.CONTAINS, 1, 0),
    "StringContainsString": (K.CONTAINS, 1, 0),
    "StringStartsWith": (K.CONTAINS, 1, 0),
    "StringEndsWith": (K.CONTAINS, 1, 0),
    "MatchesRegularExpression": (K.MATCHES, 1, 0),
    "InstanceOf": (K.TYPE, 1, 0),
    "GreaterThan": (K.ORDERED, 1, 0),
    "GreaterThanOrEqual": (K.ORDERED, 1, 0),
    "LessThan": (K.ORDERED, 1, 0),
    "LessThanOrEqual": (K.ORDERED, 1, 0),
    "MatchesSnapshot": (K.SNAPSHOT, 0, None),
    "MatchesJsonSnapshot": (K.SNAPSHOT, 0, None),
}
_SIGNS: Final = {
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
    "StringStartsWith": "start",
    "StringEndsWith": "end",
    "EqualsCanonicalizing": "in any order",
    "EqualsIgnoringCase": "ignoring case",
}
_SPELLED: Final = {name.lower(): name for name in _ASSERTIONS}
#: Pest's expectations.
_EXPECTATIONS: Final[dict[str, tuple[AssertionKind, str]]] = {
    "toBe": (K.IDENTICAL, ""),
    "toEqual": (K.EQUAL, ""),
    "toEqualCanonicalizing": (K.EQUAL, "in any order"),
    "toEqualWithDelta": (K.CLOSE, ""),
    "toBeTrue": (K.EQUAL, "true"),
    "toBeFalse": (K.EQUAL, "false"),
    "toBeTruthy": (K.NOT_NONE, "truthy"),
    "toBeFalsy": (K.FALSE, ""),
    "toBeNull": (K.NONE, "null"),
    "toBeEmpty": (K.LENGTH, "0"),
    "toHaveCount": (K.LENGTH, ""),
    "toHaveLength": (K.LENGTH, ""),
    "toContain": (K.CONTAINS, ""),
    "toHaveKey": (K.CONTAINS, ""),
    "toHaveKeys": (K.CONTAINS, ""),
    "toMatchArray": (K.CONTAINS, ""),
    "toMatch": (K.MATCHES, ""),
    "toStartWith": (K.CONTAINS, "start"),
    "toEndWith": (K.CONTAINS, "end"),
    "toBeInstanceOf": (K.TYPE, ""),
    "toBeGreaterThan": (K.ORDERED, ">"),
    "toBeGreaterThanOrEqual": (K.ORDERED, ">="),
    "toBeLessThan": (K.ORDERED, "<"),
    "toBeLessThanOrEqual": (K.ORDERED, "<="),
    "toThrow": (K.RAISES, ""),
    "toMatchSnapshot": (K.SNAPSHOT, ""),
}
_NEGATED: Final = {
    K.EQUAL: K.NOT_EQUAL,
    K.IDENTICAL: K.NOT_EQUAL,
    K.NONE: K.NOT_NONE,
    K.LENGTH: K.NOT_EQUAL,
    K.RAISES: K.NOT_RAISES,
}
#: Announcements of PHPUnit: what is raised later has to fit.
_ANNOUNCED: Final = re.compile(
    r"expectException(\w*)$|expectDeprecation|expectOutput\w+"
)
_MOCK: Final = frozenset({"expects", "shouldReceive", "shouldHaveReceived"})


def chain_of(piece: Piece) -> list[tuple[str, Piece]]:
    """The names of a chain with their pieces, the innermost first."""
    found: list[tuple[str, Piece]] = []
    each = bare(piece)
    while each.kind in CALLS or each.kind == "member_access_expression":
        names = [it for it in each.nodes if it.kind in {"name", "qualified_name"}]
        found.append((names[-1].text.lstrip("\\") if names else "", each))
        if each.kind in {"function_call_expression", "scoped_call_expression"}:
            break
        each = bare(each.nodes[0])
    return found[::-1]


def assertions(
    piece: Piece, speaker: Speaker, helpers: Callable[[str], bool], guard: str
) -> list[Demand]:
    """The demands of an expression that stands as a statement; none for others."""
    return [as_demand(each, piece, guard) for each in _claims(piece, speaker, helpers)]


def _claims(
    piece: Piece, speaker: Speaker, helpers: Callable[[str], bool]
) -> Iterator[Claim]:
    chain = chain_of(piece)
    if not chain:
        return
    first, last = chain[0], chain[-1]
    owner = bare(last[1].nodes[0]).text if last[1].kind in CALLS else ""
    ours = owner in {"$this", "self", "static", "Assert", "PHPUnit\\Framework\\Assert"}
    plain = last[1].kind == "function_call_expression"
    if first[0] == "expect" and first[1].kind == "function_call_expression":
        yield from _expected(chain, speaker)
    elif any(name in _MOCK for name, _ in chain):
        yield _called(chain, speaker)
    elif (ours or plain) and last[0].startswith("assert") and last[0] != "assert":
        yield _asserted(last[0], arguments_of(last[1]), speaker)
    elif ours and _ANNOUNCED.match(last[0]):
        wanted = listed(arguments_of(last[1]), speaker)
        yield Claim(
            kind=K.RAISES,
            subject=[last[0]],
            expected=wanted,
            source=Source.LITERAL,
        )
    elif (ours and last[0] == "fail") or (plain and last[0] == "fail"):
        yield Claim(kind=K.CUSTOM, subject=["fail"])
    elif (ours or plain) and (helpers(last[0]) or _HELPER.match(last[0])):
        yield Claim(kind=K.CUSTOM, subject=speaker.say(piece))


def _asserted(name: str, given: Sequence[Piece], speaker: Speaker) -> Claim:
    # PHP's names of functions know no case.
    bare_name = _SPELLED.get(name[6:].lower(), name[6:])
    negated = False
    known = _ASSERTIONS.get(bare_name)
    if known is None:
        bare_name = re.sub(r"Not(?=[A-Z])|DoesNot", "", bare_name, count=1)
        bare_name = bare_name.replace("ContainString", "ContainsString")
        known = _ASSERTIONS.get(bare_name)
        negated = known is not None
    if bare_name.startswith("Is") and known is None and given:
        kind = bare_name[2:].lower()
        return Claim(
            kind=K.TYPE,
            subject=speaker.say(given[0]),
            expected=[kind],
            source=Source.LITERAL,
        )
    if known is None or len(given) <= known[1]:
        subject = [*listed(given[:1], speaker), "~", name]
        return Claim(
            kind=K.CUSTOM, subject=subject, expected=listed(given[1:], speaker)
        )
    kind, at, wants = known
    subject = speaker.say(given[at])
    wanted, source = [wants] if isinstance(wants, str) else [], Source.LITERAL
    if isinstance(wants, int):
        wanted, source = expected_of(given[wants : wants + 1], speaker, subject)
    if bare_name in _SIGNS:
        wanted = [_SIGNS[bare_name], *wanted]
    tolerance = ""
    if kind is K.CLOSE and len(given) > 2:  # noqa: PLR2004 - expected, actual, delta
        tolerance = joined(speaker.say(given[2]))
    return _claim(subject, kind, wanted, source, tolerance, negated=negated)


def _expected(chain: Sequence[tuple[str, Piece]], speaker: Speaker) -> Iterator[Claim]:
    """`expect($x)->toBe(3)->and($y)->not->toBeNull()`."""
    subject = listed(arguments_of(chain[0][1])[:1], speaker)
    negated = False
    told = False
    for name, piece in chain[1:]:
        given = arguments_of(piece) if piece.kind in CALLS else []
        if name == "not":
            negated = True
        elif name == "and" and given:
            subject = speaker.say(given[0])
        elif piece.kind in CALLS and name.startswith("to"):
            told = True
            yield _one(subject, name, given, speaker, negated=negated)
            negated = False
        elif name == "each":
            subject = [*subject, ".", "each"]
        elif piece.kind not in CALLS and name:
            subject = [*subject, "->", name]
    if not told:
        yield Claim(kind=K.VACUOUS, subject=subject or ["expect"])


def _one(
    subject: list[str],
    name: str,
    given: Sequence[Piece],
    speaker: Speaker,
    *,
    negated: bool,
) -> Claim:
    known = _EXPECTATIONS.get(name)
    if known is None:
        sign = ["not", name] if negated else [name]
        return Claim(
            kind=K.CUSTOM,
            subject=[*subject, "~", *sign],
            expected=listed(given, speaker),
        )
    kind, word = known
    wanted, source = expected_of(given[:1], speaker, subject)
    if kind is K.RAISES and not given:
        kind = K.RAISES_ANY
    tolerance = joined(speaker.say(given[1])) if kind is K.CLOSE and given[1:] else ""
    expected = [word, *wanted] if word else wanted
    return _claim(subject, kind, expected, source, tolerance, negated=negated)


def _called(chain: Sequence[tuple[str, Piece]], speaker: Speaker) -> Claim:
    """`$mock->expects($this->once())->method("get")->with(1)` is to be called."""
    place = next(n for n, (name, _) in enumerate(chain) if name in _MOCK)
    subject = speaker.say(chain[place][1].nodes[0])
    said = [
        word
        for name, piece in chain[place:]
        for word in (name, "(", *listed(arguments_of(piece), speaker), ")", " ")
    ]
    return Claim(kind=K.CALLED, subject=subject, expected=said[:-1])


def _claim(
    subject: list[str],
    kind: AssertionKind,
    expected: list[str],
    source: Source,
    tolerance: str,
    *,
    negated: bool,
) -> Claim:
    if negated and kind is K.NOT_NONE:
        kind, expected = K.FALSE, []
    elif negated:
        flipped = _NEGATED.get(kind)
        kind, expected = (flipped, expected) if flipped else (kind, ["not", *expected])
    return Claim(
        kind=kind,
        subject=subject,
        expected=expected,
        source=source,
        tolerance=tolerance,
    )
