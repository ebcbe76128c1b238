"""PostgreSQL beside the bench `here`: a process of this run on this machine."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from fairtrial.benches.databases.asking import wait_for
from fairtrial.benches.databases.postgres import binaries
from fairtrial.benches.databases.postgres.house import House
from fairtrial.benches.databases.postgres.process import PostgresProcess
from fairtrial.benches.databases.postgres.server import PostgresServer
from fairtrial.clients.dialling import dial
from fairtrial.clients.postgres import Login, Route
from fairtrial.domain.trials import Door

#: Seconds for a connection to be made.
_CONNECTING: Final = 20.0
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


class EmbeddedServer(PostgresServer):
    """One for all suites of a run on the bench `here`."""

    def __init__(self, *, scratch: Path, cache: Path, port: int = 5432) -> None:
        """Starts it, within a second or two; raises BenchUnavailable.

        `scratch` and `cache` are those of the bench; through `port` the commands that
        build a schema reach it.
        """
        password = secrets.token_hex(24)
        self._process = PostgresProcess(scratch=scratch, cache=cache, password=password)
        path = self._process.path
        house = House(
            route=Route(dial=partial(dial, path=path, seconds=_CONNECTING)),
            admin=Login(user=binaries.ADMIN, password=password),
            database=binaries.DATABASE,
            door=lambda port: Door(port=port, to=path),
            connections=binaries.CONNECTIONS,
            memory=self._process.memory,
        )
        super().__init__(house=house, port=port)
        try:
            begin(house, lambda: self._process.over(0.02), self._process.last_words)
        except BaseException:
            self.close()
            raise

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        wrong = "" if self._process.over() else super().alive()
        # One that has just died does not answer a moment before it is known to be dead.
        if self._process.over(_MOMENT if wrong else 0.0):
            return f"PostgreSQL ended: {self._process.last_words()}"
        return wrong

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
        super().close()
        self._process.stop()


def begin(house: House, over: Callable[[], bool], words: Callable[[], str]) -> None:
    """Return when a server of our own answers and is closed to what it should be.

    `over` waits a moment and says whether it has ended, `words` says how. Raises
    BenchUnavailable.
    """
    wait_for("PostgreSQL", house.open, over, words)
    house.furnish()
    with house.session() as session:
        for statement in CLOSED:
            session.run(statement)
