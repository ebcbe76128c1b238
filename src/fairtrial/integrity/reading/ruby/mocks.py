"""Which stand-ins a statement of Ruby puts in place: RSpec's, Mocha's, minitest's."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity.reading.ruby.calls import Call, call_of, chain_of
from fairtrial.integrity.reading.ruby.words import Speaker, name_of
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

_ALLOWED: Final = frozenset(
    {"allow", "allow_any_instance_of", "expect", "expect_any_instance_of"}
)
_RECEIVES: Final = frozenset({"receive", "receive_messages", "receive_message_chain"})
_STUBS: Final = frozenset({"stub", "stubs", "expects", "stub_any_instance"})


def stand_ins(piece: Piece, speaker: Speaker, guard: str) -> list[Demand]:
    """The stand-ins that an expression puts in place."""
    call = call_of(piece)
    if call is None:
        return []
    told = _allowed(call, speaker) or _stubbed(call, speaker)
    if told is None and call.receiver is None and call.name == "stub_const":
        given = [joined(speaker.say(each)) for each in call.arguments]
        told = name_of(call.arguments[0]) if given else "", ", ".join(given[1:])
    if told is None:
        return []
    target, answer = told
    return [demand(Aspect.MOCK, piece, subject=target, expected=answer, guard=guard)]


def _allowed(call: Call, speaker: Speaker) -> tuple[str, str] | None:
    """`allow(api).to receive(:get).and_return(3)` replaces api.get."""
    if call.name != "to" or call.receiver is None or not call.arguments:
        return None
    owner = call_of(call.receiver)
    chain = chain_of(call.arguments[0])
    if owner is None or owner.name not in _ALLOWED or not owner.arguments or not chain:
        return None
    received, rest = chain[0], chain[1:]
    if received.name not in _RECEIVES:
        return None
    if owner.name.startswith("expect") and not rest and received.block is None:
        # It only has to be called.
        return None
    target = joined(speaker.say(owner.arguments[0]))
    named = [name_of(each) for each in received.arguments]
    if received.name == "receive_messages":
        answers = [joined(speaker.say(each)) for each in received.arguments]
        return target, ", ".join(answers)
    answer = " ".join(_said(each, speaker) for each in rest)
    for each in (call.block, received.block):
        if each is not None:
            answer += joined(speaker.say(each))
    return ".".join([target, *named]), answer


def _stubbed(call: Call, speaker: Speaker) -> tuple[str, str] | None:
    """`Api.stubs(:get).returns(3)`, `api.stub(:get, 3) { … }`."""
    chain = chain_of(call.piece)
    for place, each in enumerate(chain):
        if each.name in _STUBS and each.receiver is not None and each.arguments:
            target = joined(speaker.say(each.receiver))
            name = name_of(each.arguments[0]) or joined(speaker.say(each.arguments[0]))
            answer = [joined(speaker.say(it)) for it in each.arguments[1:]]
            answer += [_said(it, speaker) for it in chain[place + 1 :]]
            return f"{target}.{name}", " ".join(answer)
    return None


def _said(call: Call, speaker: Speaker) -> str:
    given = ", ".join(joined(speaker.say(each)) for each in call.arguments)
    return f"{call.name}({given})"
