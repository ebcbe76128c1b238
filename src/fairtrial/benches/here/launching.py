"""Starts the launcher with a plan, and says how what it started has ended."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from fairtrial.clients import process
from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.trials import Door

_LAUNCHER: Final = str(files("fairtrial.injected").joinpath("fairtrial_launcher.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """One step of building the walls, done in order; `sources` are host paths.

    kind: bind, file (a bind that is left out when its target is missing), overlay
    (upper, work, then lower layers, topmost first), tmpfs or proc.
    """

    kind: str
    at: str
    sources: tuple[str, ...] = ()
    options: str = ""
    writable: bool = False
    #: An overlay that is mounted once only; what is written to it need not last.
    fresh: bool = False

    def step(self) -> dict[str, object]:
        """As the launcher reads it."""
        return {
            "kind": self.kind,
            "at": self.at,
            "from": self.sources,
            "options": self.options,
            "writable": self.writable,
            "fresh": self.fresh,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """Changes to the working directory before the command starts, as JSON bears them.

    Writes are (path, git's mode, base64); `time` becomes the written files' own.
    """

    deletes: tuple[str, ...] = ()
    writes: tuple[tuple[str, int, str], ...] = ()
    time: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting:
    """Where processes report to, and where what they report is kept; host paths."""

    sockets: str
    results: str
    #: Bytes of all streams together, and how many streams.
    size: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """Where to look for what a command left behind.

    Folders are (where the command sees it, the host's path, whether all in it is the
    command's); no path: it is looked at where the command sees it.
    """

    folders: tuple[tuple[str, str | None, bool], ...]
    #: Nobody else's are seen inside.
    own_ports: bool
    own_processes: bool

    def encoded(self) -> dict[str, object]:
        """As the launcher reads it."""
        return {
            "folders": [
                {"at": at, "path": path, "upper": upper}
                for at, path, upper in self.folders
            ],
            "own_ports": self.own_ports,
            "own_processes": self.own_processes,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that the launcher has to know about one command."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    directory: str
    #: Of mount, ipc, pid, network, user.
    walls: frozenset[str] = frozenset()
    mounts: tuple[Mount, ...] = ()
    rest_read_only: bool = False
    #: The (user, group) pairs that exist in a new user namespace.
    mapped: tuple[tuple[int, int], ...] = ()
    #: None: the user stays.
    uid: int | None = None
    #: Nobody else on this machine runs as this user.
    own_user: bool = False
    #: `cgroup.procs` files to enter.
    groups: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)
    delta: Delta = Delta()
    keep_rights: bool = False
    #: None: nothing of the command reports.
    collecting: Collecting | None = None
    doors: tuple[Door, ...] = ()
    #: Numbers of the processors that the command may use; none: all.
    cpus: tuple[int, ...] = ()
    umask: int = 0o022
    #: Whether to take in what exporters of telemetry send.
    otlp: bool = False
    #: What to look at when the command has ended; None: nothing.
    aftermath: Looking | None = None

    def encoded(self) -> bytes:
        """As the launcher reads it."""
        plan = {
            "argv": self.argv,
            "env": dict(self.env),
            "directory": self.directory,
            "walls": sorted(self.walls),
            "mounts": [mount.step() for mount in self.mounts],
            "rest_read_only": self.rest_read_only,
            "mapped": self.mapped,
            "uid": self.uid,
            "gid": self.uid,
            "own_user": self.own_user,
            "groups": self.groups,
            "limits": dict(self.limits),
            "delta": {
                "deletes": self.delta.deletes,
                "writes": self.delta.writes,
                "time": self.delta.time,
            },
            "keep_rights": self.keep_rights,
            "collect": self.collecting and _in_order(self.collecting),
            "doors": [(one.port, one.to, one.to_port) for one in self.doors],
            "cpus": self.cpus,
            "umask": self.umask,
            "otlp": self.otlp,
            "aftermath": self.aftermath and self.aftermath.encoded(),
        }
        return json.dumps(plan).encode()


def _in_order(collecting: Collecting) -> tuple[str, str, int, int]:
    return (
        collecting.sockets,
        collecting.results,
        collecting.size,
        collecting.count,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """How a command ended; exactly one of `exit`, `signal` and `ended_early` counts."""

    exit: int | None = None
    signal: int | None = None
    #: It took longer than it might, and everything of it was killed.
    timed_out: bool = False
    stdout: bytes = b""
    stderr: bytes = b""
    seconds: float = 0.0
    #: A sentence for each door that turned out to lead to nothing.
    lost: tuple[str, ...] = ()

    @property
    def ended_early(self) -> bool:
        """Neither exit nor signal was seen: something from outside ended it."""
        return self.exit is None and self.signal is None


class Lifeline:
    """A pipe that keeps a command alive.

    It is killed whole when this end is closed, as happens when this process is killed.
    """

    def __init__(self) -> None:
        self.far, self._near = os.pipe()
        self._lock = threading.Lock()

    def cut(self) -> None:
        """Kill everything of the command; from any thread, any number of times."""
        with self._lock:
            if self._near >= 0:
                os.close(self._near)
                self._near = -1


def launch(
    plan: Plan, *, timeout: float, kept: int, lifeline: Lifeline | None = None
) -> Launched:
    """How the planned command ended, when nothing of it runs any more.

    Raises BenchFailed when a wall could not be built or the launcher broke.
    """
    given = os.memfd_create("plan")
    status_read, status_write = os.pipe()
    line = lifeline or Lifeline()
    descriptors = [given, status_read, status_write, line.far]

    def cut(_: subprocess.Popen[bytes]) -> None:
        line.cut()

    try:
        with open(given, "wb", closefd=False) as file:
            file.write(plan.encoded())
        os.lseek(given, 0, os.SEEK_SET)
        handed = (given, status_write, line.far)
        argv = (sys.executable, "-I", "-S", _LAUNCHER, *map(str, handed))
        finished = process.run(
            argv, env={}, timeout=timeout, kept=kept, pass_fds=handed, stop=cut
        )
        os.close(status_write)
        descriptors.remove(status_write)
        return _understood(finished, _read(status_read))
    except OSError as error:
        raise BenchFailed(f"The launcher could not be started: {error}") from error
    finally:
        line.cut()
        for descriptor in descriptors:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def _read(status: int) -> list[dict[str, Any]]:
    with open(status, "rb", closefd=False) as file:
        return [json.loads(line) for line in file.read().splitlines()]


def _understood(finished: process.Finished, reports: list[dict[str, Any]]) -> Launched:
    """Only the launcher and the inner process hold the status pipe, never a trial."""
    for report in reports:
        if "error" in report:
            raise BenchFailed(
                f"The trial could not be started: {report['error']}",
                means="One of the trial's walls could not be built on this machine.",
            )
    lost = tuple(str(report["lost"]) for report in reports if "lost" in report)
    ends = [report for report in reports if "lost" not in report]
    said: dict[str, Any] = {} if finished.timed_out or not ends else ends[0]
    if finished.code != 0 and not finished.timed_out and not reports:
        raise BenchFailed(
            f"The launcher ended with {finished.code} and said nothing.",
            means=finished.stderr.decode(errors="replace")[-500:],
        )
    return Launched(
        exit=said.get("exit"),
        signal=said.get("signal"),
        timed_out=finished.timed_out,
        stdout=finished.stdout,
        stderr=finished.stderr,
        seconds=finished.seconds,
        lost=lost,
    )
