from __future__ import annotations

from urllib.parse import unquote, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.connections import jdbc, suite_variables, url, variables
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
    assert url(POSTGRESQL) == "postgresql://t1:p%40ss%2Fw%3Ard@127.0.0.1:5432/orders_1"
    assert url(MARIADB) == "mysql://t2:secret@127.0.0.1:3306/shop"
    assert url(SQLITE) == "sqlite:////out/local.db"


def test_a_driver_stands_behind_the_scheme() -> None:
    assert url(SQLITE, "aiosqlite") == "sqlite+aiosqlite:////out/local.db"
    assert url(MARIADB, "pymysql").startswith("mysql+pymysql://t2:")
    assert url(POSTGRESQL, "psycopg").startswith("postgresql+psycopg://t1:")


def test_jdbc_has_user_and_password_behind_the_question_mark() -> None:
    assert jdbc(POSTGRESQL) == (
        "jdbc:postgresql://127.0.0.1:5432/orders_1?user=t1&password=p%40ss%2Fw%3Ard"
    )
    assert jdbc(MARIADB) == (
        "jdbc:mariadb://127.0.0.1:3306/shop?user=t2&password=secret"
    )
    assert jdbc(MARIADB, "mysql").startswith("jdbc:mysql://127.0.0.1:3306/shop?")
    assert jdbc(SQLITE) == "jdbc:sqlite:/out/local.db"


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
    second = Connection(
        engine=Engine.POSTGRESQL, name="other", host="127.0.0.1", port=5432, user="t9"
    )
    other = DatabaseSettings(name="other", env={"OTHER": Part.NAME})
    found = suite_variables([(ORDERS, POSTGRESQL), (SHOP, MARIADB), (other, second)])
    assert found["PGDATABASE"] == "orders_1"
    assert found["PGPASSWORD"] == "p@ss/w:rd"
    assert found["MYSQL_TCP_PORT"] == "3306"
    assert found["OTHER"] == "other"
    assert found["SHOP_HOST"] == "127.0.0.1"


def test_what_the_suite_names_wins_over_the_clients_own() -> None:
    odd = DatabaseSettings(name="odd", env={"PGHOST": Part.NAME})
    assert suite_variables([(odd, POSTGRESQL)])["PGHOST"] == "orders_1"
    assert suite_variables([(ORDERS, POSTGRESQL), (odd, POSTGRESQL)])["PGHOST"] == (
        "orders_1"
    )


def test_sqlite_has_no_variables_that_nobody_asked_for() -> None:
    settings = DatabaseSettings(
        name="local", engine=Engine.SQLITE, env={"DB": Part.PATH}
    )
    assert suite_variables([(settings, SQLITE)]) == {"DB": "/out/local.db"}


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
    assert unquote(parts.username or "") == user
    assert unquote(parts.password or "") == password
    assert unquote(parts.path[1:]) == name
