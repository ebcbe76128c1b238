"""Keeps the run's own MariaDB running on this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from fairtrial.benches.databases.process import ServerProcess
from fairtrial.benches.here.launching import Plan, launch
from fairtrial.domain.errors import BenchUnavailable

_KEPT: Final = 20_000
#: Seconds for its first files to be made.
_INSTALLING: Final = 120.0
#: Where distributions put servers, which is on no ordinary user's path.
_PLACES: Final = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/bin")

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


class MariaProcess(ServerProcess):
    """A running MariaDB, of the machine's own programs."""

    engine = "MariaDB"
    short = "my"
    socket_name = "s"

    def __init__(
        self, *, scratch: Path, cache: Path, search: str, password: str
    ) -> None:
        """`search` is the PATH to find it on; raises BenchUnavailable."""
        self._programs = find(search)
        self._password = password
        super().__init__(scratch=scratch, cache=cache)

    def _prepare(self, data: Path) -> Sequence[str]:
        _install(self._programs, data)
        begin = data / "begin.sql"
        begin.write_text(
            f"ALTER USER root@localhost IDENTIFIED BY '{self._password}';\n"
            "DELETE FROM mysql.global_priv WHERE Host <> 'localhost' OR User = '';\n"
            "FLUSH PRIVILEGES;\n",
            "utf-8",
        )
        return (
            self._programs["server"],
            "--no-defaults",
            f"--datadir={data}",
            f"--socket={self.path}",
            f"--pid-file={data / 'pid'}",
            f"--tmpdir={data}",
            f"--init-file={begin}",
            # As root the server wants to be told that it may be root.
            *(("--user=root",) if self._uid is None and _is_root() else ()),
            *_OPTIONS,
        )


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
    # By the launcher, so that a killed gate takes it along.
    ended = launch(
        Plan(
            argv=argv,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
            directory="/",
        ),
        timeout=_INSTALLING,
        kept=_KEPT,
    )
    if ended.exit != 0:
        printed = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()
        raise BenchUnavailable(
            f"MariaDB can't make its first files (exit {ended.exit}).",
            means=printed[-1000:],
        )


def _is_root() -> bool:
    return os.geteuid() == 0
