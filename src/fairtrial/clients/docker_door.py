"""Which Docker engine answers, and if none does, why."""

from __future__ import annotations

import errno
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import docker
import docker.utils
import requests
from docker.errors import DockerException

from fairtrial.domain.errors import BenchUnavailable

_DEFAULT_ADDRESS: Final = "unix:///var/run/docker.sock"

#: Seconds for one answer; committing a large tree takes a while.
_PATIENCE: Final = 600

_START: Final = (
    "Start the engine, or point DOCKER_HOST at one; `--bench here` does without."
)


def open_door(environ: Mapping[str, str]) -> docker.APIClient:
    """A connection to the engine that DOCKER_HOST names, or to the local one.

    Raises BenchUnavailable, with the true cause, when none answers.
    """
    address = environ.get("DOCKER_HOST") or _DEFAULT_ADDRESS
    _knock(address, environ)
    try:
        settings: dict[str, Any] = {"base_url": address}
        settings.update(docker.utils.kwargs_from_env(environment=dict(environ)))
        return docker.APIClient(
            **settings,
            version="auto",
            timeout=_PATIENCE,
            max_pool_size=32,
        )
    except (DockerException, requests.RequestException, OSError) as error:
        raise BenchUnavailable(
            f"no Docker engine answers at {address}: {error}",
            means="The engine is not running, or it is not reachable from here.",
            remedy=_START,
        ) from error


def _knock(address: str, environ: Mapping[str, str]) -> None:
    """Raises BenchUnavailable with the true cause when a local socket is shut."""
    if not address.startswith("unix://"):
        return
    path = "/" + address.removeprefix("unix://").lstrip("/")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.settimeout(5)
            door.connect(path)
    except OSError as error:
        means, remedy = _explain(error)
        rootless = Path(environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "docker.sock")
        if str(rootless) != path and rootless.exists():
            remedy += f" A rootless engine is at DOCKER_HOST=unix://{rootless}."
        raise BenchUnavailable(
            f"no Docker engine answers at {path}: {error.strerror or error}",
            means=means,
            remedy=remedy,
        ) from error


def _explain(error: OSError) -> tuple[str, str]:
    """What the refusal means, and what to do."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            "An engine may be running, but this user may not talk to it.",
            "Add the user to the group that owns the socket, or use `--bench here`.",
        )
    if error.errno == errno.ENOENT:
        return "No engine is installed, or its socket is somewhere else.", _START
    return "The socket is there, and no engine listens on it.", _START
