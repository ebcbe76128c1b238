"""A trial without a network reaches a server's socket by its door, and only so."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from fairtrial.benches.image import ImageBench
from fairtrial.benches.image.cleaning import clean_abandoned
from fairtrial.benches.image.companions import Companion
from fairtrial.clients.docker import DockerEngine, Kind
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.errors import BenchFailed, SurroundingsLost
from fairtrial.domain.settings import ConditionSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Door, Ending, Setup

from .conftest import MakeBench, RunShell

pytestmark = pytest.mark.engine

SERVER = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen(50)
while True:
    connection, _ = listener.accept()
    connection.sendall(b"by door")
    connection.close()
"""
ASK = (
    "import socket; near = socket.create_connection(('127.0.0.1', 5432), 20); "
    "print(near.recv(100).decode())"
)


@dataclass(kw_only=True)
class Served:
    companion: Companion
    door: Door


@pytest.fixture(scope="module")
def served(bench: ImageBench) -> Iterator[Served]:
    companions = bench.companions()
    sockets = companions.sockets()
    path = str(sockets / "server")
    one = companions.start("server", ("python3", "-c", SERVER, path), sockets=sockets)
    assert 0 == one.do("sh", "-c", f"until test -S {path}; do sleep 0.05; done").code
    yield Served(companion=one, door=Door(port=5432, to=path))
    companions.close()


def test_a_door_leads_to_a_socket_and_the_outside_is_refused_at_once(
    bench: ImageBench, run_shell: RunShell, served: Served
) -> None:
    refused = """
import socket, time
begun = time.monotonic()
try:
    socket.create_connection(("198.51.100.7", 5432))
except OSError as error:
    print(error.strerror, time.monotonic() - begun < 0.1)
"""
    line = f"python3 -c \"{ASK}\"; python3 -c '{refused}'"
    output = run_shell(bench, line, doors=(served.door,))

    assert ["by door", "Network is unreachable True"] == (
        output.stdout.decode().splitlines()
    ), output.stderr


def test_the_socket_itself_is_out_of_the_trials_reach(
    bench: ImageBench, run_shell: RunShell, served: Served
) -> None:
    look = (
        "import os, socket, sys\n"
        "path = sys.argv[1]\n"
        "for act in (lambda: socket.socket(socket.AF_UNIX).connect(path),\n"
        "            lambda: os.listdir(os.path.dirname(path)),\n"
        "            lambda: os.chmod(os.path.dirname(path), 0o777),\n"
        "            lambda: os.rename(os.path.dirname(path), '/tmp/x'),\n"
        "            lambda: os.kill(1, 9), lambda: os.kill(os.getppid(), 9),\n"
        "            lambda: os.listdir(f'/proc/{os.getppid()}/fd')):\n"
        "    try: act(); print('it can')\n"
        "    except OSError: pass\n"
    )
    line = f'exec python3 -c "$(cat in/look.py)" {served.door.to}'
    output = run_shell(
        bench,
        f"cd /fairtrial && {line}",
        inputs={"look.py": look.encode()},
        doors=(served.door,),
    )

    assert (0, b"", b"") == (output.code, output.stdout, output.stderr)


def test_a_trial_behind_a_door_ends_as_it_ended(
    bench: ImageBench, run_shell: RunShell, served: Served
) -> None:
    doors = (served.door,)
    exited = run_shell(bench, "exit 7", doors=doors)
    killed = run_shell(bench, "kill -9 $$", doors=doors)
    late = run_shell(bench, "sleep 60", doors=doors, timeout=1)

    assert [(Ending.EXITED, 7), (Ending.SIGNALLED, 9)] == [
        (each.ending, each.code) for each in (exited, killed)
    ]
    assert Ending.TIMED_OUT is late.ending


def test_a_door_changes_nothing_else_of_a_trial(
    bench: ImageBench, run_shell: RunShell, served: Served
) -> None:
    look = "ulimit -Sn; ulimit -Hn; ls /proc/self/fd; umask; id; env | sort"

    assert run_shell(bench, look).stdout == (
        run_shell(bench, look, doors=(served.door,)).stdout
    )


def test_a_place_that_is_in_no_volume_is_refused(
    bench: ImageBench, run_shell: RunShell
) -> None:
    for door in (
        Door(port=5432, to="/var/run/docker.sock"),
        Door(port=5432, to="/fairtrial/doors/socket"),
    ):
        with pytest.raises(BenchFailed, match="can't reach"):
            run_shell(bench, "true", doors=(door,))


def test_a_hosts_port_is_reached_by_a_porter_that_is_put_up_again_when_it_ends(
    bench: ImageBench, run_shell: RunShell
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        door = Door(port=5432, to="localhost", to_port=port)

        def answer() -> None:
            for _ in range(2):
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(b"by host")

        threading.Thread(target=answer, daemon=True).start()
        ask = f'python3 -c "{ASK}"'
        first = run_shell(bench, ask, doors=(door,))
        porter = bench._porters.to("localhost", port)
        bench._engine.kill(porter.container)
        again = run_shell(bench, ask, doors=(door,))

    assert [b"by host\n"] * 2 == [first.stdout, again.stdout]


def test_a_server_that_ends_in_the_middle_is_no_failure_of_a_test(
    bench: ImageBench, run_shell: RunShell
) -> None:
    companions = bench.companions()
    try:
        sockets = companions.sockets()
        path = str(sockets / "server")
        argv = ("python3", "-c", SERVER, path)
        one = companions.start("server", argv, sockets=sockets)
        threading.Timer(1.5, one.stop).start()
        ask = f'for i in 1 2 3 4 5 6 7 8; do sleep 0.5; python3 -c "{ASK}"; done'
        with pytest.raises(SurroundingsLost, match="Connection refused"):
            run_shell(bench, ask, doors=(Door(port=5432, to=path),))
    finally:
        companions.close()

    assert one.lost()


def test_a_server_that_is_closed_in_the_middle_takes_the_trial_and_its_volume_along(
    bench: ImageBench, run_shell: RunShell, engine: DockerEngine
) -> None:
    companions = bench.companions()
    sockets = companions.sockets()
    argv = ("python3", "-c", SERVER, str(sockets / "server"))
    companions.start("server", argv, sockets=sockets)
    door = Door(port=5432, to=str(sockets / "server"))
    closing = threading.Timer(1.5, companions.close)
    closing.start()
    with pytest.raises(BenchFailed):
        run_shell(bench, "sleep 50", doors=(door,))
    closing.join()

    assert () == engine.labelled(f"{RUN}={companions.run}")


def test_processors_and_umask_are_pinned_and_in_the_fingerprint(
    make_bench: MakeBench, run_shell: RunShell, bench: ImageBench
) -> None:
    pinned = make_bench(pinned=ConditionSettings(cpus=1, umask=0o077))
    pinned.freeze(Revision.BASE, {}, Setup())
    look = "umask; python3 -c 'import os; print(len(os.sched_getaffinity(0)))'"

    assert ["0077", "1"] == run_shell(pinned, look).stdout.decode().split()
    assert "0022" == run_shell(bench, look).stdout.decode().split()[0]
    assert make_bench().fingerprint() != pinned.fingerprint()


GATE = """
import sys
from fairtrial.benches.image import ImageBench
from fairtrial.clients.docker import DockerEngine, Kind
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import *

bench = ImageBench(image=sys.argv[1], client=DockerEngine.connect())
companions = bench.companions()
bench.freeze(Revision.BASE, {}, Setup())
way = companions.porter("localhost:1")
print(bench.run_id, companions.run, flush=True)
bench.run(TrialSpec(trial="t1", frozen=Revision.BASE, delta=Delta(), timeout=1000,
                    argv=("sleep", "1000"),
                    doors=(Door(port=5432, to=str(way.sockets / "door")),)))
"""


@pytest.mark.slow
def test_a_killed_gate_leaves_nothing_that_the_next_run_does_not_remove(
    engine: DockerEngine, base_image: str
) -> None:
    gate = subprocess.Popen(
        [sys.executable, "-c", GATE, base_image], stdout=subprocess.PIPE, text=True
    )
    assert gate.stdout is not None
    runs = gate.stdout.readline().split()
    gate.stdout.close()

    def made() -> Counter[Kind]:
        return Counter(
            one.kind for run in runs for one in engine.labelled(f"{RUN}={run}")
        )

    for _ in range(100):
        if made()[Kind.CONTAINER] == 2:
            break
        threading.Event().wait(0.1)
    gate.kill()
    gate.wait()
    left = made()
    clean_abandoned(engine)

    # The trial and the way it has to a service, with the volume of its socket.
    assert (2, 1) == (left[Kind.CONTAINER], left[Kind.VOLUME])
    assert Counter() == made()
