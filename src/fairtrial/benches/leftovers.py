"""What did a run that was killed leave behind, and who cleans it up: journals.

Each run keeps a journal: a thing is written down before it is made, and crossed out
after it is gone. The next run finds the journals whose process is dead and removes
what they still name. Lines are only appended, so a kill at any moment loses at most
a half-written last line, whose thing was not made yet.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from fairtrial.domain.errors import BenchUnavailable

_SUFFIX: Final = ".journal"


class Kind(StrEnum):
    """What sort of thing a run may leave behind."""

    #: All processes of a user id that only the run used.
    USER_PROCESSES = "user-processes"
    #: A process by "pid:start time"; its descendants go with it.
    PROCESS = "process"
    #: A control group's folder.
    CGROUP = "cgroup"
    #: A mount point.
    MOUNT = "mount"
    #: A directory with everything in it.
    DIRECTORY = "directory"
    CONTAINER = "container"
    IMAGE = "image"
    NETWORK = "network"
    VOLUME = "volume"


#: Removing in this order finds nothing busy: who runs, then what holds, then what lies.
_ORDER: Final = tuple(Kind)

Cleaner = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One thing that a run made outside its own memory."""

    kind: Kind
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Which process a journal belongs to; a number alone may have been used again."""

    boot: str
    namespace: str
    pid: int
    #: Clock ticks between boot and the start of the process.
    started: int


def start_time(pid: int) -> int | None:
    """When a process started, in ticks since boot; nothing when there is none."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    # The second field is the command in parentheses, and may hold anything.
    fields = line.rpartition(")")[2].split()
    if len(fields) < 20 or fields[0] in {"Z", "X"}:  # noqa: PLR2004 - field 22
        return None
    return int(fields[19])


def _this_process() -> Owner:
    pid = os.getpid()
    return Owner(
        boot=_boot(), namespace=_namespace(), pid=pid, started=start_time(pid) or 0
    )


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


class Record:
    """The journal of one run, held open and locked while the run lives."""

    def __init__(self, path: Path) -> None:
        self._path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self._descriptor = os.open(path, flags, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        owner = _this_process()
        self._append(
            {
                "boot": owner.boot,
                "namespace": owner.namespace,
                "pid": owner.pid,
                "started": owner.started,
            }
        )

    def _append(self, line: Mapping[str, object]) -> None:
        # One write per line: a signal handler may come between two lines, not in one.
        os.write(self._descriptor, json.dumps(line).encode() + b"\n")

    def add(self, kind: Kind, name: str) -> Thing:
        """Write down a thing that is about to be made."""
        self._append({"add": kind.value, "name": name})
        return Thing(kind=kind, name=name)

    def remove(self, thing: Thing) -> None:
        """Cross out a thing that is gone."""
        self._append({"remove": thing.kind.value, "name": thing.name})

    def remaining(self) -> tuple[Thing, ...]:
        """What was written down and not crossed out, in the order to clean it."""
        return _read(self._path)[1]

    def close(self) -> None:
        """End the journal; kept on disk while it still names something."""
        if self._descriptor < 0:
            return
        if not self.remaining():
            self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1


def _read(path: Path) -> tuple[Owner | None, tuple[Thing, ...]]:
    owner: Owner | None = None
    things: dict[Thing, None] = {}
    for line in path.read_bytes().split(b"\n"):
        try:
            entry = json.loads(line)
            if "pid" in entry:
                owner = Owner(**entry)
            elif "add" in entry:
                things[Thing(kind=Kind(entry["add"]), name=str(entry["name"]))] = None
            elif "remove" in entry:
                thing = Thing(kind=Kind(entry["remove"]), name=str(entry["name"]))
                things.pop(thing, None)
        except (ValueError, TypeError, KeyError):
            continue
    return owner, tuple(sorted(things, key=lambda thing: _ORDER.index(thing.kind)))


class Leftovers:
    """All journals of one user on one machine, in a folder that nobody else writes."""

    def __init__(self, folder: Path) -> None:
        """Raises BenchUnavailable when others could write what we would delete."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or shared:
            raise BenchUnavailable(
                f"{folder} can be written by somebody else.",
                means="What is listed there is deleted, so only you may write it.",
                remedy=f"Remove {folder}, or choose another cache folder.",
            )
        self._folder = folder

    def open_record(self, run: str) -> Record:
        """A new journal for this process; `run` is unique and a plain file name."""
        with self._locked():
            return Record(self._folder / f"{run}{_SUFFIX}")

    def clean_dead(self, cleaners: Mapping[Kind, Cleaner]) -> tuple[Thing, ...]:
        """What dead runs had left and is gone now.

        A thing without a cleaner stays written down for whoever has one. A cleaner
        is given the name, does nothing when the thing is gone already, and raises
        OSError when it can't; then the thing stays written down, too.
        """
        cleaned: list[Thing] = []
        with self._locked():
            for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
                with contextlib.suppress(OSError):
                    cleaned += _clean(path, cleaners)
        return tuple(cleaned)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        # Without it a journal that is opened but not locked yet would look dead.
        descriptor = os.open(
            self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _clean(path: Path, cleaners: Mapping[Kind, Cleaner]) -> list[Thing]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    cleaned: list[Thing] = []
    try:
        owner, things = _read(path)
        if _lives(descriptor, owner):
            return cleaned
        left = 0
        for thing in things:
            cleaner = cleaners.get(thing.kind)
            try:
                if cleaner is None:
                    left += 1
                    continue
                cleaner(thing.name)
            except OSError:
                left += 1
                continue
            line = {"remove": thing.kind.value, "name": thing.name}
            os.write(descriptor, b"\n" + json.dumps(line).encode() + b"\n")
            cleaned.append(thing)
        if not left:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
    return cleaned


def _lives(descriptor: int, owner: Owner | None) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    # Some network file systems grant every lock, so the process is asked for, too.
    # Numbers from another process namespace or boot say nothing here.
    if owner is None or owner.boot != _boot() or owner.namespace != _namespace():
        return False
    return start_time(owner.pid) == owner.started and owner.pid != os.getpid()
