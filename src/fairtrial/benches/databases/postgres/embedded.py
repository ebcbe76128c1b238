"""PostgreSQL beside the bench `here`: a process of this run on this machine."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import binaries
from fairtrial.benches.databases.postgres.house import House
from fairtrial.benches.databases.postgres.process import ServerProcess
from fairtrial.benches.databases.postgres.server import Templates
from fairtrial.clients.postgres import Login, Route
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import BenchUnavailable, ServiceError
from fairtrial.domain.trials import Door

#: Seconds for a server to answer after it was started.
STARTING: Final = 60.0
#: Seconds that a dying server's last processes take at most, as a rule.
_MOMENT: Final = 1.0
#: Closes the common maintenance database to all writing: tests of all trials may look
#: there for other databases, and find nothing that another trial left.
CLOSED: Final = (
    "REVOKE ALL ON DATABASE postgres FROM PUBLIC",
    "GRANT CONNECT ON DATABASE postgres TO PUBLIC",
    "REVOKE ALL ON DATABASE template1 FROM PUBLIC",
    "REVOKE EXECUTE ON FUNCTION pg_catalog.lo_creat(integer) FROM PUBLIC",
    "REVOKE EXECUTE ON FUNCTION pg_catalog.lo_create(oid) FROM PUBLIC",
    "REVOKE EXECUTE ON FUNCTION pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC",
)


class EmbeddedServer:
    """Satisfies `Server`. One for all suites of a run on the bench `here`."""

    def __init__(self, *, scratch: Path, cache: Path, port: int = 5432) -> None:
        """Starts it, within a second or two; raises BenchUnavailable.

        `scratch` and `cache` are those of the bench; through `port` the commands that
        build a schema reach it.
        """
        password = secrets.token_hex(24)
        self._process = ServerProcess(scratch=scratch, cache=cache, password=password)
        path = self._process.path
        house = House(
            route=Route(dial=self._process.dial),
            admin=Login(user=binaries.ADMIN, password=password),
            database=binaries.DATABASE,
            door=lambda port: Door(port=port, to=path),
            connections=binaries.CONNECTIONS,
            memory=self._process.memory,
        )
        self._templates = Templates(house=house, port=port)
        try:
            wait_for(house, lambda: self._process.over(0.02), self._process.last_words)
        except BaseException:
            self.close()
            raise

    @property
    def level(self) -> str:
        """Each trial has a copy of its own."""
        return "template-clone"

    @property
    def version(self) -> str:
        """Engine and version: "postgresql 18.6"."""
        return self._templates.house.version

    def template(
        self,
        key: str,
        settings: DatabaseSettings,
        build: Callable[[Clone], None],
    ) -> None:
        """Have a template under `key`; see `Server`."""
        self._templates.template(key, settings, build)

    def clone(self, key: str, settings: DatabaseSettings, port: int) -> Clone:
        """A fresh copy of a template; see `Server`."""
        return self._templates.clone(key, settings, port)

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        wrong = "" if self._process.over() else self._templates.answers()
        # One that has just died does not answer a moment before it is known to be dead.
        if self._process.over(_MOMENT if wrong else 0.0):
            return f"PostgreSQL ended: {self._process.last_words()}"
        return wrong

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
        self._templates.house.close()
        self._process.stop()


def wait_for(house: House, over: Callable[[], bool], words: Callable[[], str]) -> None:
    """Return when a server of our own answers and is closed to what it should be.

    `over` waits a moment and says whether it has ended, `words` says how. Raises
    BenchUnavailable.
    """
    deadline = time.monotonic() + STARTING
    while True:
        try:
            house.open()
            break
        except ServiceError as error:
            if over():
                raise BenchUnavailable(
                    f"PostgreSQL ended at its start: {words()}"
                ) from (error)
            if time.monotonic() > deadline:
                raise BenchUnavailable(
                    f"PostgreSQL did not answer within {STARTING:.0f} s: "
                    f"{error.happened}"
                ) from error
    house.furnish()
    with house.session() as session:
        for statement in CLOSED:
            session.run(statement)
