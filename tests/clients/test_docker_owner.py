"""Whose a thing is: alive or dead, told without guessing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest

from fairtrial.clients import docker_owner
from fairtrial.clients.docker import ContainerState, DockerEngine
from fairtrial.clients.docker_errors import Gone
from fairtrial.clients.docker_owner import is_abandoned, labels_of, new_run, now


class Engine:
    """Knows one container, that runs or not."""

    def __init__(self, *, known: str = "", running: bool = False) -> None:
        self.known = known
        self.running = running

    def state(self, container: str) -> ContainerState:
        if container != self.known:
            raise Gone("No such container")
        return ContainerState(
            running=self.running, code=0, out_of_memory=False, image="i", seconds=0
        )


def engine(**options: Any) -> DockerEngine:
    return cast("DockerEngine", Engine(**options))


def test_a_process_that_lives_keeps_its_things() -> None:
    assert not is_abandoned(labels_of("r", engine()), engine())


def test_a_process_that_ended_keeps_nothing() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()

    labels = {**labels_of("r", engine()), "fairtrial.pid": f"{gone.pid}:1"}

    assert is_abandoned(labels, engine())


def test_a_number_that_was_used_again_is_another_process() -> None:
    labels = {**labels_of("r", engine()), "fairtrial.pid": f"{os.getpid()}:1"}

    assert is_abandoned(labels, engine())


def test_a_container_is_asked_for_at_the_engine() -> None:
    labels = {**labels_of("r", engine()), "fairtrial.container": "c1"}

    assert not is_abandoned(labels, engine(known="c1", running=True))
    assert is_abandoned(labels, engine(known="c1", running=False))
    assert is_abandoned(labels, engine())


def test_what_came_before_the_last_boot_is_dead() -> None:
    labels = labels_of("r", engine())
    host, _, space = labels["fairtrial.host"].split("/")

    assert is_abandoned({**labels, "fairtrial.host": f"{host}/x/{space}"}, engine())


@pytest.mark.parametrize("hours", [1, 25])
def test_on_another_machine_only_age_tells(hours: int) -> None:
    labels = {
        **labels_of("r", engine()),
        "fairtrial.host": "elsewhere/x/y",
        "fairtrial.begun": str(now() - hours * 3600),
    }

    assert (hours > 24) == is_abandoned(labels, engine())


def test_things_without_a_name_of_their_maker_are_old() -> None:
    assert is_abandoned({"fairtrial.run": "r"}, engine())


def test_runs_have_different_names() -> None:
    assert 100 == len({new_run() for _ in range(100)})


def test_outside_of_a_container_there_is_no_own_image() -> None:
    if docker_owner.own_container(engine(known="x")) is None:
        assert docker_owner.own_image(engine(known="x")) is None


def test_the_own_container_is_read_from_what_docker_mounts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "0123456789abcdef" * 4
    line = (
        "711 690 254:0 /var/lib/docker/containers/NAME/hostname /etc/hostname "
        "rw,relatime - ext4 /dev/vda rw\n"
    ).replace("NAME", name)
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: line)

    assert name == docker_owner.own_container(engine(known=name, running=True))
    assert "i" == docker_owner.own_image(engine(known=name, running=True))
    assert docker_owner.own_container(engine(known="other", running=True)) is None
