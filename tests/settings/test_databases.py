from __future__ import annotations

import pytest

from fairtrial.domain.databases import DatabaseSettings, Engine, Part
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.settings import SuiteSettings
from fairtrial.settings import load

SOURCE = "base:.fairtrial.yml"


def unit(text: str) -> SuiteSettings:
    (found,) = load(f"suites:\n  unit:\n    {text}\n", SOURCE).suites
    return found


def refused(text: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        unit(text)
    return caught.value.diagnostics()


def test_a_database_is_postgresql_with_a_server_of_our_own() -> None:
    assert (DatabaseSettings(name="orders"),) == unit("databases: {orders: }").databases


def test_every_key_of_a_database_arrives() -> None:
    found = unit(
        "databases: {orders: {engine: mysql, server: {admin: $ADMIN}, schema: [a, b],"
        " env: {URL: url, SPRING: jdbc}, driver: pymysql}}"
    )
    assert (
        DatabaseSettings(
            name="orders",
            engine=Engine.MARIADB,
            admin="ADMIN",
            schema=("a", "b"),
            env={"URL": Part.URL, "SPRING": Part.JDBC},
            driver="pymysql",
            dialect="mysql",
        ),
    ) == found.databases


def test_one_variable_gets_the_url_and_one_command_is_a_list_of_one() -> None:
    (found,) = unit("databases: {a: {schema: psql -f a.sql, env: A_URL}}").databases
    assert {"A_URL": Part.URL} == found.env
    assert ("psql -f a.sql",) == found.schema


@pytest.mark.parametrize("written", ["$A_B", "A_B", "'${A_B}'"])
def test_an_administrators_variable_may_have_its_dollar(written: str) -> None:
    (found,) = unit(f"databases: {{a: {{server: {{admin: {written}}}}}}}").databases
    assert "A_B" == found.admin


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("databases: [a]", "3: suites.unit.databases: a mapping was meant"),
        ("databases: {a: , a: }", "this key stands twice"),
        ("databases: {1a: }", "begins with a letter"),
        ("databases: {a: {engne: x}}", 'Did you mean "engine"?'),
        ("databases: {a: {engine: postgres}}", 'Did you mean "postgresql"?'),
        ("databases: {a: {server: embeded}}", 'Did you mean "embedded"?'),
        ("databases: {a: {server: {}}}", 'the key "admin" is missing'),
        (
            "databases: {a: {engine: sqlite, env: A, server: {admin: $B}}}",
            "SQLite has no server",
        ),
        ("databases: {a: {env: A-B}}", "no name of an environment variable"),
        ("databases: {a: {env: {A: uri}}}", "databases.a.env.A: "),
        ("databases: {a: {env: {A: path}}}", "postgresql has no path"),
        ("databases: {a: {engine: sqlite, env: {A: host}}}", "It has: url, jdbc, name"),
        ("databases: {a: {engine: sqlite}}", "no variable tells the tests"),
        ("databases: {a: {env: A}, b: }", "databases.b: no variable tells the tests"),
        ("databases: {a: {env: A}, b: {env: {}}}", "databases.b.env: no variable"),
        (
            "databases: {a: {env: A}, b: {env: {B: url, A: host}}}",
            'databases.b.env: the variable "A" is set by database "a" too',
        ),
        (
            "env: {A: x}\n    databases: {a: {env: A}}",
            '4: suites.unit.databases.a.env: the variable "A" is set by the suite\'s',
        ),
        ("databases: {a: {driver: Psycopg 3}}", "as it stands behind the `+`"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, said: str) -> None:
    assert said in refused(text)


def test_a_password_in_the_file_is_refused_and_not_repeated() -> None:
    said = refused("databases: {a: {server: {admin: 'postgresql://u:hush@h/d'}}}")
    assert "the name of a variable was meant" in said
    assert "base:.fairtrial.yml:3: suites.unit.databases.a.server.admin" in said
    assert "hush" not in said


def test_first_databases_of_two_engines_need_no_variable() -> None:
    found = unit("databases: {a: , b: {engine: mariadb}}").databases
    assert [Engine.POSTGRESQL, Engine.MARIADB] == [each.engine for each in found]
