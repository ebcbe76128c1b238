"""Which command, if any, one line of a step's log holds.

After the runner's ActionCommand: `::name key=value::data` at the line's start, or
`##[name key=value]data` anywhere in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogCommand:
    """A command, its properties by lower-case name, and its data."""

    name: str
    properties: Mapping[str, str]
    data: str


_DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
_PROPERTY = (
    ("%0D", "\r"),
    ("%0A", "\n"),
    ("%3A", ":"),
    ("%2C", ","),
    ("%25", "%"),
)
_OLD = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"))


def parse(line: str, registered: Collection[str]) -> LogCommand | None:
    """The command of this line; `registered` holds lower-case names."""
    return _parse_new(line, registered) or _parse_old(line, registered)


def _parse_new(line: str, registered: Collection[str]) -> LogCommand | None:
    text = line.lstrip()
    if not text.startswith("::"):
        return None
    end = text.find("::", 2)
    if end < 0:
        return None
    name, _, rest = text[2:end].partition(" ")
    if name.lower() not in registered:
        return None
    return LogCommand(
        name.lower(),
        _properties(rest.strip(), ",", _PROPERTY),
        _unescape(text[end + 2 :], _DATA),
    )


def _parse_old(line: str, registered: Collection[str]) -> LogCommand | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, rest = line[start + 3 : end].partition(" ")
    if name.lower() not in registered:
        return None
    return LogCommand(
        name.lower(), _properties(rest, ";", _OLD), _unescape(line[end + 1 :], _OLD)
    )


def _properties(
    text: str, separator: str, escapes: tuple[tuple[str, str], ...]
) -> dict[str, str]:
    found = {}
    for pair in text.split(separator):
        key, equals, value = pair.partition("=")
        if key and equals and value:
            found[key.lower()] = _unescape(value, escapes)
    return found


def _unescape(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for code, character in escapes:
        text = text.replace(code, character)
    return text
