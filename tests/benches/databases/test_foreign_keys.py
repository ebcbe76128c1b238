"""The printed statements empty real databases, whatever refers to what."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from fairtrial.benches.databases.foreign_keys import References, of_clone, of_url
from fairtrial.benches.databases.mariadb import OwnMariaDB
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.benches.databases.postgres.clone import PostgresClone
from fairtrial.domain.databases import DatabaseSettings, Engine
from fairtrial.domain.errors import BenchUnavailable, ConfigurationError
from fairtrial.policy.clean_order import clean_order
from fairtrial.policy.clean_statements import statements

#: A chain, a table that refers to itself, a cycle with a way out and one without.
COMMON = (
    "CREATE TABLE customers (id INT PRIMARY KEY)",
    """CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL,
        FOREIGN KEY (customer) REFERENCES customers (id))""",
    """CREATE TABLE folders (id INT PRIMARY KEY, inside INT,
        FOREIGN KEY (inside) REFERENCES folders (id))""",
    "CREATE TABLE offices (id INT PRIMARY KEY, head INT NOT NULL)",
    """CREATE TABLE employees (id INT PRIMARY KEY, office INT,
        FOREIGN KEY (office) REFERENCES offices (id))""",
    "INSERT INTO customers VALUES (1)",
    "INSERT INTO orders VALUES (1, 1)",
    "INSERT INTO folders VALUES (1, NULL), (2, 1), (3, 2)",
    "INSERT INTO employees VALUES (1, NULL)",
    "INSERT INTO offices VALUES (1, 1)",
    "UPDATE employees SET office = 1",
)
SERVERS = (
    *COMMON,
    "ALTER TABLE offices ADD FOREIGN KEY (head) REFERENCES employees (id)",
    "CREATE TABLE eggs (id INT PRIMARY KEY, hen INT NOT NULL)",
    "CREATE TABLE hens (id INT PRIMARY KEY, egg INT NOT NULL)",
    "INSERT INTO eggs VALUES (1, 1)",
    "INSERT INTO hens VALUES (1, 1)",
    "ALTER TABLE eggs ADD FOREIGN KEY (hen) REFERENCES hens (id)",
    "ALTER TABLE hens ADD FOREIGN KEY (egg) REFERENCES eggs (id)",
)
ALL = {"customers", "orders", "folders", "offices", "employees", "eggs", "hens"}


def lines(found: References) -> list[str]:
    printed = statements(clean_order(found.tables, found.keys), found.engine)
    return [each for each in printed if not each.startswith("--")]


def test_sqlite_is_emptied(tmp_path: Path) -> None:
    file = tmp_path / "it.db"
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    for each in COMMON:
        connection.execute(
            each.replace("head INT NOT NULL)", "head REFERENCES Employees)")
        )
    found = of_url(f"sqlite:///{file}", "URL")
    for each in lines(found):
        connection.execute(each)
    for (table,) in found.tables:
        assert (0,) == connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    assert ALL - {"eggs", "hens"} == {table for (table,) in found.tables}
    connection.close()


def test_mariadb_is_emptied(mariadb: OwnMariaDB) -> None:
    settings = DatabaseSettings(name="it", engine=Engine.MARIADB)

    def build(clone: object) -> None:
        _maria(clone, SERVERS)

    mariadb.template("it", settings, build)
    clone = mariadb.clone("it", settings, 3306)
    found = of_clone(clone)
    assert {(each,) for each in ALL} == set(found.tables)
    _maria(clone, lines(found))
    assert isinstance(clone, MariaClone)
    for table in ALL:
        assert [(0,)] == _maria(clone, [f"SELECT count(*) FROM {table}"])
    admin, path = clone.house.admin, clone.house.address.socket
    login = f"{admin.user}:{admin.password}"
    url = f"mysql://{login}@localhost/{clone.database}?unix_socket={path}"
    assert found == of_url(url, "URL")


def _maria(clone: object, asked: list[str] | tuple[str, ...]) -> object:
    assert isinstance(clone, MariaClone)
    found: object = None
    with clone.house.owner(clone.login) as session:
        session.use(clone.database)
        for each in asked:
            found = session.run(each)
    return found


def test_postgresql_is_emptied(tmp_path: Path) -> None:
    server = EmbeddedServer(scratch=tmp_path / "s", cache=tmp_path / "c")
    try:
        settings = DatabaseSettings(name="it")
        other = 'CREATE SCHEMA "My shop"', 'CREATE TABLE "My shop".x (id INT UNIQUE)'

        def build(clone: object) -> None:
            _pg(clone, (*SERVERS, *other))

        server.template("k", settings, build)
        clone = server.clone("k", settings, 5432)
        found = of_clone(clone)
        assert {("public", each) for each in ALL} | {("My shop", "x")} == set(
            found.tables
        )
        _pg(clone, lines(found))
        for table in ALL:
            assert [[0]] == _pg(clone, [f"SELECT count(*) FROM {table}"])
    finally:
        server.close()


def _pg(clone: object, asked: list[str] | tuple[str, ...]) -> object:
    assert isinstance(clone, PostgresClone)
    found: object = None
    with clone.house.inside(clone.name, clone.login) as session:
        session.run("SET search_path = public")
        for each in asked:
            found = [list(row) for row in session.run(each)]
    return found


def test_a_url_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchUnavailable, match="names can't be read"):
        of_url(f"sqlite:///{tmp_path}/none.db", "URL")
    with pytest.raises(BenchUnavailable, match="names can't be read"):
        of_url("mysql://u:p@127.0.0.1:1/x", "URL")
    with pytest.raises(ConfigurationError, match="does not begin with"):
        of_url("http://u:p@h/x", "URL")
