"""MariaDB beside the bench `here`: the machine's own server, started for this run."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.mariadb.house import House
from fairtrial.benches.databases.mariadb.process import ServerProcess
from fairtrial.benches.databases.mariadb.server import Templates
from fairtrial.clients.mariadb import Address, Login
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import BenchUnavailable, ServiceError

#: Seconds for a server to answer after it was started.
_STARTING: Final = 60.0


class OwnMariaDB:
    """Satisfies `Server`. One for all suites of a run on the bench `here`."""

    def __init__(
        self, *, scratch: Path, cache: Path, search: str, port: int = 3306
    ) -> None:
        """Starts it, within a second or two; raises BenchUnavailable.

        `scratch` and `cache` are those of the bench, `search` is the PATH that the
        server is found on; through `port` the commands that build a schema reach it.
        """
        password = secrets.token_hex(24)
        self._process = ServerProcess(
            scratch=scratch, cache=cache, search=search, password=password
        )
        house = House(
            address=Address(socket=self._process.path),
            admin=Login(user="root", password=password),
        )
        self._templates = Templates(house=house, port=port)
        try:
            self._wait(house)
        except BaseException:
            self.close()
            raise

    def _wait(self, house: House) -> None:
        deadline = time.monotonic() + _STARTING
        while True:
            try:
                house.open()
            except ServiceError as error:
                if self._process.over(0.02):
                    words = self._process.last_words()
                    raise BenchUnavailable(
                        f"MariaDB ended at its start: {words}"
                    ) from error
                if time.monotonic() > deadline:
                    raise BenchUnavailable(
                        f"MariaDB did not answer within {_STARTING:.0f} s: {error}"
                    ) from error
            else:
                return

    @property
    def level(self) -> str:
        """Each trial has a copy of its own."""
        return "template-clone"

    @property
    def version(self) -> str:
        """Engine and version: "mariadb 10.11.6"."""
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
        if self._process.over():
            return f"MariaDB ended: {self._process.last_words()}"
        return self._templates.answers()

    def close(self) -> None:
        """Stop it and leave nothing behind; safe to call twice."""
        self._templates.close(at_once=True)
        self._process.stop()
