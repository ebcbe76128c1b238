"""One PostgreSQL server as its administrator sees it: sessions, names, what it can."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from fairtrial.clients.postgres import (
    Login,
    Refused,
    Route,
    Session,
    identifier,
    literal,
)
from fairtrial.domain.trials import Door

#: PostgreSQL 13 ends other sessions by itself, 15 knows STRATEGY, 16 tells a member
#: from one who may become the role.
_FORCE, _STRATEGY, _MEMBERS = 130_000, 150_000, 160_000
#: What ends a session by itself, and since when; a database may have it set.
_ENDS: Final = (("idle_session_timeout", 140_000), ("transaction_timeout", 170_000))
#: The name of the tablespace in memory.
MEMORY: Final = "memory"
#: Bytes of a database that is copied into memory for each trial.
_SMALL: Final = 256 * 1024**2
#: Sessions of the administrator that are kept open for the next statement.
_KEPT: Final = 4
#: The role still owns something, in the administrator's database.
_STILL_NEEDED: Final = "2BP01"
#: There is no such database, or no such role.
_ABSENT: Final = frozenset({"3D000", "42704"})
#: Somebody uses the database: a prepared transaction, or a slot that is being read.
_IN_USE: Final = "55006"


@dataclass(slots=True, kw_only=True)
class House:
    """Safe to use from several threads."""

    route: Route
    admin: Login
    #: The database that the administrator works from.
    database: str
    #: Where a port of a trial's loopback leads.
    door: Callable[[int], Door]
    #: What the names of all databases and roles begin with.
    prefix: str = ""
    #: A folder in memory for small databases, as the server sees it; "": none.
    memory: str = ""
    #: The connections that one trial may hold at once.
    connections: int = 97
    number: int = 0
    superuser: bool = True
    #: Why no ledger can be kept on this server; empty: one can.
    blind: str = ""
    _idle: list[Session] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False
    #: The number of the last database that was there when it was opened.
    _newest: int = 0

    def open(self) -> None:
        """See what the server is and what the administrator may.

        Raises ServiceError when it can't be asked.
        """
        with self.session() as session:
            [[number, superuser, replicates, level, slots, newest]] = session.run(
                "SELECT current_setting('server_version_num')::int, r.rolsuper,"
                " r.rolsuper OR r.rolreplication, current_setting('wal_level'),"
                " current_setting('max_replication_slots')::int,"
                " (SELECT max(d.oid)::bigint FROM pg_database d)"
                " FROM pg_roles r WHERE r.rolname = current_user"
            )
        self.number, self.superuser = int(number), bool(superuser)
        self._newest = int(newest)
        if level != "logical":
            self.blind = (
                f"the server runs with wal_level={level}; it tells of committed rows "
                "only with wal_level=logical"
            )
        elif not replicates:
            self.blind = (
                f"the role {self.admin.user} may not replicate, so it is not told of "
                "committed rows"
            )
        elif not slots:
            self.blind = "the server has max_replication_slots=0"

    @property
    def version(self) -> str:
        """Engine and version: "postgresql 18.6"."""
        return f"postgresql {self.number // 10_000}.{self.number % 10_000}"

    def name(self, what: str) -> str:
        """A name that nothing else on the server has."""
        return f"{self.prefix}{what}{next(self._numbers)}"

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """The administrator's session on its own database, kept for the next one."""
        with self._lock:
            session = self._idle.pop() if self._idle else None
        if session is None:
            session = Session(self.route, self.admin, self.database)
        try:
            yield session
        except BaseException:
            session.close()
            raise
        with self._lock:
            keep = not self._closed and len(self._idle) < _KEPT and not session.broken
            if keep:
                self._idle.append(session)
        if not keep:
            session.close()

    @contextlib.contextmanager
    def inside(self, database: str, login: Login | None = None) -> Iterator[Session]:
        """A session on another database, closed at the end."""
        lasting = {name: "0" for name, since in _ENDS if self.number >= since}
        session = Session(self.route, login or self.admin, database, lasting)
        try:
            yield session
        finally:
            session.close()

    def make_role(self, name: str, options: str) -> Login:
        """A role with a random password; the administrator is its member."""
        password = secrets.token_hex(24)
        with self.session() as session:
            session.run(
                f"CREATE ROLE {identifier(name)} PASSWORD{literal(password)} {options}"
            )
            if not self.superuser:
                session.run(f"GRANT {identifier(name)} TO CURRENT_USER")
        return Login(user=name, password=password)

    def join(self, member: str, owner: str) -> None:
        """Let a role use what another one owns.

        Where the server can tell that apart, nothing can be given to the owner: it
        would stay there for the next trial.
        """
        how = " WITH INHERIT TRUE, SET FALSE" if self.number >= _MEMBERS else ""
        with self.session() as session:
            session.run(f"GRANT {identifier(owner)} TO {identifier(member)}{how}")

    def furnish(self) -> None:
        """Take the folder in memory into use; for a server of the run's own."""
        if self.memory:
            with self.session() as session:
                session.run(
                    f"CREATE TABLESPACE {MEMORY} LOCATION{literal(self.memory)}"
                )

    def make_database(
        self, name: str, template: str, owner: str, *, size: int = 0
    ) -> None:
        """A database that only its owner and the administrator can enter.

        It is made in memory where there is some and the template's `size`, in bytes,
        is small: copies of hundreds of files take several times as long on a disk.
        """
        strategy = " STRATEGY wal_log" if self.number >= _STRATEGY else ""
        if self.memory:
            place = MEMORY if size <= _SMALL else "pg_default"
            strategy += f" TABLESPACE {place}"
        with self.session() as session:
            session.run(
                f"CREATE DATABASE {identifier(name)} OWNER {identifier(owner)}"
                f" TEMPLATE {identifier(template)}{strategy}"
            )
            session.run(f"REVOKE ALL ON DATABASE {identifier(name)} FROM PUBLIC")

    def databases_of(self, role: str) -> tuple[str, ...]:
        """The databases that a role owns."""
        with self.session() as session:
            rows = session.run(
                "SELECT d.datname FROM pg_database d JOIN pg_roles r"
                " ON r.oid = d.datdba WHERE r.rolname = $1",
                role,
            )
        return tuple(str(name) for (name,) in rows)

    def given_away(self) -> tuple[str, ...]:
        """Databases that were made since `open` and have no owner of their own.

        Whoever owns a database may give others to the role that stands for the owner
        of each (`pg_database_owner`), and then they are nobody's.
        """
        with self.session() as session:
            rows = session.run(
                "SELECT d.datname FROM pg_database d JOIN pg_roles r"
                " ON r.oid = d.datdba"
                " WHERE r.rolname = 'pg_database_owner' AND d.oid::bigint > $1",
                self._newest,
            )
        return tuple(str(name) for (name,) in rows)

    def empty(self, database: str, role: str = "") -> None:
        """End all sessions on a database, and wait a little until they are gone.

        Those of a role end wherever they are: one that works on in another database
        holds up whatever waits for the server's open transactions.
        """
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE (datname = $1 OR usename = $2) AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        with self.session() as session:
            for _ in range(200):
                if not session.run(ended, database, role):
                    return
                session.run("SELECT pg_sleep(0.01)")

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever uses it; one that is gone is no error."""
        force = " WITH (FORCE)" if self.number >= _FORCE else ""
        try:
            with self.session() as session:
                session.run(
                    f"ALTER DATABASE {identifier(name)} ALLOW_CONNECTIONS false"
                )
            if not force:
                self.empty(name)
            with self.session() as session:
                session.run(f"DROP DATABASE {identifier(name)}{force}")
        except Refused as refused:
            if refused.code in _ABSENT:
                return
            if refused.code != _IN_USE:
                raise
            self._release(name)
            with self.session() as session:
                session.run(f"DROP DATABASE {identifier(name)}{force}")

    def _release(self, name: str) -> None:
        """Roll back what was prepared in a database, and drop its slots."""
        with self.session() as session:
            session.run(f"ALTER DATABASE {identifier(name)} ALLOW_CONNECTIONS true")
        with self.inside(name) as session:
            for (gid,) in session.run(
                "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
            ):
                session.run(f"ROLLBACK PREPARED{literal(str(gid))}")
            session.run(
                "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
                " WHERE database = current_database() AND active"
            )

    def drop_role(self, name: str) -> None:
        """Remove a role that owns no database any more; no error when it is gone."""
        try:
            with self.session() as session:
                session.run(f"DROP ROLE IF EXISTS {identifier(name)}")
        except Refused as refused:
            if refused.code != _STILL_NEEDED:
                raise
            with self.session() as session:
                session.run(f"DROP OWNED BY {identifier(name)}")
                session.run(f"DROP ROLE IF EXISTS {identifier(name)}")

    def forget(self) -> None:
        """Close all idle sessions."""
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()

    def close(self) -> None:
        """Keep no session any more; safe to call twice."""
        with self._lock:
            self._closed = True
        self.forget()
