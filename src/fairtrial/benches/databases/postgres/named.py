"""PostgreSQL that is there already: the server that the configuration names."""

from __future__ import annotations

from contextlib import suppress

from fairtrial.benches.databases.names import is_dead, maker_of
from fairtrial.benches.databases.postgres.house import House
from fairtrial.benches.databases.postgres.server import PostgresServer
from fairtrial.benches.databases.this_process import this_process
from fairtrial.benches.leftovers import start_time
from fairtrial.clients import postgres_url
from fairtrial.clients.postgres import identifier
from fairtrial.domain.errors import BenchFailed, BenchUnavailable, ServiceError
from fairtrial.domain.trials import Door

#: PostgreSQL 12, the oldest whose catalog is read here.
_OLDEST = 120_000


class NamedServer(PostgresServer):
    """It removes what it made itself, and what dead runs did."""

    def __init__(self, *, url: str, variable: str, port: int = 5432) -> None:
        """Look whether it can be used; `variable` is where the URL was found.

        Raises ConfigurationError for a URL that is none, BenchUnavailable when the
        server does not answer or the role may not make databases and roles.
        """
        address = postgres_url.parse(url, variable)
        self._here = this_process()
        house = House(
            route=address.route(),
            admin=address.login,
            database=address.database,
            door=lambda port: (
                Door(port=port, to=address.socket_path)
                if address.socket_path
                else Door(port=port, to=address.host, to_port=address.port)
            ),
            prefix=self._here.prefix,
        )
        super().__init__(house=house, port=port)
        self._closed = False
        try:
            house.open()
            self._may_serve(variable)
            self._clean()
        except ServiceError as error:
            house.close()
            raise BenchUnavailable(
                f"The PostgreSQL server that ${variable} names can't be used: "
                f"{error.happened}",
                means="It is not up, or refuses this user.",
                remedy="Start it before the gate, or correct the URL.",
            ) from error
        except BaseException:
            house.close()
            raise

    def _may_serve(self, variable: str) -> None:
        if self.house.number < _OLDEST:
            raise BenchUnavailable(
                f"The server that ${variable} names is {self.house.version}.",
                means="Fairtrial reads the catalogs of PostgreSQL 12 and later.",
                remedy="Name a newer server, or leave `admin:` out.",
            )
        with self.house.session() as session:
            [[databases, roles]] = session.run(
                "SELECT rolsuper OR rolcreatedb, rolsuper OR rolcreaterole"
                " FROM pg_roles WHERE rolname = current_user"
            )
        lacks = [
            word
            for word, has in (("CREATEDB", databases), ("CREATEROLE", roles))
            if not has
        ]
        if lacks:
            raise BenchUnavailable(
                f"The role in ${variable} lacks {' and '.join(lacks)}.",
                means="Each trial gets a database and a role of its own.",
                remedy=f"ALTER ROLE {identifier(self.house.admin.user)} "
                f"{' '.join(lacks)};",
            )

    def _clean(self) -> None:
        """Remove what dead runs left; what can't be removed is the next run's."""
        with self.house.session() as session:
            databases = session.run(
                "SELECT d.datname, r.rolname FROM pg_database d"
                " JOIN pg_roles r ON r.oid = d.datdba"
            )
            roles = session.run("SELECT rolname FROM pg_roles")
        for name, owner in databases:
            # What tests made besides bears a name of their own, but has their owner.
            if self._is_left(str(name)) or self._is_left(str(owner)):
                with suppress(ServiceError):
                    self.house.drop_database(str(name))
        for (name,) in roles:
            if self._is_left(str(name)):
                with suppress(ServiceError):
                    self.house.drop_role(str(name))

    def _is_left(self, name: str) -> bool:
        maker = maker_of(name)
        return maker is not None and is_dead(maker, self._here, start_time(maker.pid))

    def close(self) -> None:
        """Remove every database and role of this run; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        with suppress(ServiceError, BenchFailed):
            self._remove_own()
        super().close()

    def _remove_own(self) -> None:
        prefix = self._here.prefix
        with self.house.session() as session:
            own = session.run(
                "SELECT d.datname FROM pg_database d JOIN pg_roles r"
                " ON r.oid = d.datdba"
                " WHERE starts_with(d.datname, $1) OR starts_with(r.rolname, $1)",
                prefix,
            )
        for (name,) in own:
            with suppress(ServiceError):
                self.house.drop_database(str(name))
        with self.house.session() as session:
            roles = session.run(
                "SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)", prefix
            )
        for (name,) in roles:
            with suppress(ServiceError):
                self.house.drop_role(str(name))
