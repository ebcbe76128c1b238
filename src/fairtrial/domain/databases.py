"""What a suite's logical databases are, and what a test left behind in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Engine(StrEnum):
    """Which program keeps a database."""

    POSTGRESQL = "postgresql"
    MARIADB = "mariadb"
    SQLITE = "sqlite"


class Part(StrEnum):
    """What of a connection a variable of the suite holds."""

    URL = "url"
    JDBC = "jdbc"
    HOST = "host"
    PORT = "port"
    NAME = "name"
    USER = "user"
    PASSWORD = "password"  # noqa: S105 - the word, not one
    #: SQLite's file.
    PATH = "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSettings:
    """One logical database of a suite, as the configuration has it."""

    name: str
    engine: Engine = Engine.POSTGRESQL
    #: The variable of the gate's own environment that holds an administrator's URL of
    #: a server that is there already; None: a server of the run's own.
    admin: str | None = None
    #: How the schema is built: trusted lines for `sh -c`, in the tree, without network.
    schema: tuple[str, ...] = ()
    #: Variables of the suite, and what of the connection each holds. PostgreSQL's own
    #: (PGHOST and the like) are set besides, for the suite's first database.
    env: Mapping[str, Part] = field(default_factory=dict)
    #: What its URL names behind a `+`, as SQLAlchemy's do: "psycopg"; empty: nothing.
    driver: str = ""
    #: The word in MariaDB's JDBC URL, where it is not its own: "mysql".
    dialect: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How a trial reaches one logical database; `path` is SQLite's file."""

    engine: Engine
    name: str
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    path: str = ""


class Verb(StrEnum):
    """What a committed change did."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One committed change of one row, or of a whole table for `truncate`.

    Values are as the server writes them as text; None is NULL.
    """

    database: str
    #: With its schema, as the server quotes it: "public.orders".
    table: str
    verb: Verb
    #: What identifies the row, for an update or a delete.
    key: Mapping[str, str | None] = field(default_factory=dict)
    #: The new row; for an update as far as the server tells it.
    values: Mapping[str, str | None] = field(default_factory=dict)
    #: The type of each column in `values` and `key`, as the server names it.
    types: Mapping[str, str] = field(default_factory=dict)
    #: When it was committed, in seconds since the epoch.
    at: float = 0.0
    #: The transaction, where the server numbers them.
    transaction: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Alteration:
    """What differs from the template and is no row: told, and not put back by us.

    kind: "table", "column", "index", "view", "function", "sequence", "unlogged table",
    "large object", "setting" and the like.
    """

    database: str
    kind: str
    name: str
    was: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Everything that one trial committed in one database, in order."""

    changes: tuple[Change, ...] = ()
    alterations: tuple[Alteration, ...] = ()
    #: Why there are no changes to be seen here, in one sentence; empty: all are seen.
    blind: str = ""
