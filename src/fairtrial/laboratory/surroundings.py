"""What a trial finds beside its tree: fresh databases, and services that are up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import Experiment, Purpose
from fairtrial.domain.trials import Door
from fairtrial.laboratory.databases import Databases, Fresh


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Everything outside the bench that one suite needs; nothing, as a rule."""

    databases: Databases | None = None
    #: Doors to services that are there already.
    doors: tuple[Door, ...] = ()

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
