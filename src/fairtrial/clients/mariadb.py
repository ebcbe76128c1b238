"""What a MariaDB or MySQL server is asked, and what it answers; it decides nothing."""

from __future__ import annotations

import contextlib
import secrets
import socket
import ssl
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pymysql
from pymysql.connections import Connection
from pymysql.constants import CLIENT, COMMAND
from pymysql.cursors import Cursor

from fairtrial.clients.dialling import dial
from fairtrial.domain.errors import ServiceError

#: Seconds for a connection, and for one answer.
_CONNECTING: Final = 10
_ANSWERING: Final = 600

#: A stream that says nothing is asked for a sign of life this often, in nanoseconds.
_HEARTBEAT: Final = 5_000_000_000

#: Bytes that are read in one go.
_CHUNK: Final = 1 << 18

Value = str | int | bytes | None
Row = Sequence[Any]


class Refused(ServiceError):  # noqa: N818 - said as people say it
    """The server answered with an error; `code` is its number."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unreachable(ServiceError):  # noqa: N818 - said as people say it
    """The server did not answer, or the connection broke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a server listens; `socket` is a path, and then the rest does not count."""

    socket: str = ""
    host: str = ""
    port: int = 3306
    #: Whether the connection has to be encrypted.
    tls: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """As whom a server is asked."""

    user: str
    password: str = field(repr=False)


class Session:
    """One connection, for one thread at a time; values are bound by the client."""

    def __init__(self, address: Address, login: Login, database: str = "") -> None:
        """Raises Refused or Unreachable."""
        with _asking():
            self._connection = _connect(address, login, database)

    def run(self, statement: str, *values: Value) -> list[Row]:
        """The rows of one statement; `%s` stands for a value, `%%` for a per cent."""
        with _asking(), self._connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return list(cursor.fetchall())

    def count(self, statement: str, *values: Value) -> int:
        """How many rows a statement found or changed."""
        with _asking(), self._connection.cursor() as cursor:
            return int(cursor.execute(statement, values or None))

    def script(self, statements: Sequence[str]) -> None:
        """Run many statements at one go; the first that is refused ends it."""
        if not statements:
            return
        with _asking(), self._connection.cursor() as cursor:
            cursor.execute(";\n".join(statements))
            while cursor.nextset():
                pass

    def use(self, database: str) -> None:
        """Let names without a database mean those of this one."""
        with _asking():
            self._connection.select_db(database)

    @property
    def version(self) -> str:
        """As the server says it when it is greeted: "10.11.6-MariaDB"."""
        return str(self._connection.get_server_info())  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Let the connection go; safe to call twice."""
        with contextlib.suppress(Exception):
            self._connection.close()


class Stream:
    """The server's log of committed changes from a place on, as it is written."""

    def __init__(self, address: Address, login: Login, file: str, at: int) -> None:
        """Raises Refused or Unreachable."""
        with _asking():
            self._connection = _connect(address, login, "")
            try:
                self._begin(file, at)
            except BaseException:
                self._connection.close()
                raise

    def _begin(self, file: str, at: int) -> None:
        with self._connection.cursor() as cursor:
            # As the server writes it: what is asked for otherwise, not all do.
            for name in ("master_binlog_checksum", "source_binlog_checksum"):
                cursor.execute(f"SET @{name} = @@global.binlog_checksum")
            cursor.execute(f"SET @master_heartbeat_period = {_HEARTBEAT}")
            cursor.execute("SET @mariadb_slave_capability = 4")
        # A server drops an older reader of the same number.
        reader = secrets.randbelow(2**31) + 2**31
        asked = struct.pack("<IHI", at, 0, reader) + file.encode()
        # The library has no public way to send a command of replication.
        wire: Any = self._connection
        wire._execute_command(COMMAND.COM_BINLOG_DUMP, asked)  # noqa: SLF001

    @property
    def number(self) -> int:
        """The connection's number, for whoever wants to end it."""
        return int(self._connection.thread_id())  # type: ignore[no-untyped-call]

    def some(self) -> bytes:
        """What came next, in the packets of the protocol; nothing when it has ended.

        Raises Unreachable.
        """
        wire: Any = self._connection
        with _asking():
            taken: bytes = wire._sock.recv(_CHUNK)  # noqa: SLF001
        return taken

    def cut(self) -> None:
        """End it from another thread."""
        wire: Any = self._connection
        with contextlib.suppress(OSError, AttributeError):
            wire._sock.shutdown(socket.SHUT_RDWR)  # noqa: SLF001

    def close(self) -> None:
        """Let the connection go; safe to call twice."""
        wire: Any = self._connection
        with contextlib.suppress(Exception):
            wire._force_close()  # noqa: SLF001


def _connect(address: Address, login: Login, database: str) -> Connection[Cursor]:
    connection: Connection[Cursor] = Connection(
        host=address.host or None,
        port=address.port,
        user=login.user,
        password=login.password,
        database=database or None,
        charset="utf8mb4",
        autocommit=True,
        client_flag=CLIENT.MULTI_STATEMENTS | CLIENT.FOUND_ROWS,
        connect_timeout=_CONNECTING,
        read_timeout=_ANSWERING,
        write_timeout=_ANSWERING,
        ssl=_encrypted() if address.tls else None,
        read_default_file=None,
        defer_connect=True,
    )
    # The library would leave a socket open that leads nowhere.
    near = dial(
        path=address.socket,
        host=address.host,
        port=address.port,
        seconds=_CONNECTING,
    )
    wire: Any = connection
    try:
        wire.connect(near)
    except BaseException:
        near.close()
        raise
    return connection


def _encrypted() -> ssl.SSLContext:
    """Encrypted, with whoever answers: service containers sign for themselves."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@contextlib.contextmanager
def _asking() -> Iterator[None]:
    """Turns what the library raises into our own errors."""
    try:
        yield
    except (pymysql.err.InterfaceError, OSError, struct.error) as error:
        raise Unreachable(f"MariaDB did not answer: {error}") from error
    except pymysql.err.MySQLError as error:
        code = error.args[0] if error.args and isinstance(error.args[0], int) else 0
        text = str(error.args[-1])[:1000] if error.args else "no reason was given"
        if not code or code >= 2000:  # noqa: PLR2004 - the client's own errors
            raise Unreachable(f"MariaDB did not answer: {text}") from error
        raise Refused(code, text) from error
