"""Where logical databases come from: the one interface of every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from fairtrial.domain.databases import Change, Connection, DatabaseSettings, Ledger
from fairtrial.domain.trials import Door


class Clone(Protocol):
    """One fresh logical database of one trial."""

    @property
    def connection(self) -> Connection:
        """How the trial reaches it, through `door` where there is one."""

    @property
    def door(self) -> Door | None:
        """The port on the trial's loopback that leads to its server."""

    def put(self, changes: Sequence[Change]) -> None:
        """Put these rows in, as they were left, before the trial begins.

        Foreign keys and triggers are not checked meanwhile, as far as the engine can;
        raises BenchFailed when a row can't be put in.
        """

    def watch(self) -> None:
        """From now on each committed change is recorded."""

    def ledger(self) -> Ledger:
        """What was committed since `watch`, and what else differs from the template."""

    def drop(self) -> None:
        """Remove it, whoever is still connected; safe to call twice."""


class Server(Protocol):
    """One engine on one bench; raises BenchFailed when it is gone."""

    @property
    def level(self) -> str:
        """What `Levels.database` says: "template-clone", "copy" and the like."""

    @property
    def version(self) -> str:
        """Engine and version, for the fingerprint: "postgresql 18.6"."""

    def template(
        self,
        key: str,
        settings: DatabaseSettings,
        build: Callable[[Clone], None],
    ) -> None:
        """Have a template under `key`: `build` is called once with its database.

        `build` runs the schema commands; what it raises is passed on, and then there
        is no template. Safe to call from several threads.
        """

    def clone(self, key: str, settings: DatabaseSettings, port: int) -> Clone:
        """A fresh copy of a template; `port` is the trial's own for its door."""

    def alive(self) -> str:
        """Why it can't be used any more, in one sentence; empty while it can."""

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
