"""A real PostgreSQL for this folder, and connections as a trial makes them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, Protocol

import pytest
from pg8000.exceptions import Error
from pg8000.native import Connection

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.domain.databases import DatabaseSettings


class Enter(Protocol):
    def __call__(self, clone: Clone, **options: Any) -> Connection: ...


class MakeClone(Protocol):
    def __call__(self, *schema: str) -> Clone: ...


ORDERS = DatabaseSettings(name="orders")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    folder = tmp_path_factory.mktemp("pg")
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    yield one
    one.close()
    assert [] == list((folder / "scratch").iterdir())


@pytest.fixture
def enter() -> Iterator[Enter]:
    """A connection with a clone's own login, closed after the test."""
    with ExitStack() as closers:

        def connect(clone: Clone, **options: Any) -> Connection:
            given, door = clone.connection, clone.door
            assert door is not None
            login: dict[str, Any] = {
                "user": given.user,
                "password": given.password,
                "database": given.name,
                "sock": closers.enter_context(closing(socket.socket(socket.AF_UNIX))),
                **options,
            }
            login["sock"].connect(door.to)
            connection = Connection(**login)
            closers.callback(_close, connection)
            return connection

        yield connect


def _close(connection: Connection) -> None:
    # Its database may be gone by now, and it with it.
    with contextlib.suppress(Error, OSError):
        connection.close()


@pytest.fixture(scope="session")
def keys() -> dict[tuple[str, ...], str]:
    """Templates that were made already, by their statements."""
    return {}


@pytest.fixture
def make_clone(
    server: EmbeddedServer, enter: Enter, keys: dict[tuple[str, ...], str]
) -> Iterator[MakeClone]:
    """A clone of a template with these statements as its schema."""
    made: list[Clone] = []

    def make(*schema: str) -> Clone:
        if schema not in keys:
            keys[schema] = f"template-{len(keys)}"

            def build(clone: Clone) -> None:
                connection = enter(clone)
                for statement in schema:
                    connection.run(statement)

            server.template(keys[schema], ORDERS, build)
        made.append(server.clone(keys[schema], ORDERS, 5432))
        return made[-1]

    yield make
    for clone in made:
        clone.drop()


def rows(connection: Connection, table: str) -> list[str]:
    """All rows of a table as the server writes them, sorted."""
    found = connection.run(f"SELECT t::text FROM {table} t ORDER BY 1")
    return [str(row[0]) for row in found or ()]
