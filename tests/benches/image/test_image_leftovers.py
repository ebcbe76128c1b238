"""Nothing stays behind: after a kill, an interrupt, a failure, or a plain close."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.benches.image.cleaning import clean_abandoned, clean_run
from fairtrial.clients.docker import DockerEngine, Kind, Labelled
from fairtrial.clients.docker_owner import RUN, labels_of
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent, Setup, TrialOutput

pytestmark = pytest.mark.engine

GATE = """
import sys, threading
from fairtrial.benches.image import ImageBench
from fairtrial.clients.docker import DockerEngine
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import *

bench = ImageBench(image=sys.argv[1], client=DockerEngine.connect())
spec = TrialSpec(trial="t1", frozen=Revision.BASE, delta=Delta(),
                 argv=("sleep", "1000"), timeout=1000)
try:
    bench.freeze(Revision.BASE, {"a": FileContent(mode=0o100644, data=b"")}, Setup())
    print(bench.run_id, flush=True)
    threading.Thread(target=bench.run, args=(spec,), daemon=True).start()
    bench.run(spec)
except KeyboardInterrupt:
    print("interrupted", flush=True)
finally:
    bench.close()
"""


def of_run(engine: DockerEngine, run: str) -> tuple[Labelled, ...]:
    return engine.labelled(f"{RUN}={run}")


def start_gate(engine: DockerEngine, image: str) -> tuple[subprocess.Popen[str], str]:
    """A process that is in the middle of two trials, and its run's name."""
    gate = subprocess.Popen(
        [sys.executable, "-c", GATE, image], stdout=subprocess.PIPE, text=True
    )
    assert gate.stdout is not None
    run = gate.stdout.readline().strip()
    for _ in range(200):
        kinds = [thing.kind for thing in of_run(engine, run)]
        if kinds.count(Kind.CONTAINER) == 2:
            return gate, run
        time.sleep(0.1)
    gate.kill()
    gate.communicate()
    pytest.fail("the gate never got to its trials")


def test_what_a_killed_gate_left_is_removed_by_the_next_bench(
    engine: DockerEngine, base_image: str, make_bench: Callable[..., ImageBench]
) -> None:
    gate, run = start_gate(engine, base_image)
    try:
        make_bench()
        alive = of_run(engine, run)
        os.kill(gate.pid, signal.SIGKILL)
        gate.communicate(timeout=30)
        left = of_run(engine, run)
        make_bench()
        after = of_run(engine, run)
    finally:
        gate.kill()
        clean_run(engine, run)

    assert {Kind.CONTAINER, Kind.IMAGE} == {thing.kind for thing in alive}
    assert {Kind.CONTAINER, Kind.IMAGE} == {thing.kind for thing in left}
    assert () == after


def test_an_interrupted_gate_cleans_up_behind_itself(
    engine: DockerEngine, base_image: str
) -> None:
    gate, run = start_gate(engine, base_image)
    try:
        begin = time.monotonic()
        os.kill(gate.pid, signal.SIGINT)
        output, _ = gate.communicate(timeout=30)
        seconds = time.monotonic() - begin
        left = of_run(engine, run)
    finally:
        gate.kill()
        clean_run(engine, run)

    assert "interrupted\n" == output
    assert () == left
    # The runner kills an action 7.5 seconds after its first signal.
    assert seconds < 7


def test_a_trial_that_is_running_fails_when_the_bench_is_closed(
    engine: DockerEngine,
    make_bench: Callable[..., ImageBench],
    run_shell: Callable[..., TrialOutput],
    tree_of: Callable[..., dict[RepoPath, FileContent]],
) -> None:
    bench = make_bench()
    bench.freeze(Revision.BASE, tree_of(a=""), Setup())
    failures: list[BaseException] = []

    def trial() -> None:
        try:
            run_shell(bench, "sleep 1000", timeout=1000)
        except BenchFailed as failed:
            failures.append(failed)

    thread = threading.Thread(target=trial)
    thread.start()
    while Kind.CONTAINER not in {t.kind for t in of_run(engine, bench.run_id)}:
        time.sleep(0.05)
    bench.close()
    thread.join(30)

    assert 1 == len(failures)
    assert () == of_run(engine, bench.run_id)


def test_networks_and_volumes_of_a_run_go_too_and_nobody_elses(
    engine: DockerEngine,
) -> None:
    labels = labels_of("fairtrial-test-run", engine)
    engine._api.create_network("fairtrial-test-network", labels=labels)
    engine._api.create_volume("fairtrial-test-volume", labels=labels)
    engine._api.create_volume("fairtrial-test-other", labels={"mine": "1"})
    try:
        kept = clean_abandoned(engine)
        before = of_run(engine, "fairtrial-test-run")
        clean_run(engine, "fairtrial-test-run")

        assert "fairtrial-test-run" not in {t.labels[RUN] for t in kept}
        assert [Kind.NETWORK, Kind.VOLUME] == [thing.kind for thing in before]
        assert () == of_run(engine, "fairtrial-test-run")
        assert 1 == len(engine.labelled("mine=1"))
    finally:
        clean_run(engine, "fairtrial-test-run")
        engine.remove(Kind.VOLUME, "fairtrial-test-other")
