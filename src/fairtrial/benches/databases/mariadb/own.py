"""MariaDB beside the bench `here`: the machine's own server, started for this run."""

from __future__ import annotations

import secrets
from pathlib import Path

from fairtrial.benches.databases.asking import wait_for
from fairtrial.benches.databases.mariadb.house import House
from fairtrial.benches.databases.mariadb.process import MariaProcess
from fairtrial.benches.databases.mariadb.server import MariaServer
from fairtrial.clients.mariadb import Address, Login


class OwnMariaDB(MariaServer):
    """One for all suites of a run on the bench `here`."""

    def __init__(
        self, *, scratch: Path, cache: Path, search: str, port: int = 3306
    ) -> None:
        """Starts it, within a second or two; raises BenchUnavailable.

        `scratch` and `cache` are those of the bench, `search` is the PATH that the
        server is found on; through `port` the commands that build a schema reach it.
        """
        password = secrets.token_hex(24)
        self._process = MariaProcess(
            scratch=scratch, cache=cache, search=search, password=password
        )
        house = House(
            address=Address(socket=self._process.path),
            admin=Login(user="root", password=password),
        )
        super().__init__(house=house, port=port)
        try:
            wait_for(
                "MariaDB",
                house.open,
                lambda: self._process.over(0.02),
                self._process.last_words,
            )
        except BaseException:
            self.close()
            raise

    def alive(self) -> str:
        """Why it can't be used any more; see `Server`."""
        if self._process.over():
            return f"MariaDB ended: {self._process.last_words()}"
        return super().alive()

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
        super().close()
        self._process.stop()
