"""What a PostgreSQL server is asked, and what it answers; nothing is decided here."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from pg8000.core import CoreConnection
from pg8000.exceptions import DatabaseError, Error

from fairtrial.domain.errors import BenchFailed, ServiceError

#: What a parameter may be; the server finds its type from where it stands.
Value = str | int | None
Row = Sequence[Any]
#: Makes a connection to the server's socket; raises OSError or a FairtrialError.
Dial = Callable[[], socket.socket]

#: "unknown": the server takes the type from where the parameter stands.
_UNKNOWN: Final = 705

#: How values are written as text, so that what is written is read back as it was,
#: whatever a database's or a role's own settings say.
_PLAIN: Final = {
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "TimeZone": "UTC",
    "bytea_output": "hex",
    "extra_float_digits": "3",
    "client_min_messages": "error",
    "search_path": "",
    "lc_monetary": "C",
    "standard_conforming_strings": "on",
    "row_security": "off",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "synchronous_commit": "on",
    "quote_all_identifiers": "off",
    "role": "none",
    "statement_timeout": "0",
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
}


class Refused(ServiceError):  # noqa: N818 - said as people say it
    """The server answered with an error; `code` is its SQLSTATE."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unreachable(ServiceError):  # noqa: N818 - said as people say it
    """The server did not answer, or the connection broke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """As whom a server is asked."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How a server is reached; times in seconds."""

    dial: Dial
    #: None: the connection is as the dialled socket has it.
    tls: ssl.SSLContext | None = None
    #: Whose certificate is expected.
    host: str = ""
    #: For one answer, however long the server works on it.
    timeout: float = 600.0


class Session:
    """One connection to one database; not for several threads at once."""

    def __init__(
        self,
        route: Route,
        login: Login,
        database: str,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """With these settings besides the usual ones; raises Refused or Unreachable."""
        with _asking():
            near = route.dial()
        try:
            near.settimeout(route.timeout)
            with _asking():
                if route.tls is not None:
                    near = _secured(near, route.tls, route.host)
                self._core = CoreConnection(
                    user=login.user,
                    password=login.password,
                    database=database,
                    application_name="fairtrial",
                    startup_params={**_PLAIN, **settings},
                    sock=near,
                )
        except BaseException:
            near.close()
            raise
        self._socket = near
        self._prepared: dict[str, tuple[Any, Any, Any]] = {}
        self.broken = False

    def run(self, statement: str, *values: Value) -> list[Row]:
        """The rows of one statement; `$1` and so on stand for the values."""
        with self._watched():
            if not values:
                return list(self._core.execute_simple(statement).rows or ())
            oids = tuple(_oid(value) for value in values)
            context = self._core.execute_unnamed(statement, values, oids)
            return list(context.rows or ())

    def count(self, statement: str, *values: Value) -> int:
        """How many rows a statement changed; it is prepared once for all its calls."""
        with self._watched():
            if statement not in self._prepared:
                self._prepared[statement] = self._core.prepare_statement(
                    statement, tuple(_oid(value) for value in values)
                )
            name, columns, functions = self._prepared[statement]
            texts = [None if value is None else str(value) for value in values]
            context = self._core.execute_named(
                name, texts, columns, functions, statement
            )
            return int(context.row_count)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is run in the block, or nothing of it."""
        self.run("BEGIN")
        try:
            yield
        except BaseException:
            if not self.broken:
                with contextlib.suppress(ServiceError):
                    self.run("ROLLBACK")
            raise
        self.run("COMMIT")

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            with _asking():
                yield
        except Refused:
            raise
        except BaseException:
            # Half an answer may be under way; the next one would not be the next.
            self.broken = True
            raise

    def close(self) -> None:
        """Let the connection go; safe to call twice."""
        with contextlib.suppress(Exception):
            if not self.broken:
                self._core.close()
        with contextlib.suppress(OSError):
            self._socket.close()


def _oid(value: Value) -> int:
    return 20 if isinstance(value, int) else _UNKNOWN


def _secured(near: socket.socket, context: ssl.SSLContext, host: str) -> socket.socket:
    """The connection, encrypted as the protocol asks for it (SSLRequest)."""
    near.sendall(struct.pack("!ii", 8, 80877103))
    if near.recv(1) != b"S":
        raise Unreachable("the server does not speak TLS, which its URL asks for")
    return context.wrap_socket(near, server_hostname=host or None)


@contextlib.contextmanager
def _asking() -> Iterator[None]:
    """Turns what the library raises into our own errors."""
    try:
        yield
    except BenchFailed as error:
        # Whoever dials had no way to it.
        raise Unreachable(f"PostgreSQL did not answer: {error.happened}") from error
    except (Error, OSError, struct.error, UnicodeDecodeError) as error:
        said = _said(error)
        if not said:
            raise Unreachable(f"PostgreSQL did not answer: {error}") from error
        raise Refused(said.get("C", ""), _sentence(said)) from error


def _said(error: BaseException | None) -> Mapping[str, str]:
    """What the server said; empty when it said nothing.

    A login that the server refuses ends with the connection, and then the library may
    raise over that: what was said stands behind it.
    """
    while error is not None:
        if isinstance(error, DatabaseError) and error.args:
            said = error.args[0]
            return said if isinstance(said, dict) else {}
        error = error.__context__
    return {}


def _sentence(said: Mapping[str, str]) -> str:
    parts = (said.get("M", ""), said.get("D", ""))
    whole = ": ".join(part[:1000] for part in parts if part)
    return whole or "PostgreSQL refused without a reason"


def identifier(name: str) -> str:
    """A name, quoted so that it stands for itself in a statement."""
    if "\0" in name:
        raise Refused("22021", "a name with a zero byte")
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def literal(text: str) -> str:
    """A text as a string constant, for statements that take no parameters."""
    if "\0" in text:
        raise Refused("22021", "a text with a zero byte")
    doubled = text.replace("\\", "\\\\").replace("'", "''")
    return f" E'{doubled}'"
