"""MariaDB or MySQL that is there already: the server that the configuration names."""

from __future__ import annotations

from contextlib import suppress

from fairtrial.benches.databases.mariadb.house import House
from fairtrial.benches.databases.mariadb.server import MariaServer
from fairtrial.benches.databases.names import is_dead, maker_of
from fairtrial.benches.databases.this_process import this_process
from fairtrial.benches.leftovers import start_time
from fairtrial.clients import mariadb_url
from fairtrial.domain.errors import BenchUnavailable, ServiceError


class NamedMariaDB(MariaServer):
    """It removes only what it made, and what dead runs did."""

    def __init__(self, *, url: str, variable: str, port: int = 3306) -> None:
        """Look whether it can be used; `variable` is where the URL was found.

        Raises ConfigurationError for a URL that is none, BenchUnavailable when the
        server does not answer or the user may not make databases and users.
        """
        address, login = mariadb_url.parse(url, variable)
        self._here = this_process()
        house = House(address=address, admin=login, prefix=self._here.prefix)
        super().__init__(house=house, port=port)
        self._closed = False
        try:
            house.open()
            self._clean()
            # Whether it may is found out before anything is built.
            database = house.name("probe")
            house.make(database)
            house.remove_user(database)
            house.remove(database)
        except ServiceError as error:
            super().close()
            raise BenchUnavailable(
                f"The server that ${variable} names can't be used: {error.happened}",
                means="It is not up, or this user may not make databases and users.",
                remedy="Start it before the gate, or correct the URL.",
            ) from error
        except BaseException:
            super().close()
            raise

    def _clean(self) -> None:
        """Remove what dead runs left; what can't be removed is the next run's."""
        with self.house.session() as session:
            names = [str(name) for (name,) in session.run("SHOW DATABASES")]
        for name in names:
            bare = name.removeprefix("test_")
            maker = maker_of(bare)
            if maker and is_dead(maker, self._here, start_time(maker.pid)):
                self._remove(bare)

    def _remove(self, database: str) -> None:
        with suppress(ServiceError):
            self.house.remove_user(database)
            self.house.remove(database)

    def close(self) -> None:
        """Remove every database and user of this run; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self.end_copying(wait=True)
        with suppress(ServiceError):
            with self.house.session() as session:
                names = [str(name) for (name,) in session.run("SHOW DATABASES")]
            for name in names:
                if name.startswith(self._here.prefix):
                    self._remove(name)
        super().close()
