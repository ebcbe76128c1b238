"""Which kind of failure it is: one module a kind, the first to recognise it tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from fairtrial.diagnosis import (
    assertion,
    broker_timeout,
    collection,
    connection,
    crash,
    exception,
    out_of_memory,
    setup,
    timeout,
)
from fairtrial.domain.results import Failure


class FailureKind(Protocol):
    """A module that knows one kind of failure; it need not subclass anything."""

    def recognise(self, failure: Failure) -> bool:
        """Whether the failure is of this kind."""
        ...


#: In the order they are asked: what ended the process before what was raised in it,
#: what was missing around it before where it was missed, that before what was raised.
FAILURE_KINDS: Final[Mapping[str, FailureKind]] = {
    "out-of-memory": out_of_memory,
    "timeout": timeout,
    "crash": crash,
    "broker-timeout": broker_timeout,
    "connection": connection,
    "collection": collection,
    "setup": setup,
    "assertion": assertion,
    "exception": exception,
}


def kind_of(failure: Failure) -> str:
    """The name of the failure's kind; "unknown" when no kind recognises it."""
    for name, kind in FAILURE_KINDS.items():
        if kind.recognise(failure):
            return name
    return "unknown"
