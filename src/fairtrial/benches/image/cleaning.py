"""What a run made in the engine, and how all of it goes away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from typing import Final

from fairtrial.clients.docker import DockerEngine, Kind, Labelled
from fairtrial.clients.docker_owner import RUN, is_abandoned
from fairtrial.domain.errors import ServiceError

#: An image can't go before those made from it, nor a thing that is just being made.
_ROUNDS: Final = 8

#: Seconds between two rounds.
_PAUSE: Final = 0.25


def clean_run(engine: DockerEngine, run: str) -> tuple[Labelled, ...]:
    """Removes everything of a run; what could not be removed.

    Never raises for the engine's sake: this is called while something else may be
    on its way up, and the next run tries again.
    """
    return _clean(engine, lambda: engine.labelled(f"{RUN}={run}"))


def clean_abandoned(engine: DockerEngine) -> tuple[Labelled, ...]:
    """Removes what runs left whose process is gone; what there was.

    All at once: a volume of one run's may be in use by a container of another's.
    """
    found = engine.labelled(RUN)
    owned = {thing.labels.get(RUN, ""): thing.labels for thing in found}
    dead = {run for run, labels in owned.items() if is_abandoned(labels, engine)}

    def of_dead() -> tuple[Labelled, ...]:
        return _of(engine.labelled(RUN), dead)

    if dead:
        _clean(engine, of_dead)
    return _of(found, dead)


def _of(things: Iterable[Labelled], runs: Container[str]) -> tuple[Labelled, ...]:
    return tuple(thing for thing in things if thing.labels.get(RUN, "") in runs)


def _clean(
    engine: DockerEngine, find: Callable[[], tuple[Labelled, ...]]
) -> tuple[Labelled, ...]:
    left: tuple[Labelled, ...] = ()
    for round_ in range(_ROUNDS):
        if round_ > 1:
            threading.Event().wait(_PAUSE)
        try:
            left = find()
        except ServiceError:
            return left
        if not left:
            return ()
        _remove(engine, left)
    return left


def _remove(engine: DockerEngine, things: Iterable[Labelled]) -> None:
    order = tuple(Kind)
    for thing in sorted(things, key=lambda one: order.index(one.kind)):
        # In use, or being removed by somebody else: another round comes.
        with suppress(ServiceError):
            engine.remove(thing.kind, thing.id)
