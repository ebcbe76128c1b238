"""Which assertions an expression of JavaScript makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.demands import AssertionKind, Demand, Source
from fairtrial.integrity.reading.ecmascript.chains import Chain, Link, unchained
from fairtrial.integrity.reading.ecmascript.claims import expected_value, loosened
from fairtrial.integrity.reading.ecmascript.matchers import (
    CHAI_FLAGS,
    CHAI_METHODS,
    CHAI_PROPERTIES,
    CHAI_SILENT,
    FUNCTIONS,
    MATCHERS,
    WAITING,
    Says,
    opposite,
)
from fairtrial.integrity.reading.ecmascript.scopes import (
    Speaker,
)
from fairtrial.integrity.reading.script.claims import Claim, as_demand
from fairtrial.integrity.reading.script.naming import (
    Origin,
)
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import blanked, joined

K = AssertionKind
_HELPER: Final = re.compile(r"(?:assert|expect|verify|check|should|ensure)(?=[A-Z_]|$)")
_EXPECTS: Final = frozenset({"expect", "expectSoft", "softExpect", "assume"})
_PROPERTIES: Final = frozenset(
    {"toHaveProperty", "toHaveAttribute", "property", "ownProperty"}
)
_MESSAGES: Final = re.compile(r'".*"|`', re.DOTALL)


@dataclass(slots=True, kw_only=True)
class Facts:
    """What is known of the file and the test around an expression."""

    #: Playwright's `expect` waits: it has to be awaited.
    waits: bool = False
    #: What the runner hands to the test: `t`, `assert`.
    given: frozenset[str] = frozenset()
    #: Matchers that the file defines.
    matchers: set[str] = field(default_factory=set)


def assertions(
    piece: Piece, speaker: Speaker, facts: Facts, *, awaited: bool, guard: str
) -> list[Demand]:
    """The demands of an expression that stands as a statement; none for others."""
    chain = unchained(piece)
    reader = _Reader(chain, speaker, facts, awaited=awaited or chain.awaited)
    claims = list(reader.claims())
    if reader.forgotten:
        guard = f"{guard} and not-awaited" if guard else "not-awaited"
    return [as_demand(each, piece, guard) for each in claims]


class _Reader:
    """Reads one chain."""

    def __init__(
        self, chain: Chain, speaker: Speaker, facts: Facts, *, awaited: bool
    ) -> None:
        self.chain = chain
        self.speaker = speaker
        self.facts = facts
        self.awaited = awaited
        #: A promise that nobody waits for.
        self.forgotten = False

    def claims(self) -> Iterator[Claim]:
        """What the chain demands."""
        links = self.chain.links
        name = self.chain.name
        if name in _EXPECTS and links:
            yield from self._expect(links)
            return
        if name in {"chai", "sinon", "t", "jasmine"} and len(links) > 1:
            inner = links[0].name
            if inner == "expect":
                yield from self._expect(links[1:])
                return
            if inner == "assert":
                yield from self._assert(links[1:])
                return
        should = next(
            (n for n, each in enumerate(links) if each.name == "should"), None
        )
        if should is not None:
            yield from self._should(links, should)
        elif (name in {"assert", "should"} and links) or (
            name in self.facts.given and links and links[0].name in FUNCTIONS
        ):
            yield from self._assert(links)
        elif any(each.name == "expect" and each.arguments for each in links):
            yield from self._requested(links)
        else:
            yield from self._helper(links)

    def _expect(self, links: Sequence[Link]) -> Iterator[Claim]:
        first, rest = links[0], links[1:]
        if first.name in {"assertions", "hasAssertions"}:
            expected = self._said(first.arguments)
            yield Claim(
                kind=K.CUSTOM,
                subject=["expect", ".", first.name],
                expected=expected,
                source=Source.LITERAL,
            )
            return
        if first.name in {"fail", "unreachable"}:
            yield Claim(kind=K.CUSTOM, subject=["fail"])
            return
        if not first.name or (first.is_call and rest):
            subject = self._said((first.arguments or ())[:1])
            yield from self._matched(subject, rest, first)

    def _matched(
        self, subject: list[str], links: Sequence[Link], start: Link
    ) -> Iterator[Claim]:
        negated = False
        promised = ""
        told = False
        flags: list[str] = []
        for link in links:
            name = link.name
            if name == "not":
                negated = True
            elif name in {"resolves", "eventually", "rejects"}:
                promised = name
                subject = subject if name == "rejects" else ["await", *subject]
            elif name in CHAI_FLAGS and not link.is_call:
                flags.append(name)
            else:
                claim = self._link(subject, link, flags, negated=negated, way=promised)
                if claim is not None:
                    told = True
                    yield claim
                    if name == "property":
                        subject = list(claim.subject)
                self._note_waiting(link)
        if promised:
            self.forgotten = not self.awaited
        if not told:
            yield Claim(kind=K.VACUOUS, subject=subject or [start.name or "expect"])

    def _link(
        self,
        subject: list[str],
        link: Link,
        flags: Sequence[str],
        *,
        negated: bool,
        way: str,
    ) -> Claim | None:
        """What one link of the chain claims; None where it only reads well."""
        name = link.name
        if not link.is_call:
            says = CHAI_PROPERTIES.get(name)
            if says is None:
                return None
            return self._claim(subject, says, link, negated=negated)
        if name in MATCHERS or name in self.facts.matchers:
            return self._matcher(subject, link, negated=negated, rejects=way)
        if name in CHAI_METHODS:
            says = _deep(CHAI_METHODS[name], flags)
            return self._claim(subject, says, link, negated=negated)
        if name in _PROPERTIES:
            return self._property(subject, link, negated=negated)
        if name in CHAI_PROPERTIES:
            return self._claim(subject, CHAI_PROPERTIES[name], link, negated=negated)
        if name and name not in CHAI_SILENT:
            return self._custom(subject, link, negated=negated)
        return None

    def _note_waiting(self, link: Link) -> None:
        waiting = link.is_call and link.name in WAITING
        if self.facts.waits and waiting and not self.awaited:
            self.forgotten = True

    def _matcher(
        self, subject: list[str], link: Link, *, negated: bool, rejects: str
    ) -> Claim:
        if link.name in self.facts.matchers:
            return self._custom(subject, link, negated=negated)
        says = MATCHERS[link.name]
        if rejects == "rejects":
            if says.kind is K.RAISES:
                return self._claim(["await", *subject], says, link, negated=negated)
            subject = ["rejected", "(", *subject, ")"]
        return self._claim(subject, says, link, negated=negated)

    def _property(self, subject: list[str], link: Link, *, negated: bool) -> Claim:
        """`toHaveProperty("a.b", 3)` looks at a.b."""
        given = link.arguments or ()
        looked = [*subject, "[", *self._said(given[:1]), "]"]
        says = Says(K.EQUAL, expects=1)
        if len(given) == 1:
            says = Says(K.NOT_NONE, "undefined", expects=None)
        return self._claim(looked, says, link, negated=negated)

    def _custom(self, subject: list[str], link: Link, *, negated: bool) -> Claim:
        sign = ["not", link.name] if negated else [link.name]
        given = self._said(link.arguments)
        return Claim(kind=K.CUSTOM, subject=[*subject, "~", *sign], expected=given)

    def _should(self, links: Sequence[Link], place: int) -> Iterator[Claim]:
        link = links[place]
        before = links[place - 1].piece if place else self.chain.root
        subject = self.speaker.say(before)
        if link.is_call and link.arguments:
            # Cypress says its matcher in words.
            sign, *given = link.arguments
            yield Claim(
                kind=K.CUSTOM,
                subject=[*subject, "~", *self.speaker.say(sign)],
                expected=self._said(tuple(given)),
            )
            yield from ()
        else:
            yield from self._matched(subject, links[place + 1 :], link)

    def _assert(self, links: Sequence[Link]) -> Iterator[Claim]:
        path = [each for each in links if each.name not in {"strict", "assert"}]
        link = next((each for each in links if each.is_call), None)
        if link is None or link.arguments is None:
            return
        name = link.name or "assert"
        given = link.arguments
        if self.chain.name == "should" and not link.name:
            yield from self._matched(self._said(given[:1]), links[1:], link)
            return
        if name in {"fail", "plan"}:
            yield Claim(
                kind=K.CUSTOM, subject=["assert", ".", name], expected=self._said(given)
            )
            return
        says = FUNCTIONS.get(name)
        if says is None and path:
            yield Claim(
                kind=K.CUSTOM,
                subject=[*self._said(given[:1]), "~", name],
                expected=self._said(given[1:]),
            )
            return
        if says is None:
            return
        if name in {"rejects", "doesNotReject", "throwsAsync", "notThrowsAsync"}:
            self.forgotten = not self.awaited
        yield self._claim(self._said(given[:1]), says, link, negated=False)

    def _requested(self, links: Sequence[Link]) -> Iterator[Claim]:
        before: Piece = self.chain.root
        subject: list[str] = []
        for link in links:
            if link.name == "expect" and link.arguments:
                subject = subject or self.speaker.say(before)
                expected, source = expected_value(
                    link.arguments[-1], self.speaker, subject
                )
                looked = [*subject, "~", "expect"]
                if len(link.arguments) > 1:
                    looked += ["[", *self._said(link.arguments[:1]), "]"]
                yield Claim(
                    kind=K.EQUAL, subject=looked, expected=expected, source=source
                )
            elif not subject:
                before = link.piece

    def _helper(self, links: Sequence[Link]) -> Iterator[Claim]:
        call = next((each for each in links if each.is_call), None)
        if call is None or call.arguments is None:
            return
        name = call.name or self.chain.name
        binding = self.speaker.scope.find(name) if not call.name else None
        known = binding is not None and binding.asserts
        if known or _HELPER.match(name):
            yield Claim(kind=K.CUSTOM, subject=self.speaker.say(call.piece))

    # What all share

    def _said(self, pieces: Sequence[Piece] | None) -> list[str]:
        found: list[str] = []
        for each in pieces or ():
            found += [",", *self.speaker.say(each)] if found else self.speaker.say(each)
        return found

    def _claim(
        self, subject: list[str], says: Says, link: Link, *, negated: bool
    ) -> Claim:
        given = link.arguments or ()
        kind, expected, source = self._expected(subject, says, link)
        if kind is K.SNAPSHOT:
            source = Source.LITERAL if "Inline" in link.name else Source.FILE
        tolerance = ""
        if says.tolerance is not None:
            tolerance = self._tolerance(link, given, says.tolerance)
        if says.word:
            expected = [says.word, *expected]
        if negated:
            kind, expected = _negated(kind, says, expected)
        return Claim(
            kind=kind,
            subject=subject,
            expected=expected,
            source=source,
            tolerance=tolerance,
        )

    def _expected(
        self, subject: list[str], says: Says, link: Link
    ) -> tuple[AssertionKind, list[str], Source]:
        """The kind that the arguments make of it, and what they expect."""
        given = link.arguments or ()
        kind = says.kind
        expected: list[str] = []
        source = Source.LITERAL
        if says.expects is not None and len(given) > says.expects:
            wanted = given[says.expects :]
            several = len(wanted) > 1 and (
                kind is K.RAISES or (kind is K.CONTAINS and says.expects == 0)
            )
            if kind is K.CALLED or several:
                expected, source = self._many(wanted)
            else:
                expected, source = expected_value(wanted[0], self.speaker, subject)
                kind = loosened(kind, self.speaker.value_of(wanted[0]))
        if kind is K.RAISES and (not expected or _is_message(says, expected)):
            return K.RAISES_ANY, [], source
        return kind, expected, source

    def _many(self, pieces: Sequence[Piece]) -> tuple[list[str], Source]:
        self.speaker.met.clear()
        said = self._said(pieces)
        origins = {each.origin for each in self.speaker.met}
        if Origin.ROW in origins:
            return said, Source.ROW
        literal = all(map(self.speaker.is_literal, pieces))
        return said, Source.LITERAL if literal else Source.COMPUTED

    def _tolerance(self, link: Link, given: Sequence[Piece], place: int) -> str:
        if link.name == "toBeCloseTo":
            digits = (
                "2" if len(given) <= place else joined(self.speaker.say(given[place]))
            )
            if re.fullmatch(r"\d{1,2}", digits):
                return f"0.{'0' * int(digits)}5"
            return digits
        return joined(self.speaker.say(given[place])) if len(given) > place else ""


def _deep(says: Says, flags: Sequence[str]) -> Says:
    """`deep.equal` compares what is inside."""
    return (
        replace(says, kind=K.EQUAL)
        if says.kind is K.IDENTICAL and "deep" in flags
        else says
    )


def _negated(
    kind: AssertionKind, says: Says, expected: list[str]
) -> tuple[AssertionKind, list[str]]:
    """What `not` makes of a claim."""
    if kind is K.NOT_NONE:
        return (K.FALSE, []) if says.word == "truthy" else (K.NONE, expected)
    flipped = opposite(kind)
    return (kind, ["not", *expected]) if flipped is None else (flipped, expected)


def _is_message(says: Says, expected: Sequence[str]) -> bool:
    """Whether the second argument of `assert.throws` only explains a failure."""
    return (
        says.expects == 1 and len(expected) == 1 and bool(_MESSAGES.match(expected[0]))
    )


def spoken(piece: Piece, speaker: Speaker, holes: frozenset[int]) -> tuple[str, str]:
    """A call as what is done and with which arguments."""
    return blanked(speaker.say(piece, holes))
