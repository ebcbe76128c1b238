"""One logical database of one trial on a MariaDB or MySQL server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairtrial.benches.databases.asking import asked_for
from fairtrial.benches.databases.mariadb import catalog, putting
from fairtrial.benches.databases.mariadb.catalog import Catalog
from fairtrial.benches.databases.mariadb.house import ABSENT, House
from fairtrial.benches.databases.mariadb.reading import Reading
from fairtrial.benches.databases.mariadb.recording import Recorder
from fairtrial.clients.mariadb import Login, Refused
from fairtrial.domain.databases import (
    Alteration,
    Change,
    Connection,
    DatabaseSettings,
    Engine,
    Ledger,
)
from fairtrial.domain.errors import ServiceError
from fairtrial.domain.trials import Door


@dataclass(slots=True, kw_only=True)
class MariaClone:
    """Satisfies `Clone`."""

    house: House
    settings: DatabaseSettings
    #: The server's name for it.
    database: str
    login: Login
    port: int
    template: Catalog = field(default_factory=Catalog)
    #: Removes a database that nobody uses any more.
    remove: Callable[[str], object]
    _blind: str = "nobody asked to watch it"
    _recorder: Recorder | None = None
    _before: dict[tuple[str, str], str] | None = None
    _dropped: bool = False

    @property
    def connection(self) -> Connection:
        """How the trial reaches it, through `door`."""
        return Connection(
            engine=Engine.MARIADB,
            name=self.database,
            host="127.0.0.1",
            port=self.port,
            user=self.login.user,
            password=self.login.password,
        )

    @property
    def door(self) -> Door:
        """The port on the trial's loopback that leads to the server."""
        return self.house.door(self.port)

    def put(self, changes: Sequence[Change]) -> None:
        """Put rows in; see `Clone`."""
        with (
            asked_for(f"rows can't be put into database {self.settings.name}"),
            self.house.session() as admin,
            self.house.owner(self.login) as owner,
        ):
            putting.put(admin, owner, self.database, self.template, changes)
            self._before = catalog.look(admin, self.database).things()

    def watch(self) -> None:
        """Listen to the server's log; where it can't be read, `ledger` says so."""
        if self.house.blind:
            self._blind = f"database {self.settings.name}: {self.house.blind}"
            return
        try:
            self._recorder = Recorder(
                self.house.address, self.house.admin, self.database, self.house.now()
            )
        except ServiceError as error:
            self._blind = (
                f"database {self.settings.name}: the server does not let its log be"
                f" read: {error}"
            )

    def ledger(self) -> Ledger:
        """What was committed since `watch`, and what else is different now."""
        with asked_for(f"what was left in database {self.settings.name} is lost"):
            # Nothing may change any more while the administrator looks.
            self.house.empty(self.database)
            try:
                with self.house.session() as session:
                    after = catalog.look(session, self.database)
            except Refused as refused:
                if refused.code != ABSENT:
                    raise
                return self._gone()
            before = self._before or self.template.things()
            altered = catalog.differences(self.settings.name, before, after.things())
            if self._recorder is None:
                return Ledger(alterations=altered, blind=self._blind)
            kept, why = self._recorder.ended(self.house.now())
            altered = (*map(self._made, self._recorder.made), *altered)
        reading = Reading(
            name=self.settings.name,
            database=self.database,
            now=after.columns,
            was=self.template.columns,
            sequences={*self.template.sequences, *after.sequences},
        )
        reading.read(kept)
        if why:
            reading.blind.insert(0, f"database {self.settings.name}: {why}")
        return Ledger(
            changes=tuple(reading.changes),
            alterations=altered,
            blind="; ".join(reading.blind),
        )

    def _made(self, name: str) -> Alteration:
        # It is named after the one that the tests were given.
        return Alteration(
            database=self.settings.name,
            kind="database",
            name=name.replace(self.database, self.settings.name),
            now="made by the tests",
        )

    def _gone(self) -> Ledger:
        return Ledger(
            blind=f"database {self.settings.name}: the tests dropped it",
            alterations=(
                Alteration(
                    database=self.settings.name,
                    kind="database",
                    name=self.database,
                    was="there",
                ),
            ),
        )

    def drop(self) -> None:
        """Remove it and its user; safe to call twice."""
        if self._dropped:
            return
        self._dropped = True
        # A server that is gone has taken everything with it.
        with contextlib.suppress(ServiceError):
            if self._recorder is not None:
                self._recorder.close()
                self.house.end(self._recorder.number)
            self.house.remove_user(self.database)
            self.remove(self.database)
