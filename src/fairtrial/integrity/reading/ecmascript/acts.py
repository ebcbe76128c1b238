"""What calls of JavaScript put in place of others, skip, retry and wait for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity.reading.ecmascript.chains import (
    Chain,
    Link,
    function_in,
    unchained,
)
from fairtrial.integrity.reading.ecmascript.scopes import (
    Speaker,
)
from fairtrial.integrity.reading.ecmascript.words import (
    FUNCTIONS,
    bare,
    bound_names,
    is_plain_text,
)
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece, below
from fairtrial.integrity.reading.script.wording import joined

_TOOLS: Final = frozenset({"jest", "vi", "vitest", "td", "mock", "import_vitest"})
_MODULES: Final = frozenset(
    {"mock", "doMock", "setMock", "unstable_mockModule", "replace", "module"}
)
_SINON: Final = re.compile(r"sinon|sandbox|sbx?$|stubs?$", re.IGNORECASE)
_STUBS: Final = frozenset({"stub", "replace", "fake", "replaceGetter", "mock", "spy"})
#: What a stand-in is told to do.
_BEHAVIOUR: Final = re.compile(
    r"mock(?:Return|Resolved|Rejected|Implementation|Async)\w*|returns(?:Arg|This)?$|"
    r"resolves$|rejects$|callsFake$|callThrough$|throws$|yields\w*$|value$|"
    r"and$|returnValue$|thenReturn$"
)
_MAKERS: Final = re.compile(
    r"\b(?:jest|vi|mock|sinon|sandbox)\.(?:fn|stub|spy|fake|mocked)\b"
)


def said(pieces: Sequence[Piece] | None, speaker: Speaker) -> str:
    """Arguments as one text."""
    return ", ".join(joined(speaker.say(each)) for each in pieces or ())


def stand_ins(piece: Piece, speaker: Speaker, guard: str) -> list[Demand]:
    """The stand-ins that an expression puts in place."""
    inner = bare(piece)
    if inner.kind == "await_expression" and inner.nodes:
        inner = bare(inner.nodes[0])
    if inner.kind == "assignment_expression":
        return _assigned(inner, speaker, guard)
    if inner.kind != "call_expression":
        return []
    chain = unchained(inner)
    told = _module(chain, speaker) or _spied(chain, speaker) or _told(chain, speaker)
    if told is None:
        return []
    target, behaviour = told
    return [demand(Aspect.MOCK, piece, subject=target, expected=behaviour, guard=guard)]


def _assigned(piece: Piece, speaker: Speaker, guard: str) -> list[Demand]:
    """`api.get = jest.fn()`, and whatever takes the place of a method."""
    target, value = bare(piece.nodes[0]), bare(piece.nodes[-1])
    if target.kind not in {"member_expression", "subscript_expression"}:
        return []
    made = value.kind == "call_expression" and _MAKERS.match(value.text)
    if made or value.kind in FUNCTIONS:
        return [
            demand(
                Aspect.MOCK,
                piece,
                subject=joined(speaker.say(target)),
                expected=joined(speaker.say(value)),
                guard=guard,
            )
        ]
    return []


def _module(chain: Chain, speaker: Speaker) -> tuple[str, str] | None:
    if chain.name not in _TOOLS or not chain.links:
        return None
    link = chain.links[0]
    if link.name not in _MODULES or not link.arguments:
        return None
    given = link.arguments
    target = bare(given[0])
    if target.kind == "call_expression" and target.parts[0].kind == "import":
        # vi.mock(import("./x"), …)
        target = target.parts[-1].nodes[0] if target.parts[-1].nodes else target
    return joined(speaker.say(target)), said(given[1:2], speaker)


def _spied(chain: Chain, speaker: Speaker) -> tuple[str, str] | None:
    """`jest.spyOn(api, "get").mockReturnValue(3)` replaces api.get."""
    for place, link in enumerate(chain.links):
        given = link.arguments or ()
        owner = chain.name if place == 0 else chain.links[place - 1].name
        spying = (
            link.name in {"spyOn", "spyOnProperty", "replaceProperty"}
            or (not link.name and chain.name == "spyOn")
            or (link.name in _STUBS and bool(_SINON.search(owner)))
            or (link.name in {"method", "getter", "setter"} and owner == "mock")
        )
        if not spying or not given:
            continue
        target = speaker.say(given[0])
        if len(given) > 1:
            name = bare(given[1])
            if is_plain_text(name):
                target += [".", name.text[1:-1]]
            else:
                target += ["[", *speaker.say(name), "]"]
        rest = [_told_to(each, speaker) for each in chain.links[place + 1 :]]
        rest += [joined(speaker.say(each)) for each in given[2:3]]
        return joined(target), " ".join(rest)
    return None


def _told(chain: Chain, speaker: Speaker) -> tuple[str, str] | None:
    """`api.get.mockReturnValue(3)` says what api.get answers."""
    links = chain.links
    first = next((n for n, it in enumerate(links) if _BEHAVIOUR.match(it.name)), None)
    if first is None or not links[first].name.startswith("mock"):
        return None
    before = links[first - 1].piece if first else chain.root
    inner = unchained(before)
    target = before
    if inner.path in {"jest.mocked", "vi.mocked"} and inner.links[-1].arguments:
        target = inner.links[-1].arguments[0]
    rest = " ".join(_told_to(each, speaker) for each in links[first:])
    return joined(speaker.say(target)), rest


def _told_to(link: Link, speaker: Speaker) -> str:
    return f"{link.name}({said(link.arguments, speaker)})"


def marks(chain: Chain, speaker: Speaker, piece: Piece, guard: str) -> list[Demand]:
    """Skips, retries and time limits that a statement sets; none for others."""
    found = []
    for aspect, subject, expected in _marks(chain, speaker):
        under, condition = guard, expected
        if aspect is Aspect.SKIP and not expected:
            # `if (windows) this.skip()` is a skip on a condition.
            under, condition = "", guard.removeprefix("if ")
        found.append(
            demand(aspect, piece, subject=subject, expected=condition, guard=under)
        )
    return found


def _marks(chain: Chain, speaker: Speaker) -> Iterator[tuple[Aspect, str, str]]:
    path, links = chain.path, chain.links
    call = next((each for each in links if each.is_call), None)
    if call is None:
        return
    given = call.arguments or ()
    word = call.name or chain.name
    if path == "pending" or word in {"skip", "todo", "fixme", "skipTest"}:
        conditional = given and not is_plain_text(bare(given[0]))
        condition = said(given[:1], speaker) if conditional else ""
        if function_in(given) is None:
            yield Aspect.SKIP, "skip", "" if condition == "true" else condition
    elif path in {"test.fail", "it.fail"} and function_in(given) is None:
        yield Aspect.SKIP, "xfail", said(given[:1], speaker)
    elif word in {"retryTimes", "retries"}:
        yield Aspect.RETRY, "retries", said(given[:1], speaker)
    elif word in {"setTimeout", "timeout"} and chain.name in _LIMITED:
        yield Aspect.TIMEOUT, "timeout", said(given[:1], speaker)
    elif path == "test.slow":
        yield Aspect.TIMEOUT, "slow", said(given[:1], speaker)
    elif word in {"configure", "setConfig"} and given:
        yield from options(given, speaker)


_LIMITED: Final = frozenset({"jest", "vi", "test", "this", "jasmine", "QUnit", "mocha"})
_OPTIONS: Final = {
    "timeout": (Aspect.TIMEOUT, "timeout"),
    "testTimeout": (Aspect.TIMEOUT, "timeout"),
    "retry": (Aspect.RETRY, "retries"),
    "retries": (Aspect.RETRY, "retries"),
    "skip": (Aspect.SKIP, "skip"),
    "todo": (Aspect.SKIP, "todo"),
    "fails": (Aspect.SKIP, "xfail"),
    "ignore": (Aspect.SKIP, "skip"),
    "only": (Aspect.FOCUS, "only"),
}


def options(
    given: Sequence[Piece], speaker: Speaker
) -> Iterator[tuple[Aspect, str, str]]:
    """What the options of a test or a block say: `{ timeout: 500, retry: 2 }`."""
    for each in given:
        inner = bare(each)
        if inner.kind != "object":
            continue
        for pair in inner.nodes:
            if pair.kind != "pair" or len(pair.nodes) < 2:  # noqa: PLR2004
                continue
            found = _OPTIONS.get(pair.nodes[0].text.strip("'\""))
            if found is None:
                continue
            aspect, subject = found
            value = joined(speaker.say(pair.nodes[-1]))
            if value == "false":
                continue
            switch = aspect in {Aspect.SKIP, Aspect.FOCUS}
            literal = value == "true" or is_plain_text(bare(pair.nodes[-1]))
            yield aspect, subject, "" if switch and literal else value


def asserting(function: Piece) -> bool:
    """Whether a function holds something that looks like an assertion."""
    for each in below(function):
        if each.kind in {"identifier", "property_identifier"} and _ASSERTS.match(
            each.text
        ):
            return True
    return False


_ASSERTS: Final = re.compile(
    r"(?:expect|assert|should|verify|ensure)(?=[A-Z_]|$)|fail$|expectSoft$"
)


def hears(handler: Piece) -> bool:
    """Whether a handler of errors throws, asserts or fails the test itself."""
    caught = set(bound_names(handler.nodes[0])) if len(handler.nodes) > 1 else set()
    for each in below(handler):
        if each.kind == "throw_statement":
            return True
        if each.kind == "assignment_expression" and any(
            it.kind == "identifier" and it.text in caught
            for it in below(each.nodes[-1])
        ):
            # What was caught is kept, to be looked at later.
            return True
        if each.kind == "call_expression":
            name = each.parts[0].text.rsplit(".", 1)[-1]
            if name in {"fail", "done", "reject", "next", "cb", "callback", "end"}:
                return True
    return asserting(handler)
