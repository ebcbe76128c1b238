"""What a definition of Ruby says of a test: its title, skips, focus and retries."""

from __future__ import annotations

from fairtrial.domain.demands import Aspect, Demand
from fairtrial.integrity.reading.ruby.calls import Call, option
from fairtrial.integrity.reading.ruby.words import Speaker, name_of, text_value
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined


def title_of(piece: Piece) -> str:
    """What a block or test is called, with the holes of a text as written."""
    text = text_value(piece)
    return piece.text.strip("\"'") if text is None else text


def marks_of(call: Call, speaker: Speaker) -> list[Demand]:
    """Skips, focus and retries that a definition bears."""
    found = []
    letter = call.name[0] if call.name[:1] in {"x", "f"} else ""
    if letter == "x":
        found.append(demand(Aspect.SKIP, call.piece, subject="skip"))
    elif (
        call.name[:2] in {"fi", "fd", "fc", "fs", "fe", "fo"} and call.name != "feature"
    ):
        found.append(demand(Aspect.FOCUS, call.piece, subject="only"))
    symbols = {name_of(each) for each in call.arguments if each.kind == "simple_symbol"}
    for name, aspect, kind in (
        ("skip", Aspect.SKIP, "skip"),
        ("pending", Aspect.SKIP, "xfail"),
        ("focus", Aspect.FOCUS, "only"),
        ("if", Aspect.SKIP, "skip"),
        ("unless", Aspect.SKIP, "skip"),
        ("retry", Aspect.RETRY, "retries"),
        ("timeout", Aspect.TIMEOUT, "timeout"),
    ):
        value = option(call.arguments, name)
        if value is None and name not in symbols:
            continue
        said = "" if value is None else joined(speaker.say(value))
        if said == "false":
            continue
        if name in {"skip", "pending", "focus"}:
            said = ""
        if name == "if":
            said = f"!({said})"
        found.append(demand(aspect, call.piece, subject=kind, expected=said))
    return found
