"""What the configuration says of a suite's databases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import yaml

from fairtrial.domain.databases import DatabaseSettings, Engine, Part
from fairtrial.settings.nodes import Value, optional

DATABASE: Final = ("engine", "server", "schema", "env", "driver")
SERVER: Final = ("admin",)

#: The words for an engine; MySQL's servers and MariaDB's speak one protocol.
ENGINES: Final[Mapping[str, Engine]] = {
    **{each.value: each for each in Engine},
    "mysql": Engine.MARIADB,
}

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ADMIN: Final = re.compile(
    r"\$?([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}"
)
_DRIVER: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")

#: What SQLite has, and what only it has.
_OF_FILES: Final = frozenset({Part.URL, Part.JDBC, Part.NAME, Part.PATH})
_OF_SERVERS: Final = frozenset(Part) - {Part.PATH}


def read_databases(
    value: Value, taken: Mapping[str, Value]
) -> tuple[DatabaseSettings, ...]:
    """A suite's databases in the order of the file.

    `taken` are the variables that the suite's `env:` sets itself.
    """
    found: list[DatabaseSettings] = []
    variables = dict.fromkeys(taken, "the suite's own `env:`")
    for name, each in value.mapping().items():
        one = _database(name, each, found)
        place = each.mapping().get("env", each) if not each.is_null else each
        for variable in one.env:
            if variable in variables:
                place.wrong(
                    f'the variable "{variable}" is set by {variables[variable]} too.',
                    means="Only one of the two could reach the tests.",
                    remedy="Give each its own variable.",
                )
            variables[variable] = f'database "{name}"'
        found.append(one)
    return tuple(found)


def _database(
    name: str, value: Value, before: Sequence[DatabaseSettings]
) -> DatabaseSettings:
    if not NAME.fullmatch(name):
        value.wrong(
            "a database's name begins with a letter and is made of letters, digits,"
            " `_` and `-`, at most 40 of them."
        )
    found = {} if value.is_null else value.fields(DATABASE)
    word = optional(found.get("engine"), _engine) or Engine.POSTGRESQL.value
    engine = ENGINES[word]
    env = optional(found.get("env"), _env)
    if not env and (
        engine is Engine.SQLITE or any(one.engine is engine for one in before)
    ):
        found.get("env", value).wrong(
            "no variable tells the tests where this database is.",
            means="Only the suite's first PostgreSQL and first MariaDB database are"
            " told by variables of their own (PGHOST, MYSQL_HOST and the like).",
            remedy="Name one, such as `env: DATABASE_URL`.",
        )
    for variable, part in (env or {}).items():
        if part not in (_OF_FILES if engine is Engine.SQLITE else _OF_SERVERS):
            place = found["env"].mapping().get(variable, found["env"])
            place.wrong(
                f"{word} has no {part.value}.",
                remedy=f"It has: {_listed(engine)}.",
            )
    return DatabaseSettings(
        name=name,
        engine=engine,
        admin=_server(found.get("server"), engine),
        schema=optional(found.get("schema"), _schema) or (),
        env=env or {},
        driver=optional(found.get("driver"), _driver) or "",
        dialect=word if word != engine.value else "",
    )


def _listed(engine: Engine) -> str:
    has = _OF_FILES if engine is Engine.SQLITE else _OF_SERVERS
    return ", ".join(each.value for each in Part if each in has)


def _engine(value: Value) -> str:
    return value.one_of({word: word for word in ENGINES})


def _server(value: Value | None, engine: Engine) -> str | None:
    """The variable that holds an administrator's URL; none: a server of our own."""
    if value is None or value.is_null:
        return None
    if not isinstance(value.node, yaml.MappingNode):
        value.one_of({"embedded": None})
        return None
    found = value.fields(SERVER)
    if "admin" not in found:
        value.wrong('the key "admin" is missing.')
    admin = found["admin"]
    if engine is Engine.SQLITE:
        admin.wrong(
            "SQLite has no server.", remedy="Leave `server:` out: a file is made."
        )
    written = admin.text()
    match = _ADMIN.fullmatch(written)
    if match is None:
        admin.wrong(
            "the name of a variable was meant, not what is in it.",
            means="An administrator's password in this file could be read by anybody"
            " who can read the repository.",
            remedy="Put the URL into a secret, give it to this step as a variable, and"
            " write `admin: $ADMIN_URL`.",
        )
    return match[1] or match[2]


def _schema(value: Value) -> tuple[str, ...]:
    if isinstance(value.node, yaml.SequenceNode):
        return value.texts()
    return (value.text(),)


def _env(value: Value) -> Mapping[str, Part]:
    if not isinstance(value.node, yaml.MappingNode):
        return {_variable(value, value.text()): Part.URL}
    parts = {part.value: part for part in Part}
    return {
        _variable(each, name): each.one_of(parts)
        for name, each in value.mapping().items()
    }


def _variable(value: Value, name: str) -> str:
    if not VARIABLE.fullmatch(name):
        value.wrong("this is no name of an environment variable.")
    return name


def _driver(value: Value) -> str:
    driver = value.text()
    if not _DRIVER.fullmatch(driver):
        value.wrong(
            "a driver's name was meant, as it stands behind the `+` of a URL.",
            remedy="Write one like `psycopg`.",
        )
    return driver
