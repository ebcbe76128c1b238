"""One MariaDB or MySQL server as its administrator sees it: sessions, users, names."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from fairtrial.benches.databases.mariadb.catalog import name as quoted_name
from fairtrial.benches.databases.mariadb.recording import Place
from fairtrial.benches.databases.names import slug
from fairtrial.clients.mariadb import Address, Login, Refused, Row, Session
from fairtrial.domain.trials import Door

#: Sessions of the administrator that are kept open for the next statement.
_KEPT: Final = 4
#: Characters of a configured name inside a database's.
_SLUG: Final = 20
#: Of a database's name, which stands in a grant of 64 characters, with each underscore
#: escaped, and what frameworks put around it.
_LONGEST: Final = 55
#: There is no such thread; no such variable or privilege.
_GONE: Final = 1094
#: There is no such database.
ABSENT: Final = 1049
#: Connections that one trial may hold, so that none is short of them for another one.
_CONNECTIONS: Final = 97
#: Moments to wait for connections that were ended, and seconds of each.
_MOMENTS, _MOMENT = 200, 0.01

#: What a database's own user may do: everything in it and in those that frameworks name
#: after it, such as `test_name` and `name_gw0`, and nothing else.
_PATTERNS: Final = ("{0}", r"{0}\_%", r"test\_{0}", r"test\_{0}\_%")


@dataclass(slots=True, kw_only=True)
class House:
    """Safe to use from several threads."""

    address: Address
    admin: Login
    #: What the names of all databases begin with; at most 40 characters.
    prefix: str = ""
    version: str = ""
    #: Why no ledger can be kept on this server; empty: one can.
    blind: str = ""
    _idle: list[Session] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def open(self) -> None:
        """See what the server is and what it tells; raises ServiceError."""
        with self.session() as session:
            self.version = _described(session.version)
            settings = {
                str(name): str(value)
                for name, value in session.run(
                    "SHOW VARIABLES WHERE variable_name IN"
                    " ('log_bin', 'binlog_format', 'binlog_row_image')"
                )
            }
            wanted = {
                "log_bin": "ON",
                "binlog_format": "ROW",
                "binlog_row_image": "FULL",
            }
            wrong = [
                f"{each}={settings[each]}"
                for each, right in wanted.items()
                # MySQL 9 knows no other format, and so no variable for it.
                if settings.get(each, right) != right
            ]
            if wrong:
                self.blind = (
                    f"the server runs with {', '.join(wrong)}; it tells of committed"
                    " rows only with log_bin=ON, binlog_format=ROW and"
                    " binlog_row_image=FULL"
                )
                return
            try:
                self._now(session)
            except Refused as refused:
                self.blind = f"the server does not let its log be read: {refused}"

    def door(self, port: int) -> Door:
        """Where a port of a trial's loopback leads."""
        if self.address.socket:
            return Door(port=port, to=self.address.socket)
        return Door(port=port, to=self.address.host, to_port=self.address.port)

    def name(self, what: str) -> str:
        """A name that no other database on the server has.

        It has no underscore behind the prefix, so that what begins with it and an
        underscore is its own.
        """
        bare = slug(what, _SLUG).replace("_", "")
        made = f"{self.prefix}ft{next(self._numbers)}x{bare}"
        return made[: _LONGEST - made.count("_")]

    def now(self) -> Place:
        """Where the server's log ends; raises ServiceError."""
        with self.session() as session:
            return self._now(session)

    def _now(self, session: Session) -> Place:
        try:
            rows = session.run("SHOW MASTER STATUS")
        except Refused:
            rows = session.run("SHOW BINARY LOG STATUS")
        if not rows:
            raise Refused(0, "it keeps none")
        return Place(file=str(rows[0][0]), at=int(rows[0][1]))

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """The administrator's session, kept for the next one; it writes no log."""
        with self._lock:
            session = self._idle.pop() if self._idle else None
        if session is None:
            session = Session(self.address, self.admin)
            with contextlib.suppress(Refused):
                session.run("SET sql_log_bin = 0")
        try:
            yield session
        except BaseException:
            session.close()
            raise
        with self._lock:
            keep = not self._closed and len(self._idle) < _KEPT
            if keep:
                self._idle.append(session)
        if not keep:
            session.close()

    @contextlib.contextmanager
    def owner(self, login: Login) -> Iterator[Session]:
        """A database's own user, for a block."""
        session = Session(self.address, login)
        try:
            yield session
        finally:
            session.close()

    def make(self, database: str, charset: str = "", collation: str = "") -> Login:
        """An empty database with a user of its own; raises ServiceError."""
        login = Login(user=user_of(database), password=secrets.token_hex(24))
        kind = f" CHARACTER SET {charset} COLLATE {collation}" if charset else ""
        with self.session() as session:
            session.run(f"CREATE DATABASE {quoted_name(database)}{kind}")
            session.run(
                "CREATE USER %s@'%%' IDENTIFIED BY %s"
                f" WITH MAX_USER_CONNECTIONS {_CONNECTIONS}",
                login.user,
                login.password,
            )
            for pattern in _PATTERNS:
                # In a grant an underscore stands for any character.
                on = quoted_name(pattern.format(database.replace("_", r"\_")))
                session.run(
                    f"GRANT ALL ON {on.replace('%', '%%')}.* TO %s@'%%'", login.user
                )
        return login

    def remove_user(self, database: str) -> None:
        """End a database's user and all of its connections; safe to call twice."""
        with self.session() as session:
            session.run("DROP USER IF EXISTS %s@'%%'", user_of(database))
        self.empty(database)

    def empty(self, database: str) -> None:
        """End all connections of a database's user, and what they had prepared.

        A statement goes on without who asked for it, and a prepared transaction holds
        its tables, and its name for all of the server, until somebody ends it.
        """
        listed = "SELECT id FROM information_schema.processlist WHERE user = %s"
        with self.session() as session:
            for _ in range(_MOMENTS):
                numbers = session.run(listed, user_of(database))
                if not numbers:
                    break
                for (number,) in numbers:
                    self._end(session, int(number))
                time.sleep(_MOMENT)
            with contextlib.suppress(Refused):
                # Those of a connection that lives are refused, and so left alone.
                for *_, xid in _prepared(session):
                    with contextlib.suppress(Refused):
                        session.run(f"XA ROLLBACK {str(xid).replace('%', '%%')}")

    def end(self, number: int) -> None:
        """End one connection."""
        with self.session() as session:
            self._end(session, number)

    def _end(self, session: Session, number: int) -> None:
        try:
            session.run(f"KILL {number}")
        except Refused as refused:
            if refused.code != _GONE:
                raise

    def remove(self, database: str) -> None:
        """Remove a database and those that are named after it; safe to call twice."""
        with self.session() as session:
            for (each,) in session.run("SHOW DATABASES"):
                bare = str(each).removeprefix("test_")
                if bare == database or bare.startswith(f"{database}_"):
                    session.run(f"DROP DATABASE IF EXISTS {quoted_name(str(each))}")

    def close(self) -> None:
        """Close all idle sessions; safe to call twice."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()


def _prepared(session: Session) -> list[Row]:
    """The server's prepared transactions, each with its name as SQL writes it."""
    try:
        return session.run("XA RECOVER FORMAT='SQL'")
    except Refused:
        # MySQL knows names in hexadecimal digits only, both parts together.
        return [
            (f"0x{str(data)[2:][: 2 * int(first)]},0x{rest or '00'},{form}",)
            for form, first, _, data in session.run("XA RECOVER CONVERT XID")
            for rest in [str(data)[2:][2 * int(first) :]]
        ]


def user_of(database: str) -> str:
    """The name of a database's user, which may have 32 characters in MySQL."""
    return f"ft{hashlib.sha256(database.encode()).hexdigest()[:24]}"


def _described(greeting: str) -> str:
    """Engine and version, from what the server greets with."""
    number = greeting.removeprefix("5.5.5-").partition("-")[0]
    return f"{'mariadb' if 'mariadb' in greeting.lower() else 'mysql'} {number}"
