"""A real PostgreSQL in a container of its own is a trial's 127.0.0.1:5432."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.benches.image.conftest import RunShell
from tests.benches.postgres_client import EXPECTED, inputs, variables

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import ContainerServer
from fairtrial.benches.image import ImageBench
from fairtrial.clients.docker import DockerEngine, Kind
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.trials import TrialOutput

pytestmark = [pytest.mark.engine, pytest.mark.slow]

MAIN = DatabaseSettings(name="main")


@pytest.fixture
def server(bench: ImageBench, engine: DockerEngine) -> Iterator[ContainerServer]:
    companions = bench.companions()
    one = ContainerServer(companions)
    one.template("empty", MAIN, lambda _: None)
    yield one
    one.close()
    companions.close()
    assert () == engine.labelled(f"{RUN}={companions.run}")


def run(bench: ImageBench, shell: RunShell, clone: Clone, script: str) -> TrialOutput:
    assert clone.door is not None
    return shell(
        bench,
        script,
        env={**variables(clone), "PYTHONPATH": f"{bench.places.inputs}/drivers"},
        inputs=inputs(),
        doors=(clone.door,),
    )


def test_a_driver_reaches_it_and_nothing_else_is_reached(
    bench: ImageBench, run_shell: RunShell, server: ContainerServer
) -> None:
    clone = server.clone("empty", MAIN, 5432)
    script = f"python3 {bench.places.inputs}/test.py"
    output = run(bench, run_shell, clone, script)
    clone.drop()

    assert EXPECTED == output.stdout.decode().splitlines(), output.stderr.decode()


def test_its_end_in_the_middle_of_a_trial_is_told_as_such(
    bench: ImageBench,
    run_shell: RunShell,
    server: ContainerServer,
    engine: DockerEngine,
) -> None:
    clone = server.clone("empty", MAIN, 5432)
    container = server._companion.container
    well = server.alive()
    killer = threading.Timer(2.0, engine.remove, (Kind.CONTAINER, container))
    killer.start()
    script = f"python3 {bench.places.inputs}/again.py"
    with pytest.raises(SurroundingsLost, match="did not answer during a trial"):
        run(bench, run_shell, clone, script)
    killer.join()

    assert ("", "PostgreSQL is gone") == (well, server.alive().partition(":")[0])
