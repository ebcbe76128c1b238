"""Services on real sockets: waited for, reached, and told when they are gone."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fairtrial.benches.here.ways import find_ways
from fairtrial.benches.ports import free_port
from fairtrial.benches.services import Services, open_services
from fairtrial.domain.errors import BenchFailed, SurroundingsLost
from fairtrial.domain.names import TrialId
from fairtrial.domain.settings import ServiceSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, TrialOutput, TrialSpec

from .conftest import Place

ASK = (
    "import socket; "
    "near = socket.create_connection(('127.0.0.1', {at}), 20); "
    "print(near.recv(100).decode())"
)


class Broker:
    """Says who it is to whoever connects, from `begin` to `end`."""

    def __init__(self) -> None:
        self.port = free_port()
        self._listener: socket.socket | None = None

    def begin(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._serve, args=(self._listener,)).start()

    def end(self) -> None:
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(b"broker")


@pytest.fixture
def broker() -> Iterator[Broker]:
    one = Broker()
    yield one
    one.end()


def settings(broker: Broker, *, at: int = 9092, within: float = 0) -> ServiceSettings:
    return ServiceSettings(
        name="broker", host="localhost", port=broker.port, at=at, within=within
    )


def ask(services: Services, at: int) -> TrialOutput:
    return services.bench.run(
        TrialSpec(
            trial=TrialId("t1"),
            frozen=Revision.BASE,
            delta=Delta(),
            argv=("python3", "-c", ASK.format(at=at)),
            timeout=30,
            doors=services.doors,
        )
    )


@pytest.mark.parametrize(
    "ground", ["whole", pytest.param("bare", marks=pytest.mark.slow)]
)
def test_a_service_is_reached_at_its_port_with_and_without_a_loopback_of_its_own(
    place: Place, ground: str, broker: Broker
) -> None:
    broker.begin()
    bench = place.bench(ground)
    at = 9092 if bench.own_loopback else free_port()
    services = open_services([settings(broker, at=at)], bench, Revision.BASE)
    try:
        services.wait()
        output = ask(services, at)
        lost = services.lost()
    finally:
        services.close()
        services.close()

    assert ("broker\n", "") == (output.stdout.decode(), lost)


def test_a_service_that_is_already_at_its_port_needs_no_way(broker: Broker) -> None:
    broker.begin()
    there = settings(broker, at=broker.port)
    ways = find_ways([there], own_loopback=False)
    silent = ways.silent(there)
    ways.close()

    assert (None, (), "") == (ways.relay, ways.doors, silent)


def test_a_port_that_something_has_is_told_before_any_test(broker: Broker) -> None:
    broker.begin()
    with pytest.raises(BenchFailed, match=f"port {broker.port} of the loopback"):
        find_ways([settings(Broker(), at=broker.port)], own_loopback=False)


def test_a_service_is_waited_for(place: Place, broker: Broker) -> None:
    services = open_services([settings(broker, within=20)], place.bench())
    late = threading.Timer(0.6, broker.begin)
    late.start()
    begun = time.monotonic()
    services.wait()
    late.join()

    assert 0.5 < time.monotonic() - begun < 10


def test_a_service_that_does_not_come_is_one_clear_message(
    place: Place, broker: Broker
) -> None:
    services = open_services([settings(broker, within=0.3)], place.bench())
    with pytest.raises(SurroundingsLost) as lost:
        services.wait()

    assert lost.value.diagnostics().splitlines() == [
        f"service broker is not well at localhost:{broker.port}: Connection refused",
        (
            "It was waited for 0.3 seconds before the first test; nothing was tried "
            "without it."
        ),
        "Start it before this step, or correct `services:` in the configuration.",
    ]


def test_the_health_line_is_asked_on_the_bench_through_the_door(
    place: Place, broker: Broker
) -> None:
    broker.begin()
    health = f'python3 -c "{ASK.format(at=9092)}" | grep -q broker'
    well = replace(settings(broker), health=health)
    ill = replace(well, health="echo no leader; exit 3")
    bench = place.bench()
    open_services([well], bench, Revision.BASE).wait()
    with pytest.raises(SurroundingsLost, match="ended with 3 and said: no leader"):
        open_services([ill], bench, Revision.BASE).wait()


def test_a_service_that_goes_away_is_told_and_is_no_failure_of_a_test(
    place: Place, broker: Broker
) -> None:
    broker.begin()
    services = open_services([settings(broker)], place.bench(), Revision.BASE)
    services.wait()
    well = services.lost()
    broker.end()

    assert ("", "service broker is gone: Connection refused") == (well, services.lost())
    with pytest.raises(SurroundingsLost, match="Connection refused"):
        ask(services, 9092)


def test_without_services_there_is_nothing_to_wait_for(place: Place) -> None:
    services = open_services([], place.bench())
    services.wait()
    services.close()

    assert ((), "") == (services.doors, services.lost())
