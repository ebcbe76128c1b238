"""What a run's things are called on a server, and whose those are that are there.

A name says which process made it, so that the next run can tell what is left of a dead
one even when that was killed between two statements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

#: Seconds after which a thing of another machine's run counts as left behind.
_FORGOTTEN: Final = 24 * 3600

_NAME: Final = re.compile(
    r"fairtrial_(?P<place>[0-9a-f]{6})_(?P<pid>[0-9a-z]+)_(?P<started>[0-9a-z]+)"
    r"_(?P<begun>[0-9a-z]+)_\w+"
)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """One process of one machine; `begun` in seconds since the epoch."""

    #: Six letters of a digest of host, boot and process namespace: in one and the same
    #: place process ids mean something.
    place: str
    pid: int
    #: Clock ticks between boot and its start.
    started: int
    begun: int

    @property
    def prefix(self) -> str:
        """What all names of its things begin with; at most 40 letters."""
        numbers = "_".join(map(_short, (self.pid, self.started, self.begun)))
        return f"fairtrial_{self.place}_{numbers}_"


def maker_of(name: str) -> Maker | None:
    """Who made a database, role or slot; None: none of ours."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return Maker(
        place=match["place"],
        pid=int(match["pid"], 36),
        started=int(match["started"], 36),
        begun=int(match["begun"], 36),
    )


def _short(number: int) -> str:
    letters = ""
    while number >= len(_DIGITS):
        number, rest = divmod(number, len(_DIGITS))
        letters = _DIGITS[rest] + letters
    return _DIGITS[number] + letters


def is_dead(maker: Maker, here: Maker, started: int | None) -> bool:
    """Whether a maker is surely gone, as seen by the process `here`.

    `started`: when the process of that number in this place started; None: there is
    none. In another place only age tells.
    """
    if maker.place != here.place:
        return here.begun - maker.begun > _FORGOTTEN
    return started != maker.started


def slug(text: str, length: int) -> str:
    """A configured name, as it may stand inside another one."""
    return re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_")[:length]
