"""A trial reaches what its doors lead to, by them alone, and nothing else outside."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairtrial.benches.here import HereBench
from fairtrial.benches.ports import free_port
from fairtrial.domain.errors import BenchFailed, SurroundingsLost
from fairtrial.domain.names import TrialId
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, Door, Ending, TrialOutput, TrialSpec

from .conftest import Place

ASK = (
    "import socket, sys; "
    "near = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 20); "
    "near.sendall(b'hello'); print(near.recv(100).decode())"
)


@dataclass(kw_only=True)
class Outside:
    """A server of the gate's, on a Unix socket and on a port, that says who it is."""

    folder: Path
    path: Path
    port: int


@pytest.fixture
def outside(all_places: Place) -> Iterator[Outside]:
    folder = all_places.folder / "server"
    folder.mkdir(mode=0o700)
    path = folder / "socket"
    with (
        socket.socket(socket.AF_UNIX) as by_path,
        socket.create_server(("127.0.0.1", 0)) as by_port,
    ):
        by_path.bind(str(path))
        by_path.listen(50)
        for listener, name in ((by_path, b"by path"), (by_port, b"by port")):
            threading.Thread(target=serve, args=(listener, name), daemon=True).start()
        yield Outside(folder=folder, path=path, port=by_port.getsockname()[1])
        for listener in (by_path, by_port):
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    path.unlink(missing_ok=True)
    folder.rmdir()


def serve(listener: socket.socket, name: bytes) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(name + b" " + connection.recv(100))


def run(
    bench: HereBench, argv: tuple[str, ...], *doors: Door, timeout: float = 30
) -> TrialOutput:
    return bench.run(
        TrialSpec(
            trial=TrialId("t1"),
            frozen=Revision.BASE,
            delta=Delta(),
            argv=argv,
            timeout=timeout,
            doors=doors,
        )
    )


def asked(bench: HereBench, *doors: Door) -> list[str]:
    """What each door answers."""
    lines = "\n".join(f'python3 -c "$0" {door.port}' for door in doors)
    output = run(bench, ("sh", "-c", lines, ASK), *doors)
    return output.stdout.decode().splitlines() or [output.stderr.decode()]


def test_a_door_leads_to_a_socket_and_to_a_host_on_every_ground(
    place: Place, ground: str, outside: Outside
) -> None:
    bench = place.bench(ground)
    # Where the loopback is the machine's, a port of it has to be free.
    ports = (5432, 9092) if bench.own_loopback else (free_port(), free_port())

    assert ["by path hello", "by port hello"] == asked(
        bench,
        Door(port=ports[0], to=str(outside.path)),
        Door(port=ports[1], to="localhost", to_port=outside.port),
    )


def test_trials_side_by_side_each_have_the_port(place: Place, outside: Outside) -> None:
    bench = place.bench()
    door = Door(port=5432, to=str(outside.path))
    script = f'sleep 0.3; python3 -c "{ASK}" 5432; sleep 0.3'
    with ThreadPoolExecutor(2) as pool:
        outputs = list(pool.map(lambda _: run(bench, ("sh", "-c", script), door), "ab"))

    assert [(b"by path hello\n", b"")] * 2 == [
        (each.stdout, each.stderr) for each in outputs
    ]


def test_beside_a_door_the_outside_is_still_refused_at_once(
    place: Place, outside: Outside
) -> None:
    look = """
import socket, time
begun = time.monotonic()
for family, address in (
    (socket.AF_INET, ("198.51.100.7", 5432)),
    (socket.AF_INET, ("127.0.0.1", PORT)),
):
    try:
        socket.socket(family).connect(address)
    except OSError as error:
        print(error.strerror)
print(time.monotonic() - begun < 0.2)
""".replace("PORT", str(outside.port))
    door = Door(port=9092, to="localhost", to_port=outside.port)
    output = run(place.bench(), ("python3", "-c", look), door)

    assert ["Network is unreachable", "Connection refused", "True"] == (
        output.stdout.decode().splitlines()
    )


def test_the_servers_own_socket_is_out_of_reach(place: Place, outside: Outside) -> None:
    look = (
        "import socket, sys\n"
        "try: socket.socket(socket.AF_UNIX).connect(sys.argv[1])\n"
        "except OSError as error: print(type(error).__name__)"
    )
    door = Door(port=5432, to=str(outside.path))
    output = run(place.bench(), ("python3", "-c", look, str(outside.path)), door)

    # Hidden behind the trial's own /tmp, or the folder is shut to its user.
    assert output.stdout in (b"FileNotFoundError\n", b"PermissionError\n"), output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's trials have another user")
def test_a_trial_can_neither_kill_nor_look_into_what_keeps_its_doors(
    place: Place, outside: Outside
) -> None:
    look = """
import os
for act in (lambda: os.kill(1, 9), lambda: os.listdir("/proc/1/fd"),
            lambda: open("/proc/1/mem"), lambda: open("/proc/1/environ").read()):
    try:
        act()
        print("it can")
    except PermissionError:
        pass
"""
    bench = place.bench()
    door = Door(port=5432, to=str(outside.path))
    script = f"python3 -c '{look}'; python3 -c \"$0\" 5432"
    output = run(bench, ("sh", "-c", script, ASK), door)

    assert b"by path hello\n" == output.stdout


def test_a_door_changes_nothing_else_of_a_trial(place: Place, outside: Outside) -> None:
    look = (
        "ulimit -Sn; ulimit -Hn; ls /proc/self/fd; umask; "
        "grep -E 'SigIgn|SigBlk' /proc/self/status"
    )
    bench = place.bench()
    door = Door(port=5432, to=str(outside.path))

    assert run(bench, ("sh", "-c", look)).stdout == (
        run(bench, ("sh", "-c", look), door).stdout
    )


def test_orphans_are_reaped_beside_doors(place: Place, outside: Outside) -> None:
    look = "(sh -c 'sleep 0.1 & echo $!' > pid); sleep 0.4; ls -d /proc/$(cat pid)"
    door = Door(port=5432, to=str(outside.path))
    output = run(place.bench(), ("sh", "-c", look), door)

    assert (2, b"") == (output.code, output.stdout)


def test_a_trial_behind_doors_ends_as_it_ended(place: Place, outside: Outside) -> None:
    bench = place.bench()
    door = Door(port=5432, to=str(outside.path))
    exited = run(bench, ("sh", "-c", "exit 7"), door)
    killed = run(bench, ("sh", "-c", "kill -9 $$"), door)
    late = run(bench, ("sleep", "60"), door, timeout=0.5)

    assert [(Ending.EXITED, 7), (Ending.SIGNALLED, 9)] == [
        (each.ending, each.code) for each in (exited, killed)
    ]
    assert Ending.TIMED_OUT is late.ending


def test_a_door_that_leads_to_nothing_is_no_failure_of_a_test(place: Place) -> None:
    door = Door(port=5432, to="/nowhere/at/all")
    with pytest.raises(SurroundingsLost, match="/nowhere/at/all: No such file"):
        run(place.bench(), ("python3", "-c", ASK, "5432"), door)


def test_a_door_that_nobody_tries_may_lead_to_nothing(place: Place) -> None:
    door = Door(port=5432, to="/nowhere/at/all")

    assert 0 == run(place.bench(), ("true",), door).code


def test_a_trial_that_timed_out_at_a_shut_door_is_no_failure_either(
    place: Place,
) -> None:
    door = Door(port=5432, to="/nowhere/at/all")
    script = f'python3 -c "{ASK}" 5432; sleep 60'
    with pytest.raises(SurroundingsLost):
        run(place.bench(), ("sh", "-c", script), door, timeout=1)


def test_the_end_of_what_opens_doors_is_no_failure_of_a_test(
    place: Place, outside: Outside
) -> None:
    bench = place.bench()
    door = Door(port=5432, to=str(outside.path))
    before = launchers()

    def kill() -> None:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for launcher in launchers() - before:
                for keeper in children(launcher):
                    if Path(f"/proc/{keeper}/fd/0").readlink() == Path("/dev/null"):
                        os.kill(keeper, signal.SIGKILL)
                        return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(BenchFailed, match="ended from outside"):
        run(bench, ("sleep", "20"), door)
    killer.join()


def launchers() -> set[int]:
    """This process's own children that are launchers."""
    return {
        pid
        for pid in children(os.getpid())
        if b"fairtrial_launcher" in Path(f"/proc/{pid}/cmdline").read_bytes()
    }


def children(parent: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{parent}/task").iterdir():
        with contextlib.suppress(OSError):
            found += [int(pid) for pid in (task / "children").read_text().split()]
    return found


def test_a_taken_port_is_the_benchs_failure(place: Place, outside: Outside) -> None:
    bench = place.bench()
    doors = [Door(port=5432, to=str(outside.path))] * 2
    with pytest.raises(BenchFailed, match="port 5432 of the loopback"):
        run(bench, ("true",), *doors)
