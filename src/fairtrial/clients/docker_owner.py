"""Whose the things in an engine are, and whether their owner still lives."""

from __future__ import annotations

import os
import re
import socket
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from fairtrial.clients.docker import DockerEngine
from fairtrial.clients.docker_errors import Gone

#: Every thing that a run makes carries this label.
RUN: Final = "fairtrial.run"
_PID: Final = "fairtrial.pid"
_HOST: Final = "fairtrial.host"
_CONTAINER: Final = "fairtrial.container"
_BEGUN: Final = "fairtrial.begun"

#: Seconds after which a thing whose owner can't be looked at counts as left behind.
_FORGOTTEN: Final = 24 * 3600

#: Docker mounts its own copy of these files into each container, from a folder that
#: is named after the container.
_OWN_FOLDER: Final = re.compile(
    r"/containers/([0-9a-f]{64})/(?:hostname|hosts|resolv\.conf)\s"
)


def new_run() -> str:
    """A name for one run that no other run has."""
    return uuid.uuid4().hex[:12]


def now() -> int:
    """Seconds since the epoch."""
    return int(time.time())


def labels_of(run: str, engine: DockerEngine) -> dict[str, str]:
    """The labels that say that something belongs to this process and run."""
    return {
        RUN: run,
        _PID: f"{os.getpid()}:{_started(os.getpid())}",
        _HOST: _here(),
        _CONTAINER: own_container(engine) or "",
        _BEGUN: str(now()),
    }


def own_container(engine: DockerEngine) -> str | None:
    """The container that this process runs in, if this engine runs it.

    The host's name can be chosen and process ids mean nothing across containers, so
    it is read from what is mounted, and the engine is asked whether it knows it.
    """
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    except OSError:
        return None
    for name in dict.fromkeys(_OWN_FOLDER.findall(mounts)):
        with suppress(Gone):
            if engine.state(name).running:
                return str(name)
    return None


def own_image(engine: DockerEngine) -> str | None:
    """The image that this process runs in: the gate's own, inside the action."""
    container = own_container(engine)
    return engine.state(container).image if container else None


def is_abandoned(labels: Mapping[str, str], engine: DockerEngine) -> bool:
    """Whether the process that made this is surely gone.

    By its container, as the engine tells; else by process id and start time, on the
    same boot and in the same process namespace; else by age alone.
    """
    container = labels.get(_CONTAINER)
    if container:
        try:
            return not engine.state(container).running
        except Gone:
            return True
    host, _, kernel = labels.get(_HOST, "").partition("/")
    own_host, _, own_kernel = _here().partition("/")
    if host == own_host and kernel == own_kernel:
        pid, _, started = labels.get(_PID, "").partition(":")
        return not pid.isdigit() or _started(int(pid)) != started
    if host == own_host and _boot(kernel) != _boot(own_kernel):
        return True
    begun = labels.get(_BEGUN, "")
    return not begun.isdigit() or now() - int(begun) > _FORGOTTEN


def _here() -> str:
    """Host, boot and process namespace: "name/boot/namespace"."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        boot, space = "", ""
    return f"{socket.gethostname()}/{boot.strip()}/{space}"


def _boot(kernel: str) -> str:
    return kernel.partition("/")[0]


def _started(pid: int) -> str:
    """When a process started, in clock ticks since the boot; "" when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name of the program stands in brackets and may hold anything.
    fields = text.rpartition(")")[2].split()
    state, started = fields[0], fields[19]
    return "" if state == "Z" else started
