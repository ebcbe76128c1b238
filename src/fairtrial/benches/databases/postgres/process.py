"""Keeps one PostgreSQL running on this machine, and gone when it should be."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import tempfile
import threading
from pathlib import Path
from typing import Final

from fairtrial.benches.databases.postgres import binaries
from fairtrial.benches.here.files import copy_entry, make_folder, remove_tree
from fairtrial.benches.here.launching import Launched, Lifeline, Plan, launch
from fairtrial.benches.here.remains import PREFIX, clean_machine
from fairtrial.benches.here.shared_memory import remove_segment
from fairtrial.benches.here.slots import claim_spare
from fairtrial.benches.leftovers import Kind, Leftovers, Record, Thing, start_time
from fairtrial.domain.errors import BenchFailed, BenchUnavailable

#: The longest path of a socket (sockaddr_un of Linux), without its ending zero.
_LONGEST: Final = 107
#: A server is given up after this many seconds; nothing waits for it to be used up.
_FOREVER: Final = 7 * 24 * 3600.0
_KEPT: Final = 20_000
#: Seconds to wait for a killed server's processes.
_LAST_BREATH: Final = 25.0
#: Walls from more to less: shared memory, processes and network of its own.
_WALLS: Final = (
    frozenset({"ipc", "pid", "network"}),
    frozenset({"user", "ipc", "pid", "network"}),
    frozenset[str](),
)

#: A file system in memory, and how much of it and of memory has to be free, in bytes,
#: to be used for databases.
_SHARED: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own in it
_ROOM: Final = 1024**3
_FREE: Final = 4 * 1024**3

_numbers = itertools.count(1)


class ServerProcess:
    """A running server behind a Unix socket; `stop` leaves nothing of it.

    It runs as a user id that nobody else has where the gate is root. Its life hangs on
    a pipe of this process: killed in whatever way, it takes the server with it, and
    what lies on the disk is in the journal for the next run.
    """

    def __init__(self, *, scratch: Path, cache: Path, password: str) -> None:
        """Raises BenchUnavailable when it can't start."""
        self._closing = threading.Lock()
        self._lifeline = Lifeline()
        self._ended: Launched | None = None
        self._failed = ""
        self._over = threading.Event()
        self._held: socket.socket | None = None
        self._memory: Path | None = None
        self._inside: frozenset[str] = frozenset()
        self._uid: int | None = None
        run = f"{PREFIX}pg-{os.getpid()}-{start_time(os.getpid())}-{next(_numbers)}"
        self._folder = _place(scratch, run)
        leftovers = Leftovers(cache / "runs")
        clean_machine(leftovers)
        self._record: Record = leftovers.open_record(run)
        self._things: tuple[Thing, ...] = ()
        try:
            self._start(password)
        except BaseException as error:
            self.stop()
            if isinstance(error, OSError | BenchFailed):
                raise BenchUnavailable(f"PostgreSQL can't start: {error}") from error
            raise

    @property
    def path(self) -> str:
        """Where its socket is."""
        return str(self._folder / "sockets" / binaries.SOCKET)

    @property
    def memory(self) -> str:
        """A folder in memory for small databases; empty when there is little of it."""
        return "" if self._memory is None else str(self._memory)

    def _start(self, password: str) -> None:
        self._things = (self._record.add(Kind.DIRECTORY, str(self._folder)),)
        if os.geteuid() == 0:
            self._uid, self._held = claim_spare()
            made = self._record.add(Kind.USER_PROCESSES, str(self._uid))
            self._things = (*self._things, made)
        make_folder(self._folder, 0o711)
        if _has_memory():
            self._memory = _SHARED / self._folder.name
            made = self._record.add(Kind.DIRECTORY, str(self._memory))
            self._things = (*self._things, made)
            make_folder(self._memory, 0o700, self._uid)
        above = self._reachable(binaries.wheel())
        data = make_folder(self._folder / "data", 0o700)
        binaries.initialise(above, data, password)
        sockets = make_folder(self._folder / "sockets", 0o770)
        if self._uid is not None:
            _own(data, self._uid)
            # The gate's doors enter as the owner, the server as the group; nobody else.
            os.chown(sockets, -1, self._uid)
        self._inside = self._walls()
        plan = Plan(
            argv=(
                str(binaries.installed(above) / "bin" / "postgres"),
                *binaries.arguments(str(data), str(sockets)),
            ),
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
            directory=str(data),
            walls=self._inside,
            mapped=((os.geteuid(), os.getegid()),),
            uid=self._uid,
            own_user=self._uid is not None,
        )
        threading.Thread(
            target=self._run, args=(plan,), name="postgresql", daemon=True
        ).start()

    def _reachable(self, above: Path) -> Path:
        """Where the programs are, for the server's user; copied if need be."""
        program = binaries.installed(above) / "bin" / "postgres"
        if self._uid is None or is_open(program):
            return above
        copy = self._folder / "programs"
        for path in binaries.needed(above):
            (copy / path).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            copy_entry(above / path, copy / path)
        return copy

    def _walls(self) -> frozenset[str]:
        for walls in _WALLS:
            plan = Plan(
                argv=("/bin/sh", "-c", ":"),
                env={},
                directory="/",
                walls=walls,
                mapped=((os.geteuid(), os.getegid()),),
                uid=self._uid if "user" not in walls else None,
            )
            if "user" in walls and self._uid is not None:
                continue
            with contextlib.suppress(BenchFailed):
                if launch(plan, timeout=20, kept=1000).exit == 0:
                    return walls
        return frozenset()

    def _run(self, plan: Plan) -> None:
        try:
            self._ended = launch(
                plan, timeout=_FOREVER, kept=_KEPT, lifeline=self._lifeline
            )
        except BenchFailed as error:
            self._failed = error.happened
        finally:
            self._over.set()

    def dial(self) -> socket.socket:
        """A connection to its socket; raises OSError."""
        near = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            near.connect(self.path)
        except BaseException:
            near.close()
            raise
        return near

    def over(self, seconds: float = 0.0) -> bool:
        """Whether it has ended, or does within some seconds."""
        return self._over.wait(seconds)

    def last_words(self) -> str:
        """How it ended, with the last line that it printed."""
        if self._ended is None:
            return self._failed
        printed = self._ended.stderr.decode("utf-8", "replace").strip()
        how = (
            f"exit code {self._ended.exit}"
            if self._ended.exit is not None
            else f"signal {self._ended.signal or 9}"
        )
        return f"{how}; {printed.splitlines()[-1][:300]}" if printed else how

    def _segment(self) -> int | None:
        """The shared memory that outlives it when it is killed outside of any walls."""
        if "ipc" in self._inside:
            return None
        try:
            lines = (self._folder / "data/postmaster.pid").read_text().splitlines()
            # The seventh line holds key and number (LOCK_FILE_LINE_SHMEM_KEY).
            return int(lines[6].split()[1])
        except (OSError, IndexError, ValueError):
            return None

    def stop(self) -> None:
        """End it and remove what it had; safe to call twice."""
        with self._closing:
            things, self._things = self._things, ()
            segment = self._segment()
            self._lifeline.cut()
            if not things:
                self._record.close()
                return
            if any(thread.name == "postgresql" for thread in threading.enumerate()):
                self._over.wait(_LAST_BREATH)
            if segment is not None:
                remove_segment(segment)
            try:
                remove_tree(self._folder)
                if self._memory is not None:
                    remove_tree(self._memory)
                if self._held is not None:
                    self._held.close()
                for thing in things:
                    self._record.remove(thing)
            finally:
                self._record.close()


def _place(scratch: Path, run: str) -> Path:
    """Where its folder is: in the scratch folder, if the server can be there.

    A socket's path may not be long, and another user has to find the way.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    folder = scratch.resolve() / run
    fits = len(str(folder / "sockets" / binaries.SOCKET)) <= _LONGEST
    if fits and (os.geteuid() != 0 or is_open(folder)):
        return folder
    return Path(tempfile.gettempdir()).resolve() / run


def is_open(place: Path) -> bool:
    """Whether every user may go through all folders above a place."""
    return all(above.stat().st_mode & 0o001 for above in place.parents)


def _has_memory() -> bool:
    try:
        room = shutil.disk_usage(_SHARED).free
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    facts = {line.partition(":")[0]: line.split()[1] for line in lines}
    free = int(facts.get("MemAvailable", 0)) * 1024
    return room >= _ROOM and free >= _FREE and os.access(_SHARED, os.W_OK)


def _own(top: Path, uid: int) -> None:
    for folder, folders, names in os.walk(top):
        for name in (*folders, *names):
            os.lchown(Path(folder) / name, uid, uid)
    os.lchown(top, uid, uid)
