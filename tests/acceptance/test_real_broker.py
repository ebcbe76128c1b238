"""A real Kafka and a real client, through the gate: there, absent, and killed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from tests.acceptance.public_projects import (
    Judged,
    arguments,
    change,
    gate,
    judged,
    repository,
)

from fairtrial.benches.ports import free_port

pytestmark = pytest.mark.slow

VERSION: Final = "4.1.1"
POM = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>fairtrial</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>{VERSION}</version>
    </dependency>
  </dependencies>
</project>
"""
#: Where the broker sends its clients: what trials know it by.
ADVERTISED = "127.0.0.1:9092"
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://{advertised}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={folder}/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
"""

BUS = """\
\"\"\"Orders, told to everybody who listens.\"\"\"

import json

from kafka import KafkaConsumer, KafkaProducer

SERVERS = "PLACE"


def tell(topic, order):
    producer = KafkaProducer(
        bootstrap_servers=SERVERS, api_version=(2, 5, 0), max_block_ms=WAIT
    )
    try:
        producer.send(topic, json.dumps(order).encode()).get(timeout=WAIT / 1000)
    finally:
        producer.close(timeout=1)


def told(topic):
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=SERVERS,
        api_version=(2, 5, 0),
        auto_offset_reset="earliest",
        consumer_timeout_ms=20_000,
    )
    try:
        return json.loads(next(consumer).value)
    finally:
        consumer.close()
"""
TESTS = """\
import uuid

import bus
import pytest


def test_nothing():
    assert bus.SERVERS


@pytest.mark.parametrize("number", range(COUNT))
def test_an_order_is_told(number):
    topic = f"orders-{uuid.uuid4().hex}"
    bus.tell(topic, {"number": number})
    assert {"number": number} == bus.told(topic)
"""
SUITE = """\
version: 1
suites:
  unit:
    runner: pytest
    prepare: [pip install pytest kafka-python==2.2.15]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """A broker that runs on this machine."""

    process: subprocess.Popen[bytes]
    port: int
    data: Path

    def topics(self) -> int:
        """How many topics of tests it holds."""
        return sum(1 for one in self.data.iterdir() if one.name.startswith("orders-"))


@pytest.fixture(scope="module")
def jars(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The class path of a broker, as Maven brings it."""
    if shutil.which("mvn") is None or shutil.which("java") is None:
        pytest.skip("a broker needs mvn and java")
    folder = tmp_path_factory.mktemp("jars")
    (folder / "pom.xml").write_text(POM)
    done = subprocess.run(
        ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    if done.returncode != 0:
        pytest.skip(f"no broker can be had here: {done.stdout[-300:]}")
    return f"{folder}/lib/*"


@pytest.fixture
def broker(jars: str, tmp_path: Path) -> Iterator[Broker]:
    port, controller = free_port(), free_port()
    properties = tmp_path / "server.properties"
    properties.write_text(
        PROPERTIES.format(
            port=port, controller=controller, folder=tmp_path, advertised=ADVERTISED
        )
    )
    java = ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", jars]
    storage = [
        *java,
        "kafka.tools.StorageTool",
        "format",
        "-t",
        "FairtrialFairtrial0Aa",
    ]
    subprocess.run(
        [*storage, "-c", str(properties)], check=True, capture_output=True, timeout=120
    )
    log = tmp_path / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*java, "kafka.Kafka", str(properties)], stdout=stream, stderr=stream
        )
    try:
        deadline = time.monotonic() + 120
        while not listens(port):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield Broker(process=process, port=port, data=tmp_path / "data")
    finally:
        process.kill()
        process.wait()


def listens(port: int) -> bool:
    """Whether something accepts connections there."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def project(
    folder: Path, *, place: str = ADVERTISED, service: str = "", count: int, wait: int
) -> Path:
    """A bus of orders whose tests send and listen; its change is a word."""
    folder.mkdir()
    services = f"    services: {{kafka: {service}}}\n" if service else ""
    files = {
        "bus.py": BUS.replace("PLACE", place).replace("WAIT", str(wait)),
        "tests/test_bus.py": TESTS.replace("COUNT", str(count)),
        "conftest.py": "",
        ".fairtrial.yml": SUITE + services,
    }
    repository(folder, files)
    change(folder, "change", {"bus.py": "# A word.\n"})
    return folder


def rules(said: Judged) -> list[str]:
    return [one["rule"] for one in said.report["findings"]]


def test_orders_go_through_a_real_broker_by_its_door(
    broker: Broker, tmp_path: Path
) -> None:
    service = f'{{at: "127.0.0.1:{broker.port}", port: 9092}}'
    bus = project(tmp_path / "bus", service=service, count=3, wait=20_000)

    said = gate(bus, "change", tmp_path / "report")

    assert 0 == said.code, said.story
    assert [4] == [one["passed"] for one in said.report["suites"]], said.story
    assert 3 <= broker.topics()


def test_a_broker_that_is_killed_meanwhile_is_no_verdict(
    broker: Broker, tmp_path: Path
) -> None:
    service = f'{{at: "127.0.0.1:{broker.port}", port: 9092}}'
    bus = project(tmp_path / "bus", service=service, count=15, wait=2_000)
    printed = tmp_path / "printed"
    with printed.open("wb") as stream:
        running = subprocess.Popen(
            arguments(bus, "change", tmp_path / "report"),
            stdout=stream,
            stderr=stream,
            env=os.environ | {"NO_COLOR": "1"},
        )
        try:
            deadline = time.monotonic() + 240
            while broker.topics() < 3:
                assert running.poll() is None, printed.read_text()
                assert time.monotonic() < deadline, printed.read_text()
                time.sleep(0.02)
            broker.process.kill()
            code = running.wait(timeout=400)
        finally:
            running.kill()
    said = judged(code, tmp_path / "report", printed.read_text())

    assert 11 == said.code, said.story
    assert [] == said.report["verdicts"], said.story
    assert ["environment"] == [one["state"] for one in said.report["suites"]]
    assert "surroundings-lost" in rules(said), said.story
    assert "Connection refused" in said.printed, said.story


def test_a_declared_broker_that_is_down_is_no_verdict(tmp_path: Path) -> None:
    service = f'{{at: "127.0.0.1:{free_port()}", port: 9092, within: 2}}'
    bus = project(tmp_path / "bus", service=service, count=1, wait=2_000)

    said = gate(bus, "change", tmp_path / "report")

    assert 11 == said.code, said.story
    assert [] == said.report["verdicts"], said.story
    assert "surroundings-lost" in rules(said), said.story
    assert "service kafka is not well" in said.printed


def test_a_producer_without_a_broker_is_told_with_its_wait(tmp_path: Path) -> None:
    bus = project(tmp_path / "bus", place="kafka:9092", count=1, wait=3_000)

    said = gate(bus, "change", tmp_path / "report")

    verdict = said.verdict("tests/test_bus.py::test_an_order_is_told[0]")
    assert "pre-existing" == verdict["category"], said.story
    (waited,) = verdict["waited"]
    assert "KafkaProducer.send" == waited["call"], said.story
    assert 2.5 < waited["seconds"] < 30
    assert ["kafka:9092"] == verdict["reached"], said.story
    assert "tried to reach kafka:9092" in said.printed
