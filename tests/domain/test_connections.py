from __future__ import annotations

from urllib.parse import unquote, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.connections import jdbc, url, variables
from fairtrial.domain.databases import Connection, DatabaseSettings, Engine, Part

POSTGRESQL = Connection(
    engine=Engine.POSTGRESQL,
    name="orders_1",
    host="127.0.0.1",
    port=5432,
    user="t1",
    password="p@ss/w:rd",
)
MARIADB = Connection(
    engine=Engine.MARIADB,
    name="shop",
    host="127.0.0.1",
    port=3306,
    user="t2",
    password="secret",
)
SQLITE = Connection(engine=Engine.SQLITE, name="local", path="/out/local.db")

ORDERS = DatabaseSettings(
    name="orders", env={"DATABASE_URL": Part.URL, "DB_PORT": Part.PORT}
)
SHOP = DatabaseSettings(
    name="shop", engine=Engine.MARIADB, env={"SHOP_HOST": Part.HOST}
)


def test_a_url_holds_everything_percent_encoded() -> None:
    assert "postgresql://t1:p%40ss%2Fw%3Ard@127.0.0.1:5432/orders_1" == url(POSTGRESQL)
    assert "mysql://t2:secret@127.0.0.1:3306/shop" == url(MARIADB)
    assert "sqlite:////out/local.db" == url(SQLITE)


def test_a_driver_stands_behind_the_scheme() -> None:
    assert "sqlite+aiosqlite:////out/local.db" == url(SQLITE, "aiosqlite")
    assert url(MARIADB, "pymysql").startswith("mysql+pymysql://t2:")
    assert url(POSTGRESQL, "psycopg").startswith("postgresql+psycopg://t1:")


def test_jdbc_has_user_and_password_behind_the_question_mark() -> None:
    assert (
        "jdbc:postgresql://127.0.0.1:5432/orders_1?user=t1&password=p%40ss%2Fw%3Ard"
    ) == jdbc(POSTGRESQL)
    assert "jdbc:mariadb://127.0.0.1:3306/shop?user=t2&password=secret" == jdbc(MARIADB)
    assert jdbc(MARIADB, "mysql").startswith("jdbc:mysql://127.0.0.1:3306/shop?")
    assert "jdbc:sqlite:/out/local.db" == jdbc(SQLITE)


def test_each_part_can_have_a_variable_of_its_own() -> None:
    every = DatabaseSettings(
        name="orders", env={part.name: part for part in Part}, driver="psycopg"
    )
    assert {
        "URL": url(POSTGRESQL, "psycopg"),
        "JDBC": jdbc(POSTGRESQL),
        "HOST": "127.0.0.1",
        "PORT": "5432",
        "NAME": "orders_1",
        "USER": "t1",
        "PASSWORD": "p@ss/w:rd",
        "PATH": "",
    } == variables(every, POSTGRESQL)


def test_the_clients_own_variables_are_those_of_the_first_database() -> None:
    found = variables(ORDERS, POSTGRESQL, first=True)
    assert {
        "PGHOST": "127.0.0.1",
        "PGPORT": "5432",
        "PGDATABASE": "orders_1",
        "PGUSER": "t1",
        "PGPASSWORD": "p@ss/w:rd",
        "DATABASE_URL": url(POSTGRESQL),
        "DB_PORT": "5432",
    } == found
    assert {"DATABASE_URL", "DB_PORT"} == set(variables(ORDERS, POSTGRESQL))
    assert {
        "MYSQL_HOST": "127.0.0.1",
        "MYSQL_TCP_PORT": "3306",
        "MYSQL_PWD": "secret",
        "MYSQL_USER": "t2",
        "MYSQL_DATABASE": "shop",
        "SHOP_HOST": "127.0.0.1",
    } == variables(SHOP, MARIADB, first=True)


def test_what_the_suite_names_wins_over_the_clients_own() -> None:
    odd = DatabaseSettings(name="odd", env={"PGHOST": Part.NAME})
    assert "orders_1" == variables(odd, POSTGRESQL, first=True)["PGHOST"]


def test_sqlite_has_no_variables_that_nobody_asked_for() -> None:
    settings = DatabaseSettings(
        name="local", engine=Engine.SQLITE, env={"DB": Part.PATH}
    )
    assert {"DB": "/out/local.db"} == variables(settings, SQLITE, first=True)


@given(user=st.text(min_size=1), password=st.text(), name=st.text(min_size=1))
def test_what_goes_into_a_url_comes_out_of_it(
    user: str, password: str, name: str
) -> None:
    made = Connection(
        engine=Engine.POSTGRESQL,
        name=name,
        host="::1",
        port=5432,
        user=user,
        password=password,
    )
    parts = urlsplit(url(made))
    assert ("::1", 5432) == (parts.hostname, parts.port)
    assert user == unquote(parts.username or "")
    assert password == unquote(parts.password or "")
    assert name == unquote(parts.path[1:])
