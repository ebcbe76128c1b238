"""PostgreSQL: a process of the run, a container of it, or a server that is there."""

from __future__ import annotations

from fairtrial.benches.databases.postgres.binaries import PSQL, client
from fairtrial.benches.databases.postgres.container import ContainerServer
from fairtrial.benches.databases.postgres.embedded import EmbeddedServer
from fairtrial.benches.databases.postgres.named import NamedServer

__all__ = [
    "PSQL",
    "ContainerServer",
    "EmbeddedServer",
    "NamedServer",
    "client",
]
