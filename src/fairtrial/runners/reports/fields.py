"""What one field of a hostile event holds, if it is of the kind it should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Longer names than this are no test's.
NAME_LIMIT = 16_000
TEXT_LIMIT = 40_000
FRAME_LIMIT = 200
#: No source that is measured has more lines.
LINE_LIMIT = 1_000_000
_FRAME_PARTS = (str, str, str, int, bool)

Event = Mapping[str, Any]


class Malformed(ValueError):  # noqa: N818 - said as people say it
    """An event that the plugin can't have written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One place in code; `ours` says that the file is one of the workspace."""

    path: str
    name: str
    digest: str
    line: int
    ours: bool

    @property
    def identity(self) -> str:
        """What stays equal when lines shift: path, qualified name, digest."""
        place = f"{self.path}::{self.name}"
        return f"{place}#{self.digest}" if self.digest else place


def text(event: Event, key: str, limit: int = TEXT_LIMIT) -> str:
    """A text, empty where there is none, cut at the limit."""
    value = event.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(f"{key} is no text")
    return value[:limit]


def optional_text(event: Event, key: str) -> str | None:
    """A text, or None where there is none."""
    return text(event, key) if event.get(key) is not None else None


def name(event: Event, key: str = "id") -> str:
    """A name that must be there."""
    value = event.get(key)
    if not isinstance(value, str) or len(value) > NAME_LIMIT:
        raise Malformed(f"{key} is no name")
    return value


def number(event: Event, key: str) -> float:
    """A finite number of zero or more."""
    value = event.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed(f"{key} is no number")
    if not 0 <= value < 1e12:  # noqa: PLR2004 - rejects infinities and not-a-number
        raise Malformed(f"{key} is out of range")
    return float(value)


def duration(event: Event, key: str) -> float:
    """A number of seconds; none where a test that turns the clock made it nonsense."""
    try:
        return number(event, key)
    except Malformed:
        return 0.0


def names(event: Event, key: str) -> tuple[str, ...]:
    """A list of names."""
    value = event.get(key)
    if not isinstance(value, list):
        raise Malformed(f"{key} is no list")
    for each in value:
        if not isinstance(each, str) or len(each) > NAME_LIMIT:
            raise Malformed(f"{key} holds something that is no name")
    return tuple(value)


def flag(event: Event, key: str) -> bool:
    """True only where it says true."""
    return event.get(key) is True


def runs(event: Event) -> tuple[tuple[int, int], ...]:
    """First and last number of each run of lines, from one flat list, in order."""
    value = event.get("runs")
    if not isinstance(value, list) or len(value) % 2:
        raise Malformed("runs is no list of pairs")
    if any(type(each) is not int for each in value) or value != sorted(value):
        raise Malformed("runs holds something that is no line")
    if value and not 0 < value[0] <= value[-1] <= LINE_LIMIT:
        raise Malformed("a line is out of range")
    return tuple(zip(value[::2], value[1::2], strict=True))


def frames(event: Event) -> tuple[Frame, ...]:
    """The frames of a failure, outermost first."""
    value = event.get("frames", [])
    if not isinstance(value, list):
        raise Malformed("frames is no list")
    return tuple(_frame(each) for each in value[-FRAME_LIMIT:])


def _frame(value: Any) -> Frame:
    if not isinstance(value, list) or len(value) != len(_FRAME_PARTS):
        raise Malformed("a frame is no list of five")
    if not all(map(isinstance, value, _FRAME_PARTS)):
        raise Malformed("a frame has the wrong parts")
    path, qualified, digest, line, ours = value
    return Frame(
        path=path[:4096],
        name=qualified[:1024],
        digest=digest[:64],
        line=line,
        ours=ours,
    )
