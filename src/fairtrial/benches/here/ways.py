"""How trials on this machine get to services that this machine reaches."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from fairtrial.clients.held import Held
from fairtrial.domain.errors import BenchFailed, ServiceError
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trials import Door

_PORTER: Final = str(files("fairtrial.injected").joinpath("fairtrial_porter.py"))
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1"})
#: Seconds for a service to accept a connection.
_PATIENCE: Final = 5.0


@dataclass(slots=True, kw_only=True)
class HereWays:
    """Doors; or, where trials share the machine's loopback, ports of it for all."""

    doors: tuple[Door, ...] = ()
    relay: Held | None = None

    def silent(self, service: ServiceSettings) -> str:
        """Why nothing accepts connections there; empty when something does."""
        if self.relay is not None and not self.relay.runs:
            return "what leads there from the loopback was ended from outside"
        try:
            place = (service.host, service.port)
            socket.create_connection(place, timeout=_PATIENCE).close()
        except (OSError, UnicodeError) as error:
            return getattr(error, "strerror", None) or str(error)
        return ""

    def close(self) -> None:
        """Leave nothing of it running; safe to call twice."""
        if self.relay is not None:
            self.relay.end()


def find_ways(services: Sequence[ServiceSettings], *, own_loopback: bool) -> HereWays:
    """The ways to services; raises BenchFailed when a port is taken.

    A service that is at its port of the machine's loopback already needs none, where
    trials have no other.
    """
    if own_loopback:
        return HereWays(
            doors=tuple(
                Door(port=one.at, to=one.host, to_port=one.port) for one in services
            )
        )
    pairs = [
        word
        for one in services
        if one.host not in _LOOPBACK or one.port != one.at
        for word in (str(one.at), f"{one.host}:{one.port}")
    ]
    return HereWays(relay=_started(pairs) if pairs else None)


def _started(pairs: Sequence[str]) -> Held:
    """One relay for all trials, which ends with this process at the latest."""
    try:
        return Held([sys.executable, "-I", "-S", _PORTER, "ports", *pairs])
    except ServiceError as error:
        raise BenchFailed(
            f"a way to a service can't be opened: {error.happened}",
            means="Trials share this machine's loopback, and something has the port.",
            remedy="Choose another `at:` for the service, or stop what has the port.",
        ) from error
