"""An engine that goes away in the middle of a trial says nothing about the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial import injected
from fairtrial.benches.image.cleaning import clean_run
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN

pytestmark = pytest.mark.engine

PORTER = str(Path(injected.__path__[0], "fairtrial_porter.py"))
ENGINE = "/var/run/docker.sock"

#: A process of its own, since the library leaves sockets open that fail to connect.
GATE = """
import sys
from fairtrial.benches.image import ImageBench
from fairtrial.clients.docker import DockerEngine
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import *

bench = ImageBench(image=sys.argv[1], client=DockerEngine.connect())
companions = bench.companions()
bench.freeze(Revision.BASE, {}, Setup())
one = companions.start("the server", ("sleep", "60"))
print(bench.run_id, companions.run, one.lost(), flush=True)
try:
    bench.run(TrialSpec(trial="t1", frozen=Revision.BASE, delta=Delta(),
                        argv=("sleep", "50"), timeout=60))
except SurroundingsLost as failed:
    print(failed.happened)
print(one.lost())
bench.close()
companions.close()
print("closed")
"""


@pytest.fixture
def way(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A way to the engine that can be cut, as if the engine had been killed."""
    path = tmp_path / "docker.sock"
    one = subprocess.Popen(
        [sys.executable, "-I", "-S", PORTER, "porter", str(path), ENGINE]
    )
    while not path.exists():
        time.sleep(0.01)
    yield one
    one.kill()
    one.wait()


def test_a_trial_whose_engine_goes_away_is_no_verdict(
    way: subprocess.Popen[bytes], tmp_path: Path, engine: DockerEngine, base_image: str
) -> None:
    gate = subprocess.Popen(
        [sys.executable, "-c", GATE, base_image],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/docker.sock"},
    )
    assert gate.stdout is not None
    runs = gate.stdout.readline().split()
    try:
        time.sleep(1)
        way.kill()
        said, _ = gate.communicate(timeout=30)
        left = [len(engine.labelled(f"{RUN}={run}")) for run in runs]
    finally:
        gate.kill()
        for run in runs:
            clean_run(engine, run)
    failed, gone, closed = said.splitlines()

    assert 2 == len(runs), "the companion was well, and nothing else was said of it"
    assert "the Docker engine went away" == failed.split(":")[0]
    assert "the server is gone" == gone.split(":")[0]
    # It could not be asked to remove anything; the next run that can does.
    assert ("closed", True) == (closed, all(left))
    assert [(), ()] == [engine.labelled(f"{RUN}={run}") for run in runs]
