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
#: The server cuts longer names off (NAMEDATALEN - 1).
LONGEST: Final = 63

_NAME: Final = re.compile(
    r"fairtrial_(?P<place>[0-9a-f]{8})_(?P<pid>\d+)_(?P<started>\d+)_(?P<begun>\d+)"
    r"_\w+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """One process of one machine; `begun` in seconds since the epoch."""

    #: A digest of host, boot and process namespace: in it, process ids mean something.
    place: str
    pid: int
    #: Clock ticks between boot and its start.
    started: int
    begun: int

    @property
    def prefix(self) -> str:
        """What all names of its things begin with."""
        return f"fairtrial_{self.place}_{self.pid}_{self.started}_{self.begun}_"


def maker_of(name: str) -> Maker | None:
    """Who made a database, role or slot; None: none of ours."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return Maker(
        place=match["place"],
        pid=int(match["pid"]),
        started=int(match["started"]),
        begun=int(match["begun"]),
    )


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
