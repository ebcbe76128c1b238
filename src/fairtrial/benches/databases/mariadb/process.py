"""Keeps one MariaDB running on this machine, and gone when it should be."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fairtrial.benches.here.files import make_folder, remove_tree
from fairtrial.benches.here.launching import Launched, Lifeline, Plan, launch
from fairtrial.benches.here.remains import PREFIX, clean_machine
from fairtrial.benches.here.slots import claim_spare
from fairtrial.benches.leftovers import Kind, Leftovers, Record, Thing, start_time
from fairtrial.clients import process
from fairtrial.domain.errors import BenchFailed, BenchUnavailable

#: The longest path of a socket (sockaddr_un of Linux), without its ending zero.
_LONGEST: Final = 107
_SOCKET: Final = "sockets/s"
_FOREVER: Final = 7 * 24 * 3600.0
_KEPT: Final = 20_000
_INSTALLING: Final = 120.0
_LAST_BREATH: Final = 25.0
#: Where distributions put servers, which is on no ordinary user's path.
_PLACES: Final = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/bin")
_WALLS: Final = (
    frozenset({"ipc", "pid", "network"}),
    frozenset({"user", "ipc", "pid", "network"}),
    frozenset[str](),
)

#: Nothing of it has to outlive the run, so nothing waits for the disk. Rows are logged
#: whole, for the ledger; functions may be made by users who are no administrators.
_OPTIONS: Final = (
    "--skip-networking",
    "--skip-name-resolve",
    "--log-bin=log",
    "--binlog-format=ROW",
    "--binlog-row-image=FULL",
    "--binlog-checksum=NONE",
    "--sync-binlog=0",
    "--loose-debug-no-sync",
    "--loose-skip-sync-frm",
    "--server-id=1",
    "--log-bin-trust-function-creators=1",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-flush-method=O_DIRECT_NO_FSYNC",
    "--skip-innodb-doublewrite",
    "--innodb-log-file-size=16M",
    "--performance-schema=OFF",
    "--character-set-server=utf8mb4",
    "--max-connections=500",
    "--event-scheduler=OFF",
    "--local-infile=0",
)

_numbers = itertools.count(1)


class ServerProcess:
    """A running server behind a Unix socket; `stop` leaves nothing of it.

    It runs as a user id that nobody else has where the gate is root. Its life hangs on
    a pipe of this process: killed in whatever way, it takes the server with it, and
    what lies on the disk is in the journal for the next run.
    """

    def __init__(
        self, *, scratch: Path, cache: Path, search: str, password: str
    ) -> None:
        """`search` is the PATH to find it on; raises BenchUnavailable."""
        programs = find(search)
        self._closing = threading.Lock()
        self._lifeline = Lifeline()
        self._ended: Launched | None = None
        self._failed = ""
        self._over = threading.Event()
        self._begun = False
        self._held: socket.socket | None = None
        self._uid: int | None = None
        run = f"{PREFIX}my-{os.getpid()}-{start_time(os.getpid())}-{next(_numbers)}"
        self._folder = _place(scratch, run)
        leftovers = Leftovers(cache / "runs")
        clean_machine(leftovers)
        self._record: Record = leftovers.open_record(run)
        self._things: tuple[Thing, ...] = ()
        try:
            self._start(programs, password)
        except BaseException as error:
            self.stop()
            if isinstance(error, OSError | BenchFailed):
                raise BenchUnavailable(f"MariaDB can't start: {error}") from error
            raise

    @property
    def path(self) -> str:
        """Where its socket is."""
        return str(self._folder / _SOCKET)

    def _start(self, programs: Mapping[str, str], password: str) -> None:
        self._things = (self._record.add(Kind.DIRECTORY, str(self._folder)),)
        if os.geteuid() == 0:
            self._uid, self._held = claim_spare()
            made = self._record.add(Kind.USER_PROCESSES, str(self._uid))
            self._things = (*self._things, made)
        make_folder(self._folder, 0o711)
        data = self._folder / "data"
        _install(programs, data)
        sockets = make_folder(self._folder / "sockets", 0o770)
        begin = data / "begin.sql"
        begin.write_text(
            f"ALTER USER root@localhost IDENTIFIED BY '{password}';\n"
            "DELETE FROM mysql.global_priv WHERE Host <> 'localhost' OR User = '';\n"
            "FLUSH PRIVILEGES;\n",
            "utf-8",
        )
        if self._uid is not None:
            _own(data, self._uid)
            # The gate's doors enter as the owner, the server as the group; nobody else.
            os.chown(sockets, -1, self._uid)
        plan = Plan(
            argv=(
                programs["server"],
                "--no-defaults",
                f"--datadir={data}",
                f"--socket={self.path}",
                f"--pid-file={data / 'pid'}",
                f"--tmpdir={data}",
                f"--init-file={begin}",
                # As root the server wants to be told that it may be root.
                *(("--user=root",) if self._uid is None and _is_root() else ()),
                *_OPTIONS,
            ),
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
            directory=str(data),
            walls=self._walls(),
            mapped=((os.geteuid(), os.getegid()),),
            uid=self._uid,
            own_user=self._uid is not None,
        )
        self._begun = True
        threading.Thread(
            target=self._run, args=(plan,), name="mariadb", daemon=True
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
        how = f"signal {self._ended.signal or 9}" if code is None else f"exit {code}"
        return f"{how}; {printed.splitlines()[-1][:300]}" if printed else how

    def stop(self) -> None:
        """End it and remove what it had; safe to call twice."""
        with self._closing:
            things, self._things = self._things, ()
            self._lifeline.cut()
            if self._begun:
                self._over.wait(_LAST_BREATH)
            try:
                if things:
                    remove_tree(self._folder)
                    if self._held is not None:
                        self._held.close()
                for thing in things:
                    self._record.remove(thing)
            finally:
                self._record.close()


def find(search: str) -> Mapping[str, str]:
    """The server and what makes its first files; raises BenchUnavailable."""
    path = os.pathsep.join((search, *_PLACES))
    found = {
        what: next(filter(None, (shutil.which(each, path=path) for each in names)), "")
        for what, names in (
            ("server", ("mariadbd", "mysqld")),
            ("installer", ("mariadb-install-db", "mysql_install_db")),
        )
    }
    if all(found.values()):
        return found
    raise BenchUnavailable(
        "There is no MariaDB server on this machine."
        if not found["server"]
        else f"{found['server']} is no MariaDB server, or lacks mariadb-install-db.",
        means="For `engine: mariadb` with `server: embedded` the machine's own"
        " `mariadbd` is started; Fairtrial brings none.",
        remedy="Install MariaDB's server (Debian: `mariadb-server`), or name a server"
        " that is up, with `server: {admin: $VARIABLE}`.",
    )


def _install(programs: Mapping[str, str], data: Path) -> None:
    argv = (
        programs["installer"],
        "--no-defaults",
        f"--datadir={data}",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
        "--innodb-log-file-size=16M",
        *(("--user=root",) if _is_root() else ()),
    )
    make_folder(data, 0o700)
    ended = process.run(
        argv,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
        timeout=_INSTALLING,
        kept=_KEPT,
    )
    if ended.code != 0:
        printed = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()
        raise BenchUnavailable(
            f"MariaDB can't make its first files (exit {ended.code}).",
            means=printed[-1000:],
        )


def _is_root() -> bool:
    return os.geteuid() == 0


def _place(scratch: Path, run: str) -> Path:
    """Where its folder is: elsewhere where the server's user can't come.

    Or where the socket's path were too long.
    """
    folder = scratch.resolve() / run
    scratch.mkdir(parents=True, exist_ok=True)
    closed = any(not each.stat().st_mode & 0o001 for each in folder.parents)
    if len(str(folder / _SOCKET)) <= _LONGEST and not (closed and _is_root()):
        return folder
    return Path(tempfile.gettempdir()).resolve() / run


def _own(top: Path, uid: int) -> None:
    for folder, folders, names in os.walk(top):
        for name in (*folders, *names):
            os.lchown(Path(folder) / name, uid, uid)
    os.lchown(top, uid, uid)
