"""The same server in a container beside the trials, reached through the engine only."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import ContainerServer
from fairtrial.benches.image.companions import Companions
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN
from fairtrial.clients.postgres import Login, Session
from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.errors import BenchFailed

from .conftest import ORDERS

pytestmark = [pytest.mark.engine, pytest.mark.slow]

BASE = os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"


@pytest.fixture
def companions() -> Iterator[Companions]:
    engine = DockerEngine.connect()
    if engine.image(BASE) is None:
        pytest.skip(f"no image {BASE}: run `tools/engine base {BASE} bookworm`")
    one = Companions(engine=engine, image=BASE)
    yield one
    one.close()
    assert () == engine.labelled(f"{RUN}={one.run}")
    engine.close()


def run(server: ContainerServer, clone: Clone, statement: str) -> None:
    given = clone.connection
    login = Login(user=given.user, password=given.password)
    session = Session(server.house.route, login, given.name)
    session.run(statement)
    session.close()


def test_a_container_serves_clones_ledgers_and_rows_and_says_when_it_is_gone(
    companions: Companions,
) -> None:
    server = ContainerServer(companions)
    schema = "CREATE TABLE public.orders (id bigserial PRIMARY KEY, note text)"
    server.template("shop", ORDERS, lambda clone: run(server, clone, schema))
    one, fresh = (server.clone("shop", ORDERS, 5432) for _ in range(2))
    one.watch()
    run(server, one, "INSERT INTO public.orders (note) VALUES ('it''s')")
    ledger = one.ledger()
    fresh.put(ledger.changes)
    fresh.watch()
    run(server, fresh, "UPDATE public.orders SET note = 'put' WHERE id = 1")

    assert server.version.startswith("postgresql ")
    assert "" == server.alive()
    assert "" == ledger.blind
    assert [(Verb.INSERT, {"id": "1", "note": "it's"})] == [
        (c.verb, c.values) for c in ledger.changes
    ]
    assert [(Verb.UPDATE, {"id": "1"})] == [
        (c.verb, c.key) for c in fresh.ledger().changes
    ]
    assert one.door is not None
    assert one.door.to.endswith("/.s.PGSQL.5432")
    assert 0 == one.door.to_port

    companions.engine.kill(server._companion.container)

    assert server.alive().startswith("PostgreSQL ended with 137")
    with pytest.raises(BenchFailed):
        server.clone("shop", ORDERS, 5432)
    with pytest.raises(BenchFailed):
        fresh.put([Change(database="orders", table="public.orders", verb=Verb.INSERT)])
    one.drop()
    server.close()
    server.close()
