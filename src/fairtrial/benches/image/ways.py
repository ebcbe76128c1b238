"""How trials without a network get to services: by a porter beside them for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.benches.image.companions import (
    PORTER,
    SOCKET,
    Companion,
    Companions,
)
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trials import Door


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageWays:
    """A porter for each service, by its name, on the network that the gate is on."""

    companions: Companions
    porters: Mapping[str, Companion]
    doors: tuple[Door, ...]

    def silent(self, service: ServiceSettings) -> str:
        """Why nothing accepts connections there; empty when something does."""
        porter = self.porters[service.name]
        place = f"{service.host}:{service.port}"
        try:
            done = porter.do(porter.python, "-I", "-S", str(PORTER), "probe", place)
        except BenchFailed as failed:
            return porter.lost() or failed.happened
        if done.code == 0:
            return ""
        return done.output.decode("utf-8", "replace").strip() or porter.lost()

    def close(self) -> None:
        """Remove the porters; safe to call twice."""
        self.companions.close()


def find_ways(services: Sequence[ServiceSettings], companions: Companions) -> ImageWays:
    """The ways to services; raises BenchFailed when a porter can't be started."""
    porters: dict[str, Companion] = {}
    try:
        for one in services:
            porters[one.name] = companions.porter(f"{one.host}:{one.port}")
    except BaseException:
        companions.close()
        raise
    return ImageWays(
        companions=companions,
        porters=porters,
        doors=tuple(
            Door(port=one.at, to=str(porters[one.name].sockets / SOCKET))
            for one in services
        ),
    )
