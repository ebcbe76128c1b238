"""A server that is there already: what it allows is used, and nothing is left on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest
from pg8000.native import Connection

from fairtrial.benches.databases.names import Maker
from fairtrial.benches.databases.postgres import EmbeddedServer, NamedServer
from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.errors import BenchFailed, BenchUnavailable

from .conftest import ORDERS, Enter, rows

SCHEMA = """CREATE TABLE orders (id bigserial PRIMARY KEY, note text);
CREATE TABLE lines (orders bigint REFERENCES orders)"""
_numbers = itertools.count()


@pytest.fixture
def admin(server: EmbeddedServer) -> Iterator[Connection]:
    house = server.house
    connection = Connection(
        user=house.admin.user,
        password=house.admin.password,
        database="postgres",
        sock=house.route.dial(),
    )
    yield connection
    connection.close()


def url_of(server: EmbeddedServer, user: str, password: str) -> str:
    server.template("door", ORDERS, lambda _: None)
    clone = server.clone("door", ORDERS, 1)
    assert clone.door is not None
    clone.drop()
    folder = clone.door.to.rpartition("/")[0]
    return f"postgresql://{user}:{password}@/postgres?host={quote(folder, safe='')}"


@pytest.fixture
def url(server: EmbeddedServer, admin: Connection, request: Any) -> Iterator[str]:
    """Of a role with the attributes that the test names."""
    role = f"role_{next(_numbers)}"
    admin.run(f"CREATE ROLE {role} LOGIN PASSWORD 'p@ss' {request.param}")
    admin.run(f"GRANT TEMPORARY ON DATABASE postgres TO {role}")
    yield url_of(server, role, "p%40ss")
    assert [] == things(admin, "fairtrial_")
    admin.run(f"DROP OWNED BY {role}")
    admin.run(f"DROP ROLE {role}")


def things(admin: Connection, prefix: str) -> list[str]:
    found = admin.run(
        "SELECT datname FROM pg_database UNION ALL SELECT rolname FROM pg_roles"
        " UNION ALL SELECT slot_name FROM pg_replication_slots"
    )
    return [name for (name,) in found or () if name.startswith(prefix)]


EVERYTHING = pytest.mark.parametrize("url", ["SUPERUSER"], indirect=True)
LITTLE = pytest.mark.parametrize("url", ["CREATEDB CREATEROLE"], indirect=True)
ENOUGH = pytest.mark.parametrize(
    "url", ["CREATEDB CREATEROLE REPLICATION"], indirect=True
)


@pytest.fixture
def named(url: str) -> Iterator[NamedServer]:
    one = NamedServer(url=url, variable="ADMIN_URL")
    one.template("shop", ORDERS, lambda clone: build(clone, SCHEMA))
    yield one
    one.close()
    one.close()


def build(clone: Any, schema: str) -> None:
    given, door = clone.connection, clone.door
    with closing(
        Connection(
            user=given.user,
            password=given.password,
            database=given.name,
            unix_sock=door.to,
        )
    ) as connection:
        for statement in schema.split(";"):
            connection.run(statement)


ROW = Change(
    database="orders",
    table="public.lines",
    verb=Verb.INSERT,
    values={"orders": "7"},
)


@EVERYTHING
def test_a_superuser_has_clones_a_ledger_and_rows_put_in(
    named: NamedServer, enter: Enter
) -> None:
    clone = named.clone("shop", ORDERS, 5432)
    clone.put([ROW])
    clone.watch()
    enter(clone).run("INSERT INTO orders (note) VALUES ('x')")
    ledger = clone.ledger()

    assert "" == named.alive()
    assert ["(7)"] == rows(enter(clone), "lines")
    assert "" == ledger.blind
    assert ["public.orders"] == [c.table for c in ledger.changes]


@ENOUGH
def test_a_role_that_may_replicate_is_told_and_keeps_to_foreign_keys(
    named: NamedServer, enter: Enter
) -> None:
    clone = named.clone("shop", ORDERS, 5432)
    with pytest.raises(BenchFailed, match="foreign key"):
        clone.put([ROW])
    clone.watch()
    enter(clone).run("INSERT INTO orders (note) VALUES ('x')")
    enter(clone).run("CREATE DATABASE besides")
    ledger = clone.ledger()

    assert "" == ledger.blind
    assert ["public.orders"] == [c.table for c in ledger.changes]
    altered = {alteration.name for alteration in ledger.alterations}
    assert {"public.orders_id_seq", "besides"} == altered


@LITTLE
def test_a_role_that_may_not_replicate_is_blind_and_has_all_the_rest(
    named: NamedServer, enter: Enter, admin: Connection
) -> None:
    clone = named.clone("shop", ORDERS, 5432)
    clone.watch()
    enter(clone).run("INSERT INTO orders (note) VALUES ('x')")
    ledger = clone.ledger()

    assert "may not replicate" in ledger.blind
    assert ["public.orders_id_seq"] == [a.name for a in ledger.alterations]
    assert clone.connection.name in things(admin, "fairtrial_")


@LITTLE
def test_what_a_dead_run_left_is_removed_by_the_next_and_a_living_ones_is_not(
    url: str, admin: Connection
) -> None:
    living = NamedServer(url=url, variable="ADMIN_URL")
    living.template("shop", ORDERS, lambda _: None)
    here = living._here
    dead = Maker(place=here.place, pid=here.pid, started=1, begun=here.begun)
    left = f"{dead.prefix}orders_1"
    with living.house.session() as session:
        session.run(f"CREATE ROLE {left}")
        session.run(f"GRANT {left} TO CURRENT_USER")
        session.run(f"CREATE DATABASE {left} OWNER {left}")
        session.run(f"CREATE DATABASE besides_it OWNER {left}")
    before = set(things(admin, here.prefix))
    other = NamedServer(url=url, variable="ADMIN_URL")

    assert [] == things(admin, dead.prefix) + things(admin, "besides_it")
    assert before == set(things(admin, here.prefix))
    other.close()
    living.close()


@pytest.mark.parametrize("url", ["", "CREATEDB"], indirect=True)
def test_a_role_that_may_not_make_databases_is_told_what_it_lacks(url: str) -> None:
    with pytest.raises(BenchUnavailable, match=r"in \$ADMIN_URL lacks .*CREATEROLE"):
        NamedServer(url=url, variable="ADMIN_URL")


def test_a_server_that_refuses_or_does_not_answer_is_told_without_the_password(
    server: EmbeddedServer,
) -> None:
    for url in (
        url_of(server, "nobody", "secret-word"),
        "postgresql://a:secret-word@127.0.0.1:1/b",
    ):
        with pytest.raises(BenchUnavailable, match="can't be used") as told:
            NamedServer(url=url, variable="ADMIN_URL")

        assert "secret-word" not in told.value.diagnostics()
