"""Which skips, focus markers, retries and time limits a test of PHP bears."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand
from fairtrial.integrity.reading.php.words import FUNCTIONS, Speaker, arguments_of, bare
from fairtrial.integrity.reading.script.notes import demand
from fairtrial.integrity.reading.script.sources import Piece
from fairtrial.integrity.reading.script.wording import joined

#: Docblocks are looked for in so many characters before a method.
_NEAR: Final = 2_000
_ANNOTATION: Final = re.compile(r"@(\w+)(?:[ \t]+([^\s*]+))?")
#: Annotations that have attributes of the same meaning.
_SAME: Final = {"dataProvider": "DataProvider", "test": "Test", "requires": "Requires"}


def attributes_of(piece: Piece) -> list[tuple[str, list[Piece]]]:
    """The attributes and annotations of a method or class, with their arguments."""
    found = []
    listed = piece.first("attribute_list")
    for group in listed.nodes if listed is not None else []:
        for attribute in group.nodes:
            name = attribute.nodes[0].text.rsplit("\\", 1)[-1]
            found.append((name, arguments_of(attribute)))
    for name, value, place in _annotations(piece):
        given = [_at(piece, place, place + len(value))] if value else []
        found.append((_SAME.get(name, name), given))
    return found


def _annotations(piece: Piece) -> Iterator[tuple[str, str, int]]:
    """The annotations in the comment right before a piece, and where each begins."""
    start = max(0, piece.start - _NEAR)
    before = piece.source[start : piece.start]
    if not before.rstrip().endswith("*/"):
        return
    opened = before.rfind("/**")
    for found in _ANNOTATION.finditer(before, max(opened, 0)) if opened >= 0 else ():
        yield found[1], found[2] or "", start + found.start(2)


def _at(piece: Piece, start: int, end: int) -> Piece:
    return Piece(
        kind="annotation",
        named=True,
        source=piece.source,
        start=start,
        end=end,
        line=piece.line,
        last_line=piece.line,
    )


def marks_of(piece: Piece, speaker: Speaker) -> list[Demand]:
    """What the attributes of a test or a class of tests say of whether it runs."""
    found = []
    for name, given in attributes_of(piece):
        said = ", ".join(joined(speaker.say(each)) for each in given)
        if name.startswith("Requires"):
            text = f"not {name}({said})"
            found.append(demand(Aspect.SKIP, piece, subject="skip", expected=text))
        elif name in {"Ignore", "Skip"}:
            found.append(demand(Aspect.SKIP, piece, subject="skip"))
        elif name in {"Retry", "RepeatOnFailure"}:
            found.append(demand(Aspect.RETRY, piece, subject="retries", expected=said))
    return found


def pest_marks(
    chain: Sequence[tuple[str, Piece]], speaker: Speaker, piece: Piece
) -> list[Demand]:
    """What `->skip()`, `->only()`, `->throws(X)` say."""
    return [
        each
        for name, call in chain
        for each in _pest_mark(name, arguments_of(call), speaker, piece)
    ]


def _pest_mark(
    name: str, given: Sequence[Piece], speaker: Speaker, piece: Piece
) -> Iterator[Demand]:
    said = ", ".join(joined(speaker.say(each)) for each in given)
    plain = not given or bare(given[0]).kind in {"string", "encapsed_string"}
    condition = "" if plain else joined(speaker.say(given[0]))
    if name in {"skip", "todo"}:
        if given and bare(given[0]).kind in FUNCTIONS:
            condition = said
        word = "" if condition == "true" else condition
        yield demand(Aspect.SKIP, piece, subject=name, expected=word)
    elif name.startswith(("skipOn", "skipLocally", "onlyOn")):
        yield demand(
            Aspect.SKIP, piece, subject="skip", expected=f"PHP_OS_FAMILY {name}"
        )
    elif name == "only":
        yield demand(Aspect.FOCUS, piece, subject="only")
    elif name in {"repeat", "retry"}:
        yield demand(Aspect.RETRY, piece, subject="retries", expected=said)
    elif name in {"throws", "throwsIf", "throwsNoExceptions"}:
        none = name == "throwsNoExceptions"
        yield Demand(
            aspect=Aspect.ASSERTION,
            kind=AssertionKind.NOT_RAISES if none else AssertionKind.RAISES,
            subject=name,
            expected=said,
            text=piece.text[-200:],
            line=piece.last_line,
        )
