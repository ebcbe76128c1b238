"""The engine's answers, and whose fault it is when there is none."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.clients.docker import DockerEngine, Kind, _between, _tail
from fairtrial.clients.docker_errors import Gone
from fairtrial.domain.errors import BenchUnavailable, ServiceError


def test_a_missing_socket_says_that_none_is_installed(tmp_path: Path) -> None:
    with pytest.raises(BenchUnavailable) as caught:
        DockerEngine.connect({"DOCKER_HOST": f"unix://{tmp_path}/none.sock"})

    said = caught.value.diagnostics()
    assert f"{tmp_path}/none.sock: No such file or directory" in said
    assert "No engine is installed" in said
    assert "DOCKER_HOST" in said


def test_a_socket_without_a_listener_says_so(tmp_path: Path) -> None:
    path = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    with pytest.raises(BenchUnavailable, match="Connection refused") as caught:
        DockerEngine.connect({"DOCKER_HOST": f"unix://{path}"})

    assert "no engine listens" in caught.value.means


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_socket_of_others_says_who_may_use_it(tmp_path: Path) -> None:
    path = Path("/tmp") / f"fairtrial-test-{os.getpid()}.sock"
    source = """
import os, sys
from fairtrial.clients import docker
from fairtrial.domain.errors import BenchUnavailable
os.setgid(65534); os.setuid(65534)
try:
    docker.DockerEngine.connect({"DOCKER_HOST": "unix://" + sys.argv[1]})
except BenchUnavailable as error:
    print(error.diagnostics())
"""
    try:
        with socket.socket(socket.AF_UNIX) as engine:
            engine.bind(str(path))
            path.chmod(0o600)
            done = subprocess.run(
                [sys.executable, "-c", source, path],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
    finally:
        path.unlink()

    assert "Permission denied" in done.stdout, done.stderr
    assert "this user may not talk to it" in done.stdout
    assert "group that owns the socket" in done.stdout


def test_a_rootless_engine_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "docker.sock").touch()

    with pytest.raises(BenchUnavailable) as caught:
        DockerEngine.connect(
            {
                "DOCKER_HOST": f"unix://{tmp_path}/none.sock",
                "XDG_RUNTIME_DIR": str(tmp_path),
            }
        )

    assert f"DOCKER_HOST=unix://{tmp_path}/docker.sock" in caught.value.remedy


def test_an_engine_far_away_that_does_not_answer_is_named() -> None:
    with pytest.raises(BenchUnavailable, match=r"tcp://127\.0\.0\.1:9"):
        DockerEngine.connect({"DOCKER_HOST": "tcp://127.0.0.1:9"})


@pytest.mark.parametrize(
    ("chunks", "kept"),
    [
        ([], b""),
        ([b"abc"], b"abc"),
        ([b"ab", b"cd", b"ef"], b"bcdef"),
        ([b"abcdefgh"], b"defgh"),
        ([b"a"] * 9, b"aaaaa"),
    ],
)
def test_the_tail_is_the_last_bytes(chunks: list[bytes], kept: bytes) -> None:
    assert kept == _tail(chunks, 5)


def test_times_of_the_engine_are_subtracted() -> None:
    assert 1.5 == _between(
        "2026-11-30T13:37:25.123456789Z", "2026-11-30T13:37:26.623456999Z"
    )
    assert 2.0 == _between("2026-11-30T13:37:25Z", "2026-11-30T13:37:27Z")
    assert 0.0 == _between("2026-11-30T13:37:25Z", "0001-01-01T00:00:00Z")
    assert 0.0 == _between("", "never")


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    client = DockerEngine.connect()
    yield client
    client.close()


@pytest.mark.engine
def test_the_engine_describes_itself(engine: DockerEngine) -> None:
    facts = engine.facts()

    assert "linux" == facts.system
    assert facts.cpus > 0
    assert facts.memory > 2**28
    assert facts.version[0].isdigit()


@pytest.mark.engine
def test_what_is_not_there_is_no_error_to_look_for_or_to_remove(
    engine: DockerEngine,
) -> None:
    for kind in Kind:
        engine.remove(kind, "fairtrial-test-none")

    assert engine.image("fairtrial-test-none:1") is None
    with pytest.raises(Gone, match="No such container"):
        engine.state("fairtrial-test-none")


@pytest.mark.engine
def test_an_image_that_no_registry_gives_is_a_failed_service(
    engine: DockerEngine,
) -> None:
    with pytest.raises(ServiceError, match="could not pull"):
        engine.pull("127.0.0.1:9/fairtrial-test-none:1")
