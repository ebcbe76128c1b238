"""What a trial finds beside its tree: fresh databases, and services that are up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from fairtrial.benches.services import Services
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.experiments import Experiment, Purpose
from fairtrial.domain.trees import Revision
from fairtrial.laboratory.databases import Databases, Fresh


@dataclass(slots=True, kw_only=True)
class Surroundings:
    """Everything outside the bench that one suite needs; nothing, as a rule."""

    databases: Databases | None = None
    services: Services | None = None
    #: Whether services were waited for, and what came of it.
    _asked: bool = False
    _silent: SurroundingsLost | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self, revision: Revision) -> None:
        """Have base's or head's schemas built; raises TreeBroken when one does not."""
        if self.databases is not None:
            self.databases.prepare(revision)

    @property
    def level(self) -> str:
        """How far databases are kept apart; "none" where there are none."""
        servers = () if self.databases is None else self.databases.servers.values()
        return ", ".join(dict.fromkeys(each.level for each in servers)) or "none"

    @property
    def versions(self) -> tuple[str, ...]:
        """Each engine with its version, as compared trials have to have in common."""
        servers = () if self.databases is None else self.databases.servers.values()
        return tuple(dict.fromkeys(each.version for each in servers))

    @contextmanager
    def fresh(self, experiment: Experiment) -> Iterator[Fresh]:
        """What one trial gets; raises SurroundingsLost when it is not to be had.

        Listing tests takes the same surroundings: collecting may connect.
        """
        self._wait()
        doors = () if self.services is None else self.services.doors
        if self.databases is None:
            yield Fresh(doors=doors)
            return
        watched = experiment.watched and experiment.purpose is not Purpose.INVENTORY
        with self.databases.fresh(
            experiment.tree, rows=experiment.rows, watched=watched
        ) as fresh:
            yield replace(fresh, doors=(*fresh.doors, *doors))

    def lost(self) -> str:
        """Why something of it is gone; empty while all of it is well."""
        gone = "" if self.databases is None else self.databases.lost()
        if gone or self.services is None:
            return gone
        return self.services.lost()

    def _wait(self) -> None:
        """Before the first trial services are waited for, and never again."""
        if self.services is None:
            return
        with self._lock:
            if not self._asked:
                self._asked = True
                try:
                    self.services.wait()
                except SurroundingsLost as lost:
                    self._silent = lost
            if self._silent is not None:
                raise self._silent
