"""Where an administrator's URL of a MariaDB or MySQL server leads, and as whom."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from fairtrial.clients.mariadb import Address, Login
from fairtrial.domain.errors import ConfigurationError

_SCHEMES: Final = frozenset({"mysql", "mariadb"})
_PORT: Final = 3306


def parse(url: str, variable: str) -> tuple[Address, Login]:
    """Where a URL such as "mysql://user:password@host:3306/" leads, and as whom.

    Raises ConfigurationError, which never repeats the URL, since it holds a password.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _PORT
        known = parse_qs(parts.query)
    except ValueError:
        raise _wrong(variable, "it can't be read as a URL") from None
    if parts.scheme.partition("+")[0] not in _SCHEMES:
        raise _wrong(variable, "it does not begin with mysql:// or mariadb://")
    if not parts.username:
        raise _wrong(variable, "it names no user")
    place = known.get("unix_socket", known.get("socket", [""]))[0]
    if not parts.hostname and not place:
        raise _wrong(variable, "it names no host")
    mode = known.get("ssl-mode", known.get("sslmode", [""]))[0].lower()
    login = Login(user=unquote(parts.username), password=unquote(parts.password or ""))
    return (
        Address(
            socket=os.path.abspath(place) if place else "",  # noqa: PTH100 - a text
            host=parts.hostname or "",
            port=port,
            tls=mode in {"require", "required", "verify_ca", "verify_identity"},
        ),
        login,
    )


def _wrong(variable: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"The variable {variable} holds no URL of a MariaDB server: {why}.",
        remedy="Write it like mysql://root:password@localhost:3306/.",
    )
