"""Whether what a suite needs from outside is there: before its tests, and later."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Protocol, runtime_checkable

from fairtrial.benches import Bench
from fairtrial.domain.errors import BenchFailed, SurroundingsLost
from fairtrial.domain.names import TrialId
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Door, Ending, TrialSpec

#: Seconds between two looks at a service that does not answer yet.
_AGAIN: Final = 0.25
#: Seconds for one health line.
_HEALTH: Final = 30.0
#: Characters of what a health line printed that are told.
_TOLD: Final = 300


class Ways(Protocol):
    """How one bench's trials get to some services."""

    @property
    def doors(self) -> tuple[Door, ...]:
        """What each trial needs for it."""

    def silent(self, service: ServiceSettings) -> str:
        """Why nothing accepts connections there; empty when something does."""

    def close(self) -> None:
        """Leave nothing of it running; safe to call twice."""


@runtime_checkable
class Outward(Protocol):
    """A bench whose trials can be let out to services."""

    def ways(self, services: Sequence[ServiceSettings]) -> Ways:
        """Make the ways there; raises BenchFailed when one can't be made."""


@dataclass(slots=True, kw_only=True)
class Services:
    """The services of one suite on one bench; `close` it with the bench."""

    settings: tuple[ServiceSettings, ...]
    bench: Bench
    ways: Ways | None = None
    #: The frozen tree that health lines run beside.
    frozen: Revision = Revision.HEAD
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def doors(self) -> tuple[Door, ...]:
        """For each trial of the suite."""
        return () if self.ways is None else self.ways.doors

    def wait(self) -> None:
        """Return when all are well; the bench has to have `frozen`.

        Raises SurroundingsLost for the first that is not within its seconds.
        """
        begun = time.monotonic()
        for service in self.settings:
            while why := self._unwell(service):
                if time.monotonic() - begun >= service.within:
                    raise SurroundingsLost(
                        f"service {service.name} is not well at "
                        f"{service.host}:{service.port}: {why}",
                        means=f"It was waited for {service.within:g} seconds before "
                        "the first test; nothing was tried without it.",
                        remedy="Start it before this step, or correct `services:` in "
                        "the configuration.",
                    )
                threading.Event().wait(_AGAIN)

    def lost(self) -> str:
        """Why one of them is gone, in one sentence; empty while all are well."""
        for service in self.settings:
            why = self._unwell(service)
            if why:
                return f"service {service.name} is gone: {why}"
        return ""

    def close(self) -> None:
        """Leave no way open; safe to call twice."""
        if self.ways is not None:
            self.ways.close()

    def _unwell(self, service: ServiceSettings) -> str:
        silent = "" if self.ways is None else self.ways.silent(service)
        if silent or service.health is None:
            return silent
        try:
            output = self.bench.run(
                TrialSpec(
                    trial=TrialId(f"health-{service.name}-{next(self._numbers)}"),
                    frozen=self.frozen,
                    delta=Delta(),
                    argv=("sh", "-c", service.health),
                    timeout=_HEALTH,
                    doors=self.doors,
                )
            )
        except SurroundingsLost as lost:
            return lost.happened
        if output.ending is Ending.EXITED and output.code == 0:
            return ""
        printed = (output.stdout + output.stderr).decode("utf-8", "replace").strip()
        said = f" and said: {printed[-_TOLD:]}" if printed else ""
        return f"`{service.health}` ended with {output.code}{said}"


def open_services(
    settings: Sequence[ServiceSettings], bench: Bench, frozen: Revision = Revision.HEAD
) -> Services:
    """Make the ways to a suite's services; none of them is asked yet.

    Raises BenchFailed when a way can't be made on this bench.
    """
    kept = tuple(settings)
    if not kept:
        return Services(settings=(), bench=bench, frozen=frozen)
    if not isinstance(bench, Outward):
        raise BenchFailed("this bench has no way to services")
    return Services(settings=kept, bench=bench, ways=bench.ways(kept), frozen=frozen)
