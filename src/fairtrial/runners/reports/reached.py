"""What tests tried to reach outside their own loopback, as their processes told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Reach
from fairtrial.runners.reports import fields
from fairtrial.runners.reports.aside import told
from fairtrial.runners.reports.fields import Event, Malformed

#: Places that are kept of one trial.
MOST: Final = 2000
_STACK: Final = 40
_HIGHEST_PORT: Final = 65535
#: Told once where an interpreter is too old to say it.
UNSEEN: Final = (
    "what the tests tried to reach outside was not seen: the interpreter tells it from "
    "Python 3.8 on, and only where the project does not forbid it"
)


def reached(files: Mapping[str, bytes]) -> tuple[Reach, ...]:
    """Each host, port and test once, in the order they were told."""
    found: dict[tuple[object, ...], Reach] = {}
    for event in told(files):
        if event.get("e") == "reached" and len(found) < MOST:
            try:
                one = _reach(event)
            except Malformed:
                continue
            found.setdefault((one.host, one.port, one.test), one)
    return tuple(found.values())


def unseen(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """A sentence where attempts could not be seen; nothing where they could."""
    blind = any(event.get("e") == "unseen" for event in told(files))
    return (UNSEEN,) if blind else ()


def _reach(event: Event) -> Reach:
    test = fields.optional_text(event, "id")
    port = event.get("port")
    known = isinstance(port, int) and 0 <= port <= _HIGHEST_PORT
    return Reach(
        host=fields.name(event, "host")[:255],
        port=port if known and not isinstance(port, bool) else None,
        test=None if test is None else TestId(test),
        where=fields.text(event, "where", 1000),
        stack=stack_of(event),
    )


def stack_of(event: Event) -> tuple[str, ...]:
    """The lines of a stack, innermost last, each "file:line function"."""
    value = event.get("stack", [])
    if not isinstance(value, list):
        raise Malformed("a stack is no list")
    return tuple(str(each)[:500] for each in value[-_STACK:])
