"""Which databases and services a repository seems to need; suggested, never decided."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.pipeline.starting.ground import Ground, yaml_of
from fairtrial.pipeline.starting.words import shown

_COMPOSE: Final = re.compile(r"(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml")
#: What an image's name holds, and the engine that it is.
_ENGINES: Final = {
    "postgres": "postgresql",
    "postgis": "postgresql",
    "timescale": "postgresql",
    "mariadb": "mariadb",
    "mysql": "mysql",
}
#: What an image's name holds, with the port it listens on by its own documentation.
_PORTS: Final = {
    "redis": 6379,
    "valkey": 6379,
    "kafka": 9092,
    "redpanda": 9092,
    "rabbitmq": 5672,
    "mongo": 27017,
    "elasticsearch": 9200,
    "opensearch": 9200,
    "memcached": 11211,
    "nats": 4222,
    "localstack": 4566,
    "minio": 9000,
}
_DJANGO: Final = re.compile(r"django\.db\.backends\.(postgresql|mysql)")
_MANIFESTS: Final = (
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "Cargo.toml",
)
#: Files that build a schema, with the command that a suite may name for it.
_SCHEMAS: Final = {
    "alembic.ini": "alembic upgrade head",
    "schema.prisma": "npx prisma migrate deploy",
    "schema.rb": "bin/rails db:schema:load",
}
_FLYWAY: Final = re.compile(r"(?:^|/)db/migrations?/(?:.*/)?V[0-9][^/]*__[^/]*\.sql$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Lines to put under a suite, and sentences about what was not decided."""

    #: Each a YAML block as it may stand in a suite, with what showed it.
    databases: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    docker: str = ""
    said: tuple[str, ...] = ()


def around(ground: Ground, *, jdbc: bool) -> Around:
    """What was seen; `jdbc`: whether some suite speaks to databases by JDBC."""
    engines: dict[str, str] = {}
    ports: dict[str, str] = {}
    for image, where in _images(ground):
        for word, engine in _ENGINES.items():
            if word in image:
                engines.setdefault(engine, where)
        for word in _PORTS:
            if word in image:
                ports.setdefault(word, where)
    for path in ground.paths:
        if path.endswith(".py") and "settings" in path:
            for engine in _DJANGO.findall(ground.read(path)):
                engines.setdefault(engine, path)
    schemas = _schemas(ground)
    docker = next(
        (
            path
            for path in ground.named(*_MANIFESTS)
            if "testcontainers" in ground.read(path).lower()
        ),
        "",
    )
    return Around(
        databases=tuple(
            _database(engine, where, schemas, jdbc=jdbc)
            for engine, where in engines.items()
        ),
        services=tuple(_service(word, where) for word, where in ports.items()),
        docker=docker,
        said=(*_said(engines, ports, docker), *_migrations(ground, engines)),
    )


def _images(ground: Ground) -> Iterator[tuple[str, str]]:
    """Images of compose files and of the services of the repository's own jobs."""
    for path in ground.paths:
        if _COMPOSE.fullmatch(path.rpartition("/")[2]):
            read = yaml_of(ground.read(path))
            yield from _of(read, path)
    for path, workflow in ground.workflows().items():
        for job in _values(workflow.get("jobs")):
            if isinstance(job, dict):
                yield from _of(job, path)


def _of(holder: Any, path: RepoPath) -> Iterator[tuple[str, str]]:
    services = holder.get("services") if isinstance(holder, dict) else None
    for service in _values(services):
        image = service.get("image") if isinstance(service, dict) else service
        if isinstance(image, str):
            # The registry's and the tag's names say nothing of what it is.
            yield image.rpartition("/")[2].partition(":")[0].lower(), path


def _values(held: Any) -> tuple[Any, ...]:
    return tuple(held.values()) if isinstance(held, dict) else ()


def _schemas(ground: Ground) -> tuple[tuple[str, str], ...]:
    """Commands that build a schema, with the file that shows it."""
    return tuple(
        (_SCHEMAS[name], path)
        for path in ground.named(*_SCHEMAS)
        if (name := path.rpartition("/")[2]) in _SCHEMAS
    )


def _database(
    engine: str, where: str, schemas: tuple[tuple[str, str], ...], *, jdbc: bool
) -> str:
    variable = "{SPRING_DATASOURCE_URL: jdbc}" if jdbc else "{DATABASE_URL: url}"
    lines = [
        f"databases: # {engine}, seen in {shown(where)}: a fresh one for each trial",
        "  main:",
        f"    engine: {engine}",
        f"    env: {variable} # the variable that the tests read its URL from",
    ]
    lines += [f"    schema: {command} # {shown(path)}" for command, path in schemas[:1]]
    return "\n".join(lines)


def _service(word: str, where: str) -> str:
    port = _PORTS[word]
    return (
        f"services: # seen in {shown(where)}: started before the gate, checked by it\n"
        f'  {word}: {{at: "localhost:{port}"}}'
    )


def _said(engines: dict[str, str], ports: dict[str, str], docker: str) -> Iterator[str]:
    for engine, where in engines.items():
        yield (
            f"{engine} is in {shown(where)}: whether a suite needs it, and from which"
            " variable it takes the URL, can't be told; see the commented lines."
        )
    for word, where in ports.items():
        yield f"{word} is in {shown(where)}: whether a suite needs it can't be told."
    if docker:
        yield (
            f"{shown(docker)} names Testcontainers: a suite that starts containers"
            " itself takes `docker: true`; without it, it has none to start."
        )


def _migrations(ground: Ground, engines: dict[str, str]) -> Iterator[str]:
    found = next((path for path in ground.paths if _FLYWAY.search(path)), None)
    if found is not None and engines:
        yield (
            f"{shown(found)} is a migration of Flyway's kind: where the application"
            " applies it when it starts, no `schema` is needed."
        )
