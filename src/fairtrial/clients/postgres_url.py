"""Where an administrator's URL of a PostgreSQL server leads, and as whom."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from fairtrial.clients.dialling import dial
from fairtrial.clients.postgres import Login, Route
from fairtrial.domain.errors import ConfigurationError

_PORT: Final = 5432
#: Seconds for a connection to be made.
_CONNECTING: Final = 20.0
#: How libpq names the ways to encrypt; the first of each pair is plain.
_PLAIN: Final = frozenset({"", "disable", "allow", "prefer"})
_VERIFIED: Final = frozenset({"verify-ca", "verify-full"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One server; `host` that begins with a slash is the folder of its socket."""

    host: str
    port: int
    login: Login
    database: str
    #: libpq's word for it.
    sslmode: str = ""
    sslrootcert: str = field(default="")

    @property
    def socket_path(self) -> str:
        """The path of its Unix socket; empty when it listens on a port."""
        is_folder = self.host.startswith("/")
        return f"{self.host}/.s.PGSQL.{self.port}" if is_folder else ""

    def route(self) -> Route:
        """How it is reached from here."""
        dialled = partial(
            dial,
            path=self.socket_path,
            host=self.host,
            port=self.port,
            seconds=_CONNECTING,
        )
        return Route(dial=dialled, tls=self._tls(), host=self.host)

    def _tls(self) -> ssl.SSLContext | None:
        if self.sslmode in _PLAIN or self.socket_path:
            return None
        context = ssl.create_default_context(cafile=self.sslrootcert or None)
        context.check_hostname = self.sslmode == "verify-full"
        if self.sslmode not in _VERIFIED:
            context.verify_mode = ssl.CERT_NONE
        return context


def parse(url: str, variable: str) -> Address:
    """The address in a URL such as "postgresql://user:password@host:5432/database".

    `variable` is where it was read, for the message. Raises ConfigurationError, which
    never repeats the URL, since it holds a password.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
        known = parse_qs(parts.query)
    except ValueError:
        raise _wrong(variable, "it can't be read as a URL") from None
    if parts.scheme.partition("+")[0] not in {"postgresql", "postgres"}:
        raise _wrong(variable, "it does not begin with postgresql://")
    user = unquote(parts.username or _first(known, "user"))
    host = unquote(parts.hostname or _first(known, "host"))
    if not user or not host:
        raise _wrong(variable, "user and host have to be in it")
    given = port or _first(known, "port") or _PORT
    if not str(given).isdigit():
        raise _wrong(variable, "its port is no number")
    return Address(
        host=host,
        port=int(given),
        login=Login(
            user=user,
            password=unquote(parts.password or _first(known, "password")),
        ),
        database=unquote(parts.path.removeprefix("/")) or "postgres",
        sslmode=_first(known, "sslmode"),
        sslrootcert=_first(known, "sslrootcert"),
    )


def _first(known: dict[str, list[str]], name: str) -> str:
    return known.get(name, [""])[0]


def _wrong(variable: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"${variable} holds no URL of a PostgreSQL server: {why}.",
        means="`admin:` of a database names this variable of the gate's environment.",
        remedy="Set it to postgresql://user:password@host:5432/database.",
    )
