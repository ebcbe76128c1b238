"""The relay on real sockets: each byte both ways, and each kind of end."""

from __future__ import annotations

import contextlib
import hashlib
import random
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairtrial import injected
from fairtrial.benches.ports import free_port
from fairtrial.clients.held import Held
from fairtrial.domain.errors import ServiceError

PORTER = str(Path(injected.__path__[0], "fairtrial_porter.py"))
#: Seconds after which a test has failed and does not hang.
PATIENCE = 20
Serve = Callable[[socket.socket], None]


class Relayed:
    """A server on a Unix socket, and a relay from a port of the loopback to it."""

    def __init__(self, folder: Path, serve: Serve) -> None:
        self.path = folder / "server"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(100)
        self.serve = serve
        threading.Thread(target=self._accept, daemon=True).start()
        self.port = free_port()
        self.held = Held(
            [sys.executable, "-I", "-S", PORTER, "ports", str(self.port), self.place]
        )

    @property
    def place(self) -> str:
        return str(self.path)

    @property
    def descriptors(self) -> int:
        pid = self.held._process.pid
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def close(self) -> None:
        self.listener.close()
        self.held.end()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            self.serve(connection)


Make = Callable[[Serve], Relayed]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Relayed] = []

    def one(serve: Serve) -> Relayed:
        made.append(Relayed(tmp_path, serve))
        return made[-1]

    yield one
    for each in made:
        each.close()


def echo(connection: socket.socket) -> None:
    while data := connection.recv(1 << 18):
        connection.sendall(data)


def read_all(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 18), b""))


def settled(count: Callable[[], int], expected: int) -> int:
    """What is counted, when it is what is expected or after two seconds."""
    deadline = time.monotonic() + 2
    while count() != expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return count()


def test_many_bytes_go_both_ways_at_once_and_arrive_as_they_were(make: Make) -> None:
    relayed = make(echo)
    data = random.Random(1).randbytes(32 << 20)
    with relayed.connect() as near:

        def send() -> None:
            near.sendall(data)
            near.shutdown(socket.SHUT_WR)

        threading.Thread(target=send).start()
        came = read_all(near)

    assert (len(data), hashlib.sha256(data).digest()) == (
        len(came),
        hashlib.sha256(came).digest(),
    )


def test_who_has_said_all_still_hears_the_answer(make: Make) -> None:
    def answer(connection: socket.socket) -> None:
        asked = read_all(connection)
        connection.sendall(b"asked: " + asked)

    with make(answer).connect() as near:
        near.sendall(b"all of it")
        near.shutdown(socket.SHUT_WR)

        assert b"asked: all of it" == read_all(near)


def test_a_server_that_speaks_first_and_hangs_up_is_heard(make: Make) -> None:
    def refuse(connection: socket.socket) -> None:
        connection.sendall(b"FATAL: too many connections")

    with make(refuse).connect() as near:
        assert b"FATAL: too many connections" == read_all(near)


def test_what_a_server_said_last_is_heard_by_who_is_still_sending(make: Make) -> None:
    def refuse(connection: socket.socket) -> None:
        connection.recv(1)
        connection.sendall(b"FATAL: no")

    with make(refuse).connect() as near:
        with contextlib.suppress(OSError):
            for _ in range(200):
                near.sendall(b"x" * 10_000)

        assert near.recv(100) == b"FATAL: no"


def test_a_server_is_told_when_a_client_goes_away_in_its_answer(make: Make) -> None:
    ended = threading.Event()

    def pour(connection: socket.socket) -> None:
        try:
            while True:
                connection.sendall(b"x" * 100_000)
        except OSError:
            ended.set()

    near = make(pour).connect()
    near.recv(1000)
    near.close()

    assert ended.wait(PATIENCE)


def test_a_reset_of_the_client_ends_the_servers_side(make: Make) -> None:
    heard: list[bytes] = []
    ended = threading.Event()

    def listen(connection: socket.socket) -> None:
        try:
            heard.append(read_all(connection))
        finally:
            ended.set()

    near = make(listen).connect()
    near.sendall(b"half of it")
    time.sleep(0.1)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    near.close()

    assert ended.wait(PATIENCE)


def test_what_the_server_does_not_take_is_not_read_from_the_client(make: Make) -> None:
    go_on = threading.Event()
    counted: list[int] = []

    def wait(connection: socket.socket) -> None:
        go_on.wait(PATIENCE)
        counted.append(len(read_all(connection)))
        connection.sendall(b"done")

    near = make(wait).connect()
    near.setblocking(False)
    sent = 0
    # As long as it takes any: the kernel's buffers and one piece of the relay's.
    while select.select([], [near], [], 0.3)[1]:
        sent += near.send(b"x" * 65536)
    held_back = sent
    go_on.set()
    near.settimeout(PATIENCE)
    near.shutdown(socket.SHUT_WR)

    assert held_back < 32 << 20
    assert (b"done", [sent]) == (read_all(near), counted)
    near.close()


def test_a_connection_that_is_stuck_holds_up_no_other(make: Make) -> None:
    def serve(connection: socket.socket) -> None:
        if connection.recv(4) == b"stay":
            time.sleep(PATIENCE)
        connection.sendall(b"here")

    relayed = make(serve)
    stuck = relayed.connect()
    stuck.sendall(b"stay")
    stuck.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            stuck.send(b"x" * 65536)
    begun = time.monotonic()
    with relayed.connect() as near:
        near.sendall(b"go")
        answer = near.recv(10)

    assert b"here" == answer
    assert time.monotonic() - begun < 1
    stuck.close()


def test_thousands_of_short_connections_leave_nothing_open(make: Make) -> None:
    relayed = make(echo)
    before = relayed.descriptors
    answers = 0
    for number in range(2000):
        with relayed.connect() as near:
            near.sendall(b"%d" % number)
            answers += near.recv(10) == b"%d" % number

    assert 2000 == answers
    assert before == settled(lambda: relayed.descriptors, before)


def test_hundreds_of_connections_stand_side_by_side(make: Make) -> None:
    relayed = make(echo)
    before = relayed.descriptors
    with contextlib.ExitStack() as opened:
        ends = [opened.enter_context(relayed.connect()) for _ in range(400)]
        for number, near in enumerate(ends):
            near.sendall(b"%d" % number)
        answers = [near.recv(10) for near in ends]

    assert [b"%d" % number for number in range(400)] == answers
    assert before == settled(lambda: relayed.descriptors, before)


def test_a_place_where_nothing_listens_ends_the_connection_at_once(make: Make) -> None:
    relayed = make(echo)
    relayed.listener.close()
    relayed.path.unlink()
    begun = time.monotonic()
    # The end may come before the connection is told to stand.
    with pytest.raises(ConnectionResetError), relayed.connect() as near:
        near.recv(1)

    assert time.monotonic() - begun < 1


def test_a_server_whose_queue_is_full_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "busy"
    port = free_port()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(0)
        held = Held([sys.executable, "-I", "-S", PORTER, "ports", str(port), str(path)])
        near = [
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            for _ in range(5)
        ]
        time.sleep(0.1)
        for _ in near:
            accepted, _ = listener.accept()
            with accepted:
                accepted.sendall(b"late")
        answers = [each.recv(4) for each in near]
    for each in near:
        each.close()
    held.end()

    assert [b"late"] * 5 == answers


def test_a_host_is_found_by_its_name(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        there = f"localhost:{listener.getsockname()[1]}"
        held = Held([sys.executable, "-I", "-S", PORTER, "ports", str(port), there])
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as near:
            accepted, _ = listener.accept()
            with accepted:
                accepted.sendall(b"found")

            assert b"found" == near.recv(10)
    held.end()


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        argv = [sys.executable, "-I", "-S", PORTER, "ports", str(port), "/nowhere"]

        with pytest.raises(ServiceError, match=f"port {port} of the loopback"):
            Held(argv)


def test_a_relay_ends_with_whoever_started_it() -> None:
    port = free_port()
    relay = subprocess.Popen(
        [sys.executable, "-I", "-S", PORTER, "ports", str(port), "/nowhere"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert relay.stdin is not None
    assert relay.stdout is not None
    assert b"+" == relay.stdout.read(1)
    relay.stdin.close()

    assert 0 == relay.wait(PATIENCE)
    relay.stdout.close()
