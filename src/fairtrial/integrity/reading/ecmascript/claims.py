"""What the expected value of an assertion in JavaScript is, and how much it allows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairtrial.domain.demands import AssertionKind, Source
from fairtrial.integrity.reading.ecmascript.matchers import ASYMMETRIC
from fairtrial.integrity.reading.ecmascript.scopes import (
    Speaker,
)
from fairtrial.integrity.reading.ecmascript.words import bare
from fairtrial.integrity.reading.script.claims import source_of, taken_earlier
from fairtrial.integrity.reading.script.sources import Piece, below

K = AssertionKind


def expected_value(
    piece: Piece, speaker: Speaker, subject: Sequence[str]
) -> tuple[list[str], Source]:
    """The words of an expected value, and where it comes from."""
    speaker.met.clear()
    said = speaker.say(piece)
    source = source_of(said, speaker.met, subject, literal=speaker.is_literal(piece))
    return taken_earlier(said, speaker.met, subject), source


def loosened(kind: AssertionKind, piece: Piece) -> AssertionKind:
    """The kind that asymmetric matchers in an expected value make of an equality."""
    if kind not in {K.EQUAL, K.IDENTICAL, K.CONTAINS}:
        return kind
    whole = bare(piece)
    for each in below(whole):
        if each.kind == "call_expression":
            callee = each.parts[0]
            if callee.kind != "member_expression":
                continue
            owner, name = callee.parts[0].text, callee.parts[-1].text
            if name in ASYMMETRIC and re.match(
                r"expect\b|jasmine$|sinon\.match", owner
            ):
                return ASYMMETRIC[name] if each is whole else K.CONTAINS
    return kind
