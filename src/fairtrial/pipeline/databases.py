"""Which servers keep a suite's databases, and which services it reaches."""

from __future__ import annotations

from pathlib import PurePosixPath

from fairtrial.benches import Bench
from fairtrial.benches.databases import Server
from fairtrial.benches.databases.mariadb import NamedMariaDB, OwnMariaDB
from fairtrial.benches.databases.postgres import (
    PSQL,
    ContainerServer,
    EmbeddedServer,
    NamedServer,
    client,
)
from fairtrial.benches.databases.sqlite import SqliteServer
from fairtrial.benches.image import ImageBench
from fairtrial.benches.ports import free_port
from fairtrial.benches.services import open_services
from fairtrial.domain.databases import DatabaseSettings, Engine
from fairtrial.domain.errors import (
    BenchFailed,
    BenchUnavailable,
    ConfigurationError,
)
from fairtrial.domain.settings import SuiteSettings
from fairtrial.laboratory.databases import USUAL, Databases
from fairtrial.laboratory.surroundings import Surroundings
from fairtrial.pipeline.brief import Brief


def surroundings_for(suite: SuiteSettings, bench: Bench, brief: Brief) -> Surroundings:
    """What one suite needs beside its tree; services are not waited for yet.

    Raises BenchUnavailable when a server can't be started or reached, or a service
    can't be led to.
    """
    found = Surroundings()
    if suite.services:
        try:
            found.services = open_services(suite.services, bench)
        except BenchFailed as failed:
            raise BenchUnavailable(
                f"suite {suite.name}: {failed.happened}",
                means=failed.means,
                remedy=failed.remedy,
            ) from failed
        brief.closers.callback(found.services.close)
    if suite.databases:
        found.databases = Databases(
            suite=suite,
            bench=bench,
            source=brief.source,
            servers={
                settings.name: _shared(settings, bench, brief)
                for settings in suite.databases
            },
            changed=brief.changed,
            programs=client(),
            folder=str(PurePosixPath(PSQL).parent),
            timeout=brief.settings.timeouts.suite,
        )
    return found


def _shared(settings: DatabaseSettings, bench: Bench, brief: Brief) -> Server:
    """One server for each engine and place in a run, stopped when the run ends."""
    if settings.engine is Engine.SQLITE:
        return SqliteServer(places=bench.places)
    key = f"server {type(bench).__name__} {settings.engine} {settings.admin}"
    if key not in brief.memo:
        brief.world.progress.doing(f"starting {settings.engine.value}")
        server = _started(settings, bench, brief)
        brief.closers.callback(server.close)
        brief.memo[key] = server
    found: Server = brief.memo[key]
    return found


def _started(settings: DatabaseSettings, bench: Bench, brief: Brief) -> Server:
    """A server of the run's own, or the one that a variable of the gate names."""
    port = USUAL[settings.engine] if bench.own_loopback else free_port()
    if settings.admin is None:
        return _own(settings, bench, brief, port)
    url = brief.world.environ.get(settings.admin)
    if not url:
        raise ConfigurationError(
            f"database {settings.name}: the variable {settings.admin} is not set.",
            means="`server: {admin: …}` names the variable of the gate's own "
            "environment that holds an administrator's URL.",
            remedy=f"Set {settings.admin}, or leave `server:` out.",
        )
    match settings.engine:
        case Engine.MARIADB:
            return NamedMariaDB(url=url, variable=settings.admin, port=port)
        case Engine.POSTGRESQL | Engine.SQLITE:
            return NamedServer(url=url, variable=settings.admin, port=port)


def _own(settings: DatabaseSettings, bench: Bench, brief: Brief, port: int) -> Server:
    scratch, cache = brief.world.scratch, brief.world.cache
    if settings.engine is Engine.MARIADB:
        if isinstance(bench, ImageBench):
            raise BenchUnavailable(
                f"database {settings.name}: no MariaDB can be started beside an image.",
                means="`server: embedded` starts the `mariadbd` of this machine, which"
                " trials in containers can't reach.",
                remedy="Name a server that is up, with `server: {admin: $VARIABLE}`, or"
                " use `--bench here`.",
            )
        search = brief.world.environ.get("PATH", "")
        return OwnMariaDB(scratch=scratch, cache=cache, search=search, port=port)
    if isinstance(bench, ImageBench):
        companions = bench.companions()
        brief.closers.callback(companions.close)
        return ContainerServer(companions, port=port)
    return EmbeddedServer(scratch=scratch, cache=cache, port=port)
