"""What goes wrong at the fake GitHub, when, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tests.fake_github.state import Answer, Call


class Loss(StrEnum):
    """How an answer gets lost."""

    #: The work is done, and the connection is cut.
    CUT = "cut"
    #: Nothing is done, and nothing is said until the fake is stopped.
    STALL = "stall"
    #: The work is done, and nothing is said until the fake is stopped.
    DONE_AND_STALL = "done-and-stall"


@dataclass(slots=True, kw_only=True)
class Fault:
    """Something that happens to the next requests that match."""

    #: Part of "POST /repos/octo/shop/issues/7/comments"; empty matches all.
    on: str
    times: int
    happens: Answer | Loss

    def takes(self, call: Call) -> bool:
        """Whether it happens to this request; each time uses it up."""
        if self.times == 0 or self.on not in str(call):
            return False
        self.times -= 1
        return True
