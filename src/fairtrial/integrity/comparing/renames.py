"""Which names of production the change gave another name, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.integrity.comparing.sites import Site
from fairtrial.integrity.comparing.words import renamed as with_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Renames:
    """Old names of production's functions, classes and modules to their new ones."""

    names: Mapping[str, str] = field(default_factory=dict)

    def site(self, site: Site) -> Site:
        """A demand of base as it reads under the new names."""
        demand = site.demand
        told = replace(
            demand,
            subject=with_names(demand.subject, self.names),
            inputs=with_names(demand.inputs, self.names),
            expected=with_names(demand.expected, self.names),
            guard=with_names(demand.guard, self.names),
        )
        return (
            site if told.key == demand.key else replace(site, demand=told, key=told.key)
        )


NO_RENAMES: Final = Renames()
