"""Containers beside the trials: started, talked to, and gone without a trace."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from fairtrial.benches.image import archives
from fairtrial.benches.image.companions import SOCKET, Companion, Companions
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.errors import BenchFailed

pytestmark = pytest.mark.engine

#: Greets, and then says everything back.
SERVER = """
import socket, sys, threading
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(50)
def serve(connection):
    connection.sendall(b"hello")
    while True:
        data = connection.recv(1 << 18)
        if not data:
            break
        connection.sendall(data)
    connection.close()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],)).start()
"""


@pytest.fixture(scope="module")
def companions(engine: DockerEngine, base_image: str) -> Iterator[Companions]:
    some = Companions(engine=engine, image=base_image)
    yield some
    some.close()
    assert () == engine.labelled(f"{RUN}={some.run}")


@pytest.fixture(scope="module")
def echo(companions: Companions) -> Companion:
    return start_echo(companions)


def start_echo(companions: Companions) -> Companion:
    sockets = companions.sockets()
    path = str(sockets / "echo")
    one = companions.start("echo", ("python3", "-c", SERVER, path), sockets=sockets)
    waited = one.do("sh", "-c", f"until test -S {path}; do sleep 0.05; done")
    assert 0 == waited.code
    return one


def read(near: socket.socket, size: int) -> bytes:
    got = bytearray()
    while len(got) < size and (data := near.recv(1 << 18)):
        got += data
    return bytes(got)


def test_a_server_that_speaks_first_is_heard_whole(echo: Companion) -> None:
    for _ in range(10):
        with echo.dial(echo.sockets / "echo") as near:
            assert b"hello" == read(near, 5)


def test_many_bytes_go_both_ways_and_arrive_as_they_were(echo: Companion) -> None:
    data = random.Random(1).randbytes(16 << 20)
    with echo.dial(echo.sockets / "echo") as near:
        read(near, 5)
        sending = threading.Thread(target=near.sendall, args=(data,))
        sending.start()
        came = read(near, len(data))
        sending.join()
        near.shutdown(socket.SHUT_WR)

        assert (len(data), True, b"") == (len(came), data == came, near.recv(1))


def test_connections_that_were_closed_end_inside_as_well(echo: Companion) -> None:
    def until(open_: int) -> int:
        # The kernel puts a zero where the shell had a space.
        count = "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o 'porter[.]py stdio'"
        ready = f"until test $({count} | wc -l) -eq {open_}; do sleep 0.05; done"
        return echo.do("timeout", "10", "sh", "-c", ready).code

    before = len(threading.enumerate())
    many = [echo.dial(echo.sockets / "echo") for _ in range(5)]
    opened = until(5)
    for near in many:
        near.close()

    assert (0, 0, before) == (opened, until(0), len(threading.enumerate()))


def test_a_socket_where_nothing_listens_says_so(echo: Companion) -> None:
    with pytest.raises(BenchFailed, match="none can't be reached: No such file"):
        echo.dial(echo.sockets / "none")


def test_files_are_there_before_it_starts(companions: Companions) -> None:
    place = PurePosixPath("/fairtrial/said")
    one = companions.start(
        "reader",
        ("sh", "-c", f"cat {place}; exec sleep 60"),
        files=archives.file(place, b"put in\n", owner=0, mode=0o444, time=0),
    )

    assert 0 == one.do("sh", "-c", "id -u | grep -qx 65533").code
    for _ in range(50):
        if one.printed():
            break
        threading.Event().wait(0.1)
    assert "put in" == one.printed()


def test_it_has_no_network(echo: Companion) -> None:
    done = echo.do("sh", "-c", "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")

    assert b"lo\n" == done.output


def test_one_that_ends_says_how(companions: Companions, engine: DockerEngine) -> None:
    sockets = companions.sockets()
    argv = ("sh", "-c", "sleep 1; echo disk full; exit 3")
    one = companions.start("the broker", argv, sockets=sockets)
    well = one.lost()
    engine.wait(one.container, 20)

    assert ("", "the broker ended with 3: disk full") == (well, one.lost())


def test_one_that_was_removed_is_gone(companions: Companions) -> None:
    one = companions.start("short", ("sleep", "60"))
    one.stop()
    one.stop()

    assert one.lost().startswith("short is gone: ")
    with pytest.raises(BenchFailed):
        one.dial(one.sockets / "echo")


def test_what_can_not_be_started_is_told(
    companions: Companions, engine: DockerEngine
) -> None:
    with pytest.raises(BenchFailed, match="nothing can't be started"):
        companions.start("nothing", ("/no/such/program",))
    other = Companions(engine=engine, image="fairtrial-no-such-image")
    with pytest.raises(BenchFailed, match="nothing can't be started"):
        other.start("nothing", ("true",))
    other.close()

    assert () == engine.labelled(f"{RUN}={other.run}")


def test_when_closed_none_is_started_any_more(
    engine: DockerEngine, base_image: str
) -> None:
    some = Companions(engine=engine, image=base_image)
    some.start("one", ("sleep", "60"))
    before = engine.labelled(f"{RUN}={some.run}")
    some.close()
    some.close()

    assert (2, ()) == (len(before), engine.labelled(f"{RUN}={some.run}"))
    with pytest.raises(BenchFailed, match="closed"):
        some.start("one", ("sleep", "60"))


def test_a_porter_reaches_what_a_container_reaches_whose_network_it_has(
    companions: Companions,
) -> None:
    code = (
        "import socket\n"
        "listener = socket.create_server(('127.0.0.1', 7000))\n"
        "while True: listener.accept()[0].sendall(b'inside')"
    )
    one = companions.start("inside", ("python3", "-c", code))
    way = companions.porter("localhost:7000", f"container:{one.container}")
    with way.dial(way.sockets / SOCKET) as near:
        assert b"inside" == read(near, 6)
