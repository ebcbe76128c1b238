from __future__ import annotations

import ssl

import pytest

from fairtrial.clients.postgres_url import parse
from fairtrial.domain.errors import ConfigurationError


def test_a_url_says_where_and_as_whom() -> None:
    address = parse("postgres://me:p%40ss%2F@db.example:6543/admin%20db", "URL")

    assert ("db.example", 6543) == (address.host, address.port)
    assert ("me", "p@ss/") == (address.login.user, address.login.password)
    assert "admin db" == address.database
    assert "" == address.socket_path
    assert address.route().tls is None
    assert "p@ss/" not in repr(address)


def test_what_a_url_leaves_out_is_as_libpq_has_it() -> None:
    address = parse(" postgresql+psycopg://me@localhost\n", "URL")

    assert 5432 == address.port
    assert "postgres" == address.database
    assert "" == address.login.password


def test_a_folder_in_the_query_leads_to_a_socket() -> None:
    url = "postgresql:///db?host=/run/pg&user=me&password=word&port=5433"
    address = parse(url, "URL")

    assert "/run/pg/.s.PGSQL.5433" == address.socket_path
    assert ("me", "word") == (address.login.user, address.login.password)


@pytest.mark.parametrize(
    ("mode", "checked", "host"),
    [
        ("require", ssl.CERT_NONE, False),
        ("verify-ca", ssl.CERT_REQUIRED, False),
        ("verify-full", ssl.CERT_REQUIRED, True),
    ],
)
def test_encryption_is_as_strict_as_the_url_says(
    mode: str, checked: ssl.VerifyMode, host: bool
) -> None:
    tls = parse(f"postgresql://me@db/x?sslmode={mode}", "URL").route().tls

    assert tls is not None
    assert checked is tls.verify_mode
    assert host is tls.check_hostname


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mysql://me:secret@db",
        "postgresql://db",
        "postgresql://me:secret@",
        "postgresql://me:secret@db:port/x",
        "postgresql://me:secret@/x?host=db&port=abc",
        "postgresql://me:secret@[db/x",
    ],
)
def test_what_is_no_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"\$ADMIN_URL holds no URL") as told:
        parse(url, "ADMIN_URL")

    assert "secret" not in told.value.diagnostics()
