"""Which assertions an expression of Ruby makes: RSpec's, minitest's, its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import AssertionKind, Demand, Source
from fairtrial.integrity.reading.ruby.calls import Call, call_of, chain_of, positional
from fairtrial.integrity.reading.ruby.words import Speaker, name_of
from fairtrial.integrity.reading.script.claims import (
    Claim,
    as_demand,
    expected_of,
    listed,
)
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

K = AssertionKind
_TO: Final = {"to": False, "not_to": True, "to_not": True, "should": False}
_HELPER: Final = re.compile(r"(?:assert|expect|verify|check|ensure|refute)_\w")
_MATCHERS: Final[dict[str, AssertionKind]] = {
    "eq": K.EQUAL,
    "eql": K.EQUAL,
    "equal": K.IDENTICAL,
    "be": K.IDENTICAL,
    "be_a": K.TYPE,
    "be_an": K.TYPE,
    "be_kind_of": K.TYPE,
    "be_a_kind_of": K.TYPE,
    "be_an_instance_of": K.TYPE,
    "be_instance_of": K.TYPE,
    "include": K.CONTAINS,
    "start_with": K.CONTAINS,
    "end_with": K.CONTAINS,
    "have_attributes": K.CONTAINS,
    "match": K.MATCHES,
    "match_array": K.EQUAL,
    "contain_exactly": K.EQUAL,
    "raise_error": K.RAISES,
    "raise_exception": K.RAISES,
    "have_received": K.CALLED,
    "receive": K.CALLED,
    "match_snapshot": K.SNAPSHOT,
    "match_response_schema": K.MATCHES,
}
#: Assertions of minitest: kind, place of the subject, place of what is expected.
_ASSERTIONS: Final[dict[str, tuple[AssertionKind, int, int | None]]] = {
    "equal": (K.EQUAL, 1, 0),
    "same": (K.IDENTICAL, 1, 0),
    "nil": (K.NONE, 0, None),
    "in_delta": (K.CLOSE, 1, 0),
    "in_epsilon": (K.CLOSE, 1, 0),
    "includes": (K.CONTAINS, 0, 1),
    "include": (K.CONTAINS, 0, 1),
    "match": (K.MATCHES, 1, 0),
    "instance_of": (K.TYPE, 1, 0),
    "kind_of": (K.TYPE, 1, 0),
    "empty": (K.LENGTH, 0, None),
    "response": (K.EQUAL, 1, 0),
    "respond_to": (K.CONTAINS, 0, 1),
    "path_exists": (K.CUSTOM, 0, None),
}
_TRUTHS: Final = {
    "be_truthy": (K.NOT_NONE, "truthy"),
    "be_falsey": (K.FALSE, ""),
    "be_falsy": (K.FALSE, ""),
    "be_nil": (K.NONE, "nil"),
}
_NEGATED: Final = {
    K.EQUAL: K.NOT_EQUAL,
    K.IDENTICAL: K.NOT_EQUAL,
    K.NONE: K.NOT_NONE,
    K.LENGTH: K.NOT_EQUAL,
    K.RAISES: K.NOT_RAISES,
    K.RAISES_ANY: K.NOT_RAISES,
}


def assertions(
    piece: Piece, speaker: Speaker, helpers: Callable[[str], bool], guard: str
) -> list[Demand]:
    """The demands of an expression that stands as a statement; none for others."""
    return [as_demand(each, piece, guard) for each in _claims(piece, speaker, helpers)]


def _claims(
    piece: Piece, speaker: Speaker, helpers: Callable[[str], bool]
) -> Iterator[Claim]:
    call = call_of(piece)
    if call is None:
        return
    if call.name in _TO and call.receiver is not None:
        yield from _expected(call, speaker)
    elif call.name.startswith(("must_", "wont_")) and call.receiver is not None:
        yield _spec(call, speaker)
    elif call.receiver is None and re.match(r"(?:assert|refute)(?:_|$)", call.name):
        yield _asserted(call, speaker)
    elif call.receiver is None and call.name in {"flunk", "fail"}:
        yield Claim(kind=K.CUSTOM, subject=["fail"])
    elif (
        call.receiver is None and call.name in {"expect", "_"} and piece.kind == "call"
    ):
        yield Claim(kind=K.VACUOUS, subject=_looked_at(call, speaker))
    elif call.receiver is None and (helpers(call.name) or _HELPER.match(call.name)):
        yield Claim(kind=K.CUSTOM, subject=speaker.say(piece))


def _looked_at(call: Call, speaker: Speaker) -> list[str]:
    """What `expect(x)`, `expect { x }`, `_(x)` and `is_expected` look at."""
    if call.name == "is_expected":
        return (
            speaker.say(call.piece)
            if speaker.scope.find("subject") is None
            else list(speaker.naming("subject") or ["subject"])
        )
    if call.arguments:
        return speaker.say(call.arguments[0])
    return speaker.say(call.block) if call.block is not None else [call.name]


# RSpec


def _expected(call: Call, speaker: Speaker) -> Iterator[Claim]:
    assert call.receiver is not None
    inner = call_of(call.receiver)
    known = inner is not None and inner.name in {
        "expect",
        "is_expected",
        "expect_any_instance_of",
    }
    if known and inner is not None:
        subject = _looked_at(inner, speaker)
    elif call.name == "should":
        subject = speaker.say(call.receiver)
    else:
        return
    negated = _TO[call.name]
    for matcher in call.arguments[:1]:
        yield from _matched(subject, matcher, speaker, negated=negated)
    if not call.arguments:
        yield Claim(kind=K.VACUOUS, subject=subject)


def _matched(
    subject: list[str], matcher: Piece, speaker: Speaker, *, negated: bool
) -> Iterator[Claim]:
    """What a matcher demands; `a.and b` demands both."""
    if matcher.kind == "binary" and matcher.nodes[0].text == "be":
        sign = matcher.parts[1].text
        wanted = speaker.say(matcher.nodes[-1])
        kind = K.EQUAL if sign == "==" else K.ORDERED
        expected = wanted if sign == "==" else [sign, *wanted]
        yield _claim(subject, kind, expected, Source.LITERAL, negated=negated)
        return
    chain = chain_of(matcher)
    if not chain:
        yield Claim(kind=K.CUSTOM, subject=[*subject, "~", *speaker.say(matcher)])
        return
    if chain[-1].name in {"and", "or"} and chain[-1].receiver is not None:
        if chain[-1].name == "or":
            yield Claim(kind=K.CONTAINS, subject=subject, expected=speaker.say(matcher))
            return
        yield from _matched(subject, chain[-1].receiver, speaker, negated=negated)
        for each in chain[-1].arguments[:1]:
            yield from _matched(subject, each, speaker, negated=negated)
        return
    yield _one(subject, chain, speaker, negated=negated)


def _one(
    subject: list[str], chain: Sequence[Call], speaker: Speaker, *, negated: bool
) -> Claim:
    matcher, rest = chain[0], chain[1:]
    name = matcher.name
    more = [word for each in rest for word in _modifier(each, speaker)]
    if name == "be_within":
        wanted, source = expected_of(
            rest[0].arguments if rest else (), speaker, subject
        )
        delta = joined(listed(matcher.arguments, speaker))
        return Claim(
            kind=K.CLOSE,
            subject=subject,
            expected=wanted,
            source=source,
            tolerance=delta,
        )
    if name in _TRUTHS:
        return _truth(subject, name, negated=negated)
    found = _MATCHERS.get(name)
    if found is None and name.startswith("be_") and not matcher.arguments:
        looked = [*subject, ".", name[3:] + "?"]
        return _claim(looked, K.EQUAL, ["true"], Source.LITERAL, negated=negated)
    if found is None:
        said = [*subject, "~", name]
        given = [*listed(matcher.arguments, speaker), *more]
        if matcher.block is not None:
            given += speaker.say(matcher.block)
        return _claim(said, K.CUSTOM, given, Source.UNKNOWN, negated=negated)
    if found is K.RAISES and not matcher.arguments:
        return _claim(subject, K.RAISES_ANY, more, Source.LITERAL, negated=negated)
    wanted, source = expected_of(matcher.arguments, speaker, subject)
    if name in {"match_array", "contain_exactly"}:
        wanted = ["in any order", *wanted]
    if name in {"start_with", "end_with"}:
        wanted = [name, *wanted]
    return _claim(subject, found, [*wanted, *more], source, negated=negated)


def _truth(subject: list[str], name: str, *, negated: bool) -> Claim:
    kind, word = _TRUTHS[name]
    if negated:
        kind = K.FALSE if kind is K.NOT_NONE else K.NOT_NONE
        word = word or "truthy"
    expected = [] if kind is K.FALSE else [word]
    return Claim(kind=kind, subject=subject, expected=expected, source=Source.LITERAL)


def _modifier(call: Call, speaker: Speaker) -> list[str]:
    return [".", call.name, "(", *listed(call.arguments, speaker), ")"]


def _claim(
    subject: list[str],
    kind: AssertionKind,
    expected: list[str],
    source: Source,
    *,
    negated: bool,
) -> Claim:
    if negated:
        flipped = _NEGATED.get(kind)
        kind, expected = (flipped, expected) if flipped else (kind, ["not", *expected])
    return Claim(kind=kind, subject=subject, expected=expected, source=source)


# minitest


def _asserted(call: Call, speaker: Speaker) -> Claim:
    negated = call.name.startswith(("refute", "assert_not_", "assert_no_"))
    name = re.sub(r"^(?:assert|refute)_?(?:not_|no_)?", "", call.name)
    given = positional(call.arguments)
    if not name:
        subject = listed(given[:1], speaker)
        if negated:
            return Claim(kind=K.FALSE, subject=subject)
        return Claim(kind=K.NOT_NONE, subject=subject, expected=["truthy"])
    if name.startswith(("raise", "nothing_raised")):
        subject = speaker.say(call.block) if call.block is not None else ["raises"]
        error = listed([it for it in given if it.kind != "string"], speaker)
        kind = K.RAISES if error else K.RAISES_ANY
        kind = K.NOT_RAISES if name.startswith("nothing") else kind
        return Claim(kind=kind, subject=subject, expected=error, source=Source.LITERAL)
    if name in {"operator", "predicate"} and len(given) > 1:
        return _operated(given, speaker, negated=negated)
    known = _ASSERTIONS.get(name)
    if known is None or len(given) <= known[1]:
        subject = [*listed(given[:1], speaker), "~", call.name]
        expected = listed(given[1:], speaker)
        if call.block is not None:
            expected += speaker.say(call.block)
        return Claim(kind=K.CUSTOM, subject=subject, expected=expected)
    kind, at, wants = known
    subject = speaker.say(given[at])
    wanted: list[str] = ["0"] if kind is K.LENGTH else []
    source = Source.LITERAL
    if kind is K.NONE:
        wanted = ["nil"]
    if wants is not None:
        wanted, source = expected_of(given[wants : wants + 1], speaker, subject)
    tolerance = ""
    if kind is K.CLOSE:
        tolerance = joined(speaker.say(given[2])) if len(given) > 2 else "0.001"  # noqa: PLR2004
    made = _claim(subject, kind, wanted, source, negated=negated)
    return Claim(
        kind=made.kind,
        subject=made.subject,
        expected=made.expected,
        source=source,
        tolerance=tolerance,
    )


def _operated(given: Sequence[Piece], speaker: Speaker, *, negated: bool) -> Claim:
    subject = speaker.say(given[0])
    sign = name_of(given[1])
    if len(given) == 2:  # noqa: PLR2004 - the thing and the question
        looked = [*subject, ".", sign]
        return _claim(looked, K.EQUAL, ["true"], Source.LITERAL, negated=negated)
    wanted, source = expected_of(given[2:3], speaker, subject)
    kind = K.EQUAL if sign == "==" else K.ORDERED
    expected = wanted if sign == "==" else [sign, *wanted]
    return _claim(subject, kind, expected, source, negated=negated)


def _spec(call: Call, speaker: Speaker) -> Claim:
    """`_(x).must_equal 3`, `x.wont_be_nil`."""
    assert call.receiver is not None
    inner = call_of(call.receiver)
    wrapped = inner is not None and inner.name in {"_", "value", "expect"}
    looked = (
        inner.arguments[0] if wrapped and inner and inner.arguments else call.receiver
    )
    if wrapped and inner is not None and inner.block is not None:
        looked = inner.block
    subject = speaker.say(looked)
    negated = call.name.startswith("wont_")
    name = call.name[5:].removeprefix("be_")
    kind = {
        "equal": K.EQUAL,
        "same_as": K.IDENTICAL,
        "nil": K.NONE,
        "include": K.CONTAINS,
        "match": K.MATCHES,
        "instance_of": K.TYPE,
        "kind_of": K.TYPE,
        "raise": K.RAISES,
        "empty": K.LENGTH,
        "close_to": K.CLOSE,
        "within_delta": K.CLOSE,
    }.get(name)
    if name in {"be", "operator"} and call.arguments:
        asked = [looked, *call.arguments]
        return _operated(asked, speaker, negated=negated)
    wanted, source = expected_of(call.arguments[:1], speaker, subject)
    if kind is None:
        said = [*subject, "~", name]
        return _claim(said, K.CUSTOM, wanted, source, negated=negated)
    if kind is K.NONE:
        wanted = ["nil"]
    if kind is K.LENGTH:
        wanted = ["0"]
    return _claim(subject, kind, wanted, source, negated=negated)
