"""A real PostgreSQL on a Unix socket is a trial's own 127.0.0.1:5432."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benches.here.conftest import Place
from tests.benches.postgres_client import EXPECTED, inputs, variables

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.names import TrialId
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, TrialOutput, TrialSpec

MAIN = DatabaseSettings(name="main")


@pytest.fixture(scope="module")
def server(all_places: Place) -> Iterator[EmbeddedServer]:
    one = start(all_places)
    yield one
    one.close()


def start(place: Place) -> EmbeddedServer:
    folder = place.folder
    one = EmbeddedServer(scratch=folder / "scratch", cache=folder / "cache")
    one.template("empty", MAIN, lambda _: None)
    return one


@pytest.fixture
def clone(place: Place, server: EmbeddedServer) -> Iterator[Clone]:
    one = server.clone("empty", MAIN, 5432)
    yield one
    one.drop()


def run(place: Place, clone: Clone, script: str) -> TrialOutput:
    assert clone.door is not None
    bench = place.bench()
    return bench.run(
        TrialSpec(
            trial=TrialId("t1"),
            frozen=Revision.BASE,
            delta=Delta(),
            argv=("sh", "-c", script),
            env={
                **variables(clone),
                "PYTHONPATH": f"{bench.places.inputs}/drivers",
                "INPUTS": str(bench.places.inputs),
            },
            inputs=inputs(),
            timeout=60,
            doors=(clone.door,),
        )
    )


def test_a_driver_reaches_it_and_nothing_else_is_reached(
    place: Place, clone: Clone
) -> None:
    output = run(place, clone, "python3 $INPUTS/test.py")

    assert EXPECTED == output.stdout.decode().splitlines(), output.stderr.decode()


@pytest.mark.skipif(not Path("/usr/bin/psql").exists(), reason="psql is not installed")
def test_psql_reaches_it(place: Place, clone: Clone) -> None:
    output = run(place, clone, "psql -Atc 'SELECT 6 * 7, current_user'")

    assert f"42|{clone.connection.user}\n" == output.stdout.decode(), output.stderr


@pytest.mark.slow
def test_its_end_in_the_middle_of_a_trial_is_told_as_such(
    place: Place, all_places: Place
) -> None:
    one = start(all_places)
    ending = threading.Timer(0.7, one.close)
    try:
        clone = one.clone("empty", MAIN, 5432)
        ending.start()
        with pytest.raises(SurroundingsLost, match="did not answer during a trial"):
            run(place, clone, "python3 $INPUTS/again.py")
    finally:
        ending.join()
        one.close()

    assert one.alive()
