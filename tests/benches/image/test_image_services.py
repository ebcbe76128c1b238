"""A service that the gate reaches is reached by trials that have no network."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from fairtrial.benches.services import open_services
from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_owner import RUN
from fairtrial.domain.errors import SurroundingsLost
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Setup

from .conftest import MakeBench, RunShell

pytestmark = pytest.mark.engine

ASK = (
    "import socket; near = socket.create_connection(('127.0.0.1', 9092), 20); "
    "print(near.recv(100).decode())"
)


@pytest.fixture
def broker() -> Iterator[socket.socket]:
    """Says who it is to whoever connects, until it is closed."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,)).start()
        yield listener
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def serve(listener: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"broker")


def test_a_service_is_waited_for_reached_and_told_when_it_is_gone(
    make_bench: MakeBench,
    engine: DockerEngine,
    run_shell: RunShell,
    broker: socket.socket,
) -> None:
    bench = make_bench()
    bench.freeze(Revision.BASE, {}, Setup())
    settings = ServiceSettings(
        name="broker",
        host="localhost",
        port=broker.getsockname()[1],
        at=9092,
        health=f'python3 -c "{ASK}" | grep -q broker',
        within=0,
    )
    services = open_services([settings], bench, Revision.BASE)
    try:
        services.wait()
        line = f'python3 -c "{ASK}"'
        output = run_shell(bench, line, doors=services.doors)
        well = services.lost()
        broker.shutdown(socket.SHUT_RDWR)
        broker.close()
        gone = services.lost()
        with pytest.raises(SurroundingsLost, match="Connection refused"):
            services.wait()
    finally:
        services.close()
        bench.close()

    assert (b"broker\n", "") == (output.stdout, well)
    assert "service broker is gone: Connection refused" == gone
    assert services.lost().startswith("service broker is gone: ")
    assert () == engine.labelled(f"{RUN}={bench._porters.companions.run}")
