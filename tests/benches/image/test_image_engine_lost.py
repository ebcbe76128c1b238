"""An engine that goes away in the middle of a trial says nothing about the tests."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairtrial import injected
from fairtrial.benches.image import ImageBench
from fairtrial.benches.image.cleaning import clean_run
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup

from .conftest import RunShell

pytestmark = pytest.mark.engine

PORTER = str(Path(injected.__path__[0], "fairtrial_porter.py"))
ENGINE = "/var/run/docker.sock"


@dataclass(kw_only=True)
class Remote:
    """The engine by a way that can be cut, as if it had been killed."""

    engine: DockerEngine
    way: subprocess.Popen[bytes]

    def cut(self) -> None:
        self.way.kill()
        self.way.wait()


@pytest.fixture
def remote(tmp_path: Path, engine: DockerEngine) -> Iterator[Remote]:
    path = tmp_path / "docker.sock"
    way = subprocess.Popen(
        [sys.executable, "-I", "-S", PORTER, "porter", str(path), ENGINE]
    )
    while not path.exists():
        time.sleep(0.01)
    client = DockerEngine.connect({"DOCKER_HOST": f"unix://{path}"})
    one = Remote(engine=client, way=way)
    yield one
    one.cut()
    client.close()
    # The client's library leaves a socket open for each time that it can't connect.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_a_trial_whose_engine_goes_away_is_no_verdict(
    remote: Remote, engine: DockerEngine, base_image: str, run_shell: RunShell
) -> None:
    bench = ImageBench(image=base_image, client=remote.engine)
    companions = bench.companions()
    try:
        bench.freeze(Revision.BASE, {}, Setup())
        one = companions.start("the server", ("sleep", "60"))
        well = one.lost()
        threading.Timer(1.0, remote.cut).start()
        begun = time.monotonic()
        with pytest.raises(BenchFailed, match="the Docker engine could not"):
            run_shell(bench, "sleep 50")
        seconds = time.monotonic() - begun
        gone = one.lost()
        bench.close()
        companions.close()
        left = [
            len(engine.labelled(f"{RUN}={run}"))
            for run in (bench.run_id, companions.run)
        ]
    finally:
        for run in (bench.run_id, companions.run):
            clean_run(engine, run)

    assert seconds < 20
    assert ("", "the server is gone") == (well, gone.partition(":")[0])
    # The engine could not be asked; the next run that can removes it.
    assert all(left)
    assert [(), ()] == [
        engine.labelled(f"{RUN}={run}") for run in (bench.run_id, companions.run)
    ]
