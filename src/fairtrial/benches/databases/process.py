"""Keeps one server running on this machine, and gone when it should be."""

from __future__ import annotations

import itertools
import os
import socket
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from fairtrial.benches.here.files import make_folder, remove_tree
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

_numbers = itertools.count(1)


class ServerProcess(ABC):
    """A running server behind a Unix socket; `stop` leaves nothing of it.

    It runs as a user id that nobody else has where the gate is root. Its life hangs on
    a pipe of this process: killed in whatever way, it takes the server with it, and
    what lies on the disk is in the journal for the next run.
    """

    #: What people call it.
    engine: ClassVar[str]
    #: What its folder's name has of that.
    short: ClassVar[str]
    #: What the socket is called, beside which its lock may lie.
    socket_name: ClassVar[str]

    def __init__(self, *, scratch: Path, cache: Path) -> None:
        """Raises BenchUnavailable when it can't start."""
        self._closing = threading.Lock()
        self._lifeline = Lifeline()
        self._ended: Launched | None = None
        self._failed = ""
        self._begun = False
        self._over = threading.Event()
        self._held: socket.socket | None = None
        self._inside: frozenset[str] = frozenset()
        self._uid: int | None = None
        process = f"{os.getpid()}-{start_time(os.getpid())}"
        run = f"{PREFIX}{self.short}-{process}-{next(_numbers)}"
        self._folder = self._place(scratch, run)
        leftovers = Leftovers(cache / "runs")
        clean_machine(leftovers)
        self._record: Record = leftovers.open_record(run)
        self._things: tuple[Thing, ...] = ()
        try:
            self._start()
        except BaseException as error:
            self.stop()
            if isinstance(error, OSError | BenchFailed):
                raise BenchUnavailable(f"{self.engine} can't start: {error}") from error
            raise

    @abstractmethod
    def _prepare(self, data: Path) -> Sequence[str]:
        """Fill its folder `data`, and say what to run then, with all arguments."""

    def _segment(self) -> int | None:
        """The System V shared memory that outlives it when it is killed; None: none."""
        return None

    @property
    def path(self) -> str:
        """Where its socket is."""
        return str(self._folder / "sockets" / self.socket_name)

    def _place(self, scratch: Path, run: str) -> Path:
        """Where its folder is: in the scratch folder, if the server can be there.

        A socket's path may not be long, and another user has to find the way.
        """
        scratch.mkdir(parents=True, exist_ok=True)
        folder = scratch.resolve() / run
        fits = len(str(folder / "sockets" / self.socket_name)) <= _LONGEST
        if fits and (os.geteuid() != 0 or is_open(folder)):
            return folder
        return Path(tempfile.gettempdir()).resolve() / run

    def _keep(self, kind: Kind, name: str) -> None:
        """Write down what is about to be made, so that it is removed at the end."""
        self._things = (*self._things, self._record.add(kind, name))

    def _start(self) -> None:
        self._keep(Kind.DIRECTORY, str(self._folder))
        if os.geteuid() == 0:
            self._uid, self._held = claim_spare()
            self._keep(Kind.USER_PROCESSES, str(self._uid))
        make_folder(self._folder, 0o711)
        data = make_folder(self._folder / "data", 0o700)
        sockets = make_folder(self._folder / "sockets", 0o770)
        argv = tuple(self._prepare(data))
        if self._uid is not None:
            _own(data, self._uid)
            # The gate's doors enter as the owner, the server as the group; nobody else.
            os.chown(sockets, -1, self._uid)
        self._inside = self._walls()
        plan = Plan(
            argv=argv,
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
            directory=str(data),
            walls=self._inside,
            mapped=((os.geteuid(), os.getegid()),),
            uid=self._uid,
            own_user=self._uid is not None,
        )
        self._begun = True
        threading.Thread(
            target=self._run, args=(plan,), name=self.engine.lower(), daemon=True
        ).start()

    def _walls(self) -> frozenset[str]:
        for walls in _WALLS:
            if "user" in walls and self._uid is not None:
                continue
            plan = Plan(
                argv=("/bin/sh", "-c", ":"),
                env={},
                directory="/",
                walls=walls,
                mapped=((os.geteuid(), os.getegid()),),
                uid=self._uid,
            )
            try:
                if launch(plan, timeout=20, kept=1000).exit == 0:
                    return walls
            except BenchFailed:
                continue
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

    def over(self, seconds: float = 0.0) -> bool:
        """Whether it has ended, or does within some seconds."""
        return self._over.wait(seconds)

    def last_words(self) -> str:
        """How it ended, with the last line that it printed."""
        if self._ended is None:
            return self._failed
        printed = self._ended.stderr.decode("utf-8", "replace").strip()
        code = self._ended.exit
        how = (
            f"signal {self._ended.signal or 9}" if code is None else f"exit code {code}"
        )
        return f"{how}; {printed.splitlines()[-1][:300]}" if printed else how

    def stop(self) -> None:
        """End it and remove what it had; safe to call twice."""
        with self._closing:
            things, self._things = self._things, ()
            segment = self._segment()
            self._lifeline.cut()
            try:
                if not things:
                    return
                if self._begun:
                    self._over.wait(_LAST_BREATH)
                if segment is not None:
                    remove_segment(segment)
                for thing in things:
                    if thing.kind is Kind.DIRECTORY:
                        remove_tree(Path(thing.name))
                if self._held is not None:
                    self._held.close()
                for thing in things:
                    self._record.remove(thing)
            finally:
                self._record.close()


def is_open(place: Path) -> bool:
    """Whether every user may go through all folders above a place."""
    return all(above.stat().st_mode & 0o001 for above in place.parents)


def _own(top: Path, uid: int) -> None:
    for folder, folders, names in os.walk(top):
        for name in (*folders, *names):
            os.lchown(Path(folder) / name, uid, uid)
    os.lchown(top, uid, uid)
