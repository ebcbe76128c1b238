"""How long to wait before GitHub is asked again, or whether asking again is wrong.

Sources: GitHub's "Rate limits for the REST API" and "Best practices": `retry-after`
first, then `x-ratelimit-reset`, else a minute, doubling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: Attempts at one request, the first one included.
ATTEMPTS: Final = 6
#: Seconds to wait at first when a limit is hit and no header says for how long.
UNTOLD: Final = 60.0

_SERVER_ERROR: Final = 500
_FORBIDDEN: Final = 403
_TOO_MANY: Final = 429
#: Never reached GitHub, so nothing was done there.
_UNCONNECTED: Final = frozenset({"ConnectError", "ConnectTimeout"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back instead of success; `status` is None when nothing came."""

    status: int | None
    message: str = ""
    #: By lower-case name.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: What went wrong on the way, by the transport's name for it.
    transport: str = ""

    @property
    def is_limit(self) -> bool:
        """Whether GitHub asks for patience, rather than refusing."""
        if self.status == _TOO_MANY:
            return True
        return self.status == _FORBIDDEN and (
            "retry-after" in self.headers
            or self.headers.get("x-ratelimit-remaining") == "0"
            or "rate limit" in self.message.lower()
        )

    @property
    def is_outage(self) -> bool:
        """Whether it failed at GitHub's side or on the way."""
        return self.status is None or self.status >= _SERVER_ERROR

    @property
    def may_have_happened(self) -> bool:
        """Whether the request may have done its work although no success came back."""
        return self.is_outage and self.transport not in _UNCONNECTED


def pause(answer: Answer, *, attempt: int, now: float) -> float | None:
    """Seconds to wait before attempt number `attempt` + 1; None: do not ask again.

    `now` is in seconds since the epoch, as `x-ratelimit-reset` is.
    """
    if attempt >= ATTEMPTS:
        return None
    if answer.is_limit:
        told = _seconds(answer.headers.get("retry-after"))
        if told is not None:
            return told
        reset = _seconds(answer.headers.get("x-ratelimit-reset"))
        if reset is not None and answer.headers.get("x-ratelimit-remaining") == "0":
            return max(1.0, reset - now + 1.0)
        return float(UNTOLD * 2 ** (attempt - 1))
    if answer.is_outage:
        return float(2 ** (attempt - 1))
    return None


def _seconds(text: str | None) -> float | None:
    return (
        float(text) if text is not None and text.isascii() and text.isdigit() else None
    )
