"""One logical database of one trial: rows in, a ledger out."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.benches.databases.asking import asked_for
from fairtrial.benches.databases.postgres import catalog, changes
from fairtrial.benches.databases.postgres.catalog import Catalog
from fairtrial.benches.databases.postgres.house import House
from fairtrial.benches.databases.postgres.lookout import Lookout
from fairtrial.benches.databases.postgres.putting import put
from fairtrial.clients.postgres import Login, Refused, Session, identifier
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

#: Where a trial sees its server.
_LOOPBACK: Final = "127.0.0.1"
#: Making a slot waits for all transactions of the server that are open; seconds.
_PATIENCE: Final = 10
#: Seconds that reading what was committed may take.
_READING: Final = 120
#: Changes that are read in one go.
_BATCH: Final = 5_000
_TOO_LONG: Final = "57014"
_NO_DATABASE: Final = "3D000"

_READ: Final = (
    "DECLARE told NO SCROLL CURSOR FOR SELECT left(data, $1::int)"
    " FROM pg_logical_slot_get_changes($2, NULL, NULL,"
    " 'include-xids', 'on', 'include-timestamp', 'on', 'skip-empty-xacts', 'on')"
    # Its end says all that its beginning does.
    " WHERE NOT starts_with(data, 'BEGIN')"
)


@dataclass(slots=True, kw_only=True)
class PostgresClone:
    """Satisfies `Clone`."""

    house: House
    settings: DatabaseSettings
    login: Login
    port: int
    #: Who puts rows in: no superuser, since functions of the schema may run then.
    putter: Login
    #: Who owns what the template holds.
    owner: str = ""
    #: What the template holds.
    before: Catalog = field(default_factory=Catalog)
    _blind: str = "nobody asked to watch it"
    _slot: str = ""
    _lookout: Lookout | None = None
    _read: Ledger | None = None
    _dropped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The database's name on the server, and its role's."""
        return self.login.user

    @property
    def connection(self) -> Connection:
        """How the trial reaches it."""
        return Connection(
            engine=Engine.POSTGRESQL,
            name=self.name,
            host=_LOOPBACK,
            port=self.port,
            user=self.login.user,
            password=self.login.password,
        )

    @property
    def door(self) -> Door | None:
        """The port that leads to its server."""
        return self.house.door(self.port)

    def put(self, changes: Sequence[Change]) -> None:
        """Put rows in; see `Clone`."""
        mine = [one for one in changes if one.database == self.settings.name]
        if not mine:
            return
        with asked_for(f"rows could not be put into database {self.settings.name}"):
            with self.house.session() as session:
                session.run(
                    f"GRANT CONNECT ON DATABASE {identifier(self.name)}"
                    f" TO {identifier(self.putter.user)}"
                )
            with self.house.inside(self.name, self.putter) as session:
                moved = put(session, mine)
                at = {name: catalog.last_value(session, name) for name in moved}
        # A sequence that stands elsewhere because of this is not the trial's doing.
        things = {**self.before.things, **{("sequence", n): v for n, v in at.items()}}
        self.before = replace(self.before, things=things)

    def watch(self) -> None:
        """Record what is committed from now on; see `Clone`."""
        self._blind = self.house.blind
        if self._blind:
            return
        try:
            with self.house.inside(self.name) as session:
                session.run(f"SET statement_timeout = '{_PATIENCE}s'")
                session.run(
                    "SELECT pg_create_logical_replication_slot($1, 'test_decoding')",
                    self.name,
                )
            self._slot = self.name
            self._lookout = Lookout(self.house, self.login.user)
        except Refused as refused:
            self._blind = (
                "other transactions on the server stayed open for "
                f"{_PATIENCE} s, and a record of commits begins only after them"
                if refused.code == _TOO_LONG
                else f"the server could not begin a record: {refused.happened}"
            )

    def ledger(self) -> Ledger:
        """What was committed, and what else is different; see `Clone`."""
        with self._lock:
            if self._read is None:
                self._read = self._ledger()
            return self._read

    def _ledger(self) -> Ledger:
        with asked_for(f"what the tests left in {self.settings.name} can't be read"):
            made = self._made_databases()
            self.house.empty(self.name, self.login.user)
            try:
                with self.house.inside(self.name) as session:
                    told = self._told(session)
                    now = catalog.look(session)
            except Refused as refused:
                if refused.code != _NO_DATABASE:
                    raise
                gone = Alteration(
                    database=self.settings.name, kind="database", name=self.name
                )
                return Ledger(
                    blind="the tests dropped their database",
                    alterations=(replace(gone, was="there"), *made),
                )
        return Ledger(
            changes=told.changes,
            alterations=(
                *made,
                *catalog.differences(
                    self.settings.name, self.before.things, now.things
                ),
            ),
            blind=told.missing,
        )

    def _made_databases(self) -> tuple[Alteration, ...]:
        there = self.house.databases_of(self.login.user)
        seen = () if self._lookout is None else self._lookout.ended()
        return tuple(
            Alteration(
                database=self.settings.name,
                kind="database",
                # Named after the one that the tests were given, as a rule.
                name=name.replace(self.name, self.settings.name),
                now="there" if name in there else "removed again",
            )
            for name in dict.fromkeys((*seen, *there))
            if name != self.name
        )

    def _told(self, session: Session) -> changes.Told:
        if not self._slot:
            return changes.Told(missing=self._blind)
        session.run(f"SET statement_timeout = '{_READING}s'")
        # A commit that did not wait for the disk is not told before it was written.
        session.run("SELECT pg_logical_emit_message(true, 'fairtrial', 'end')")
        try:
            # Tables that the tests dropped are known as the template has them.
            known = {**self.before.tables, **catalog.tables(session)}
            told = changes.gather(self.settings.name, self._lines(session), known)
            session.run("SELECT pg_drop_replication_slot($1)", self._slot)
        except Refused as refused:
            why = f"the server's record of commits can't be read: {refused.happened}"
            return changes.Told(missing=why)
        self._slot = ""
        return told

    def _lines(self, session: Session) -> Iterator[str]:
        # By a cursor: what is not asked for stays on the server's disk.
        with session.transaction():
            session.run(_READ, changes.LONGEST + 1, self._slot)
            while rows := session.run(f"FETCH {_BATCH} FROM told"):
                for (line,) in rows:
                    yield str(line)

    def drop(self) -> None:
        """Remove the database and its role; see `Clone`."""
        with self._lock:
            if self._dropped:
                return
            self._dropped = True
        if self._lookout is not None:
            self._lookout.ended()
        try:
            self.house.empty(self.name, self.login.user)
            # Before version 16 a trial could give databases to the template's owner.
            owners = (self.login.user, self.owner)
            theirs = (name for one in owners for name in self.house.databases_of(one))
            for name in {self.name, *theirs, *self.house.given_away()}:
                self.house.drop_database(name)
            self.house.drop_role(self.login.user)
        except ServiceError:
            # The server is gone, or removes it at its own end with the rest.
            return
