"""What a trial finds beside its tree: fresh databases, and services that are up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import Experiment, Purpose
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Door
from fairtrial.laboratory.databases import Databases, Fresh


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Everything outside the bench that one suite needs; nothing, as a rule."""

    databases: Databases | None = None
    #: Doors to services that are there already.
    doors: tuple[Door, ...] = ()

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
        if self.databases is None:
            yield Fresh(doors=self.doors)
            return
        watched = experiment.watched and experiment.purpose is not Purpose.INVENTORY
        with self.databases.fresh(
            experiment.tree, rows=experiment.rows, watched=watched
        ) as fresh:
            yield replace(fresh, doors=(*fresh.doors, *self.doors))

    def lost(self) -> str:
        """Why something of it is gone; empty while all of it is well."""
        return "" if self.databases is None else self.databases.lost()
