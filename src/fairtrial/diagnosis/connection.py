"""Something on the network was not there: a name, a host, a port that answers."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.results import Failure

_NAMES: Final = frozenset(
    {
        "ConnectError",
        "ConnectException",
        "ConnectTimeout",
        "ConnectionError",
        "ConnectionRefusedError",
        "MaxRetryError",
        "NameResolutionError",
        "NewConnectionError",
        "UnknownHostException",
        "gaierror",
        "herror",
    }
)


def recognise(failure: Failure) -> bool:
    """Whether a connection or the look-up of a name failed."""
    return failure.type.rpartition(".")[2] in _NAMES
