"""A real PostgreSQL on a Unix socket is a trial's own 127.0.0.1:5432."""

from __future__ import annotations

import importlib.metadata
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.names import TrialId
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, TrialOutput, TrialSpec

from .conftest import Place

TEST = """
import pg8000.dbapi, os, socket, time
with pg8000.dbapi.connect(
    host="127.0.0.1", port=5432, user=os.environ["PGUSER"],
    password=os.environ["PGPASSWORD"], database=os.environ["PGDATABASE"],
) as connection:
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE orders (number int, note text)")
    rows = [(number, None) for number in range(9)]
    cursor.executemany("INSERT INTO orders VALUES (%s, %s)", rows)
    connection.commit()
    cursor.execute("SELECT count(*), repeat('x', 3000000) FROM orders")
    count, long = cursor.fetchone()
    print(count, len(long))
begun = time.monotonic()
try:
    socket.create_connection(("198.51.100.7", 5432))
except OSError as error:
    print(error.strerror, time.monotonic() - begun < 0.1)
"""


@pytest.fixture(scope="module")
def server(all_places: Place) -> Iterator[EmbeddedServer]:
    folder = all_places.folder
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    one.template("empty", DatabaseSettings(name="main"), lambda _: None)
    yield one
    one.close()


@pytest.fixture
def clone(place: Place, server: EmbeddedServer) -> Iterator[Clone]:
    one = server.clone("empty", DatabaseSettings(name="main"), 5432)
    yield one
    one.drop()


def run(place: Place, clone: Clone, script: str) -> TrialOutput:
    assert clone.door is not None
    return place.bench().run(
        TrialSpec(
            trial=TrialId("t1"),
            frozen=Revision.BASE,
            delta=Delta(),
            argv=("sh", "-c", script),
            env=variables(clone),
            inputs=client(),
            timeout=60,
            doors=(clone.door,),
        )
    )


def variables(clone: Clone) -> Mapping[str, str]:
    connection = clone.connection
    return {
        "PGHOST": connection.host,
        "PGPORT": str(connection.port),
        "PGUSER": connection.user,
        "PGPASSWORD": connection.password,
        "PGDATABASE": connection.name,
    }


def client() -> Mapping[str, bytes]:
    """A driver in pure Python, for a trial that has none installed."""
    files = {"test.py": TEST.encode()}
    for name in ("pg8000", "scramp", "asn1crypto", "python-dateutil", "six"):
        for path in importlib.metadata.distribution(name).files or ():
            if path.suffix == ".py" or path.name == "METADATA":
                files[f"drivers/{path}"] = path.read_binary()
    return files


def test_a_driver_reaches_it_and_nothing_else_is_reached(
    place: Place, clone: Clone
) -> None:
    inputs = place.bench().places.inputs
    script = f"PYTHONPATH={inputs}/drivers python3 {inputs}/test.py"
    output = run(place, clone, script)

    assert ["9 3000000", "Network is unreachable True"] == (
        output.stdout.decode().splitlines()
    ), output.stderr.decode()


@pytest.mark.skipif(not Path("/usr/bin/psql").exists(), reason="psql is not installed")
def test_psql_reaches_it(place: Place, clone: Clone) -> None:
    output = run(place, clone, "psql -Atc 'SELECT 6 * 7, current_user'")

    assert f"42|{clone.connection.user}\n" == output.stdout.decode(), output.stderr


def test_its_end_in_the_middle_of_a_trial_is_told_as_such(
    place: Place, all_places: Place
) -> None:
    folder = all_places.folder
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    ending = threading.Timer(0.7, one.close)
    try:
        one.template("empty", DatabaseSettings(name="main"), lambda _: None)
        clone = one.clone("empty", DatabaseSettings(name="main"), 5432)
        ending.start()
        # The first connection ends with the server, the second finds none.
        twice = (
            "import socket\n"
            "for _ in range(2): socket.create_connection(('127.0.0.1', 5432)).recv(1)"
        )
        with pytest.raises(SurroundingsLost, match="did not answer during a trial"):
            run(place, clone, f'python3 -c "{twice}"')
    finally:
        ending.join()
        one.close()

    assert one.alive()
