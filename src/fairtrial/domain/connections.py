"""How a suite's variables say where its databases are."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from fairtrial.domain.databases import Connection, DatabaseSettings, Engine, Part


def variables(
    settings: DatabaseSettings, connection: Connection, *, first: bool = False
) -> dict[str, str]:
    """What `settings.env` asks for, by variable.

    A part that the engine has not (SQLite's port) is empty. `first`: the suite has no
    database of this engine before it, so the variables that the engine's own clients
    read tell of this one, too; what `env:` names wins over them.
    """
    named = {
        name: _part(part, settings, connection) for name, part in settings.env.items()
    }
    return {**(client_variables(connection) if first else {}), **named}


def client_variables(connection: Connection) -> Mapping[str, str]:
    """What the engine's own clients and images read.

    PostgreSQL's are those of libpq. MariaDB's programs read host, port and password;
    the names for user and database are those of the engine's container images. SQLite
    has none.
    """
    match connection.engine:
        case Engine.POSTGRESQL:
            return {
                "PGHOST": connection.host,
                "PGPORT": str(connection.port),
                "PGDATABASE": connection.name,
                "PGUSER": connection.user,
                "PGPASSWORD": connection.password,
            }
        case Engine.MARIADB:
            return {
                "MYSQL_HOST": connection.host,
                "MYSQL_TCP_PORT": str(connection.port),
                "MYSQL_PWD": connection.password,
                "MYSQL_USER": connection.user,
                "MYSQL_DATABASE": connection.name,
            }
        case Engine.SQLITE:
            return {}


def url(connection: Connection, driver: str = "") -> str:
    """The connection as one URL, percent-encoded: "postgresql://user:…@host:port/name".

    SQLite's has an absolute path behind three slashes: "sqlite:////tmp/orders.db".
    `driver` stands behind the scheme: "postgresql+psycopg://…".
    """
    plus = f"+{driver}" if driver else ""
    match connection.engine:
        case Engine.POSTGRESQL:
            return f"postgresql{plus}://{_login(connection)}{_place(connection)}"
        case Engine.MARIADB:
            return f"mysql{plus}://{_login(connection)}{_place(connection)}"
        case Engine.SQLITE:
            return f"sqlite{plus}:///{quote(connection.path)}"


def jdbc(connection: Connection, dialect: str = "") -> str:
    """The connection as a JDBC URL that holds user and password.

    `dialect` stands for "mariadb" where a driver wants another word: "mysql".
    """
    match connection.engine:
        case Engine.POSTGRESQL:
            return f"jdbc:postgresql://{_place(connection)}{_query(connection)}"
        case Engine.MARIADB:
            word = dialect or "mariadb"
            return f"jdbc:{word}://{_place(connection)}{_query(connection)}"
        case Engine.SQLITE:
            return f"jdbc:sqlite:{connection.path}"


def _part(part: Part, settings: DatabaseSettings, connection: Connection) -> str:
    match part:
        case Part.URL:
            return url(connection, settings.driver)
        case Part.JDBC:
            return jdbc(connection, settings.dialect)
        case Part.HOST:
            return connection.host
        case Part.PORT:
            return str(connection.port) if connection.port else ""
        case Part.NAME:
            return connection.name
        case Part.USER:
            return connection.user
        case Part.PASSWORD:
            return connection.password
        case Part.PATH:
            return connection.path


def _login(connection: Connection) -> str:
    user = quote(connection.user, safe="")
    password = quote(connection.password, safe="")
    return f"{user}:{password}@" if password else f"{user}@"


def _place(connection: Connection) -> str:
    host = f"[{connection.host}]" if ":" in connection.host else connection.host
    return f"{host}:{connection.port}/{quote(connection.name, safe='')}"


def _query(connection: Connection) -> str:
    user = quote(connection.user, safe="")
    password = quote(connection.password, safe="")
    return f"?user={user}&password={password}"
