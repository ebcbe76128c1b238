"""How trials without a network get to a host's port: by a porter beside them."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from fairtrial.benches.image.companions import (
    PORTER,
    SOCKET,
    Companion,
    Companions,
)
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trials import Door


@dataclass(slots=True, kw_only=True)
class Porters:
    """A porter for each place that trials are led to, on the gate's own network."""

    companions: Companions
    _started: dict[str, Companion] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def led(self, doors: Iterable[Door]) -> tuple[Door, ...]:
        """The same doors, each to a socket that a trial's container can have.

        Raises BenchFailed when a porter can't be started.
        """
        return tuple(
            Door(port=one.port, to=str(self.to(one.to, one.to_port).sockets / SOCKET))
            if one.to_port
            else one
            for one in doors
        )

    def to(self, host: str, port: int) -> Companion:
        """The porter to a place; one that has ended gives way to another."""
        place = f"{host}:{port}"
        with self._lock:
            known = self._started.get(place)
            if known is None or known.lost():
                self._started[place] = self.companions.porter(place)
            return self._started[place]

    def close(self) -> None:
        """Remove them; safe to call twice."""
        self.companions.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageWays:
    """Doors as they are; the bench itself has its porters lead them."""

    porters: Porters
    doors: tuple[Door, ...]

    def silent(self, service: ServiceSettings) -> str:
        """Why nothing accepts connections there; empty when something does."""
        place = f"{service.host}:{service.port}"
        try:
            porter = self.porters.to(service.host, service.port)
            done = porter.do(porter.python, "-I", "-S", str(PORTER), "probe", place)
        except BenchFailed as failed:
            return failed.happened
        if done.code == 0:
            return ""
        return done.output.decode("utf-8", "replace").strip() or porter.lost()

    def close(self) -> None:
        """The porters are the bench's, and go with it."""


def find_ways(services: Iterable[ServiceSettings], porters: Porters) -> ImageWays:
    """The ways to services; raises BenchFailed when a porter can't be started."""
    doors = tuple(Door(port=one.at, to=one.host, to_port=one.port) for one in services)
    porters.led(doors)
    return ImageWays(porters=porters, doors=doors)
