from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from pg8000.exceptions import DatabaseError, Error
from pg8000.native import Connection

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.domain.databases import Engine
from fairtrial.domain.errors import BenchFailed, TreeBroken
from fairtrial.domain.trees import Revision

from .conftest import ORDERS, Enter, MakeClone, rows

SCHEMA = (
    "CREATE TABLE orders (id bigserial PRIMARY KEY, note text)",
    "CREATE VIEW notes AS SELECT note FROM orders",
    "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
)


def test_the_server_says_what_it_is(server: EmbeddedServer) -> None:
    assert re.fullmatch(r"postgresql 18\.\d+", server.version)
    assert "template-clone" == server.level
    assert "" == server.alive()


def test_each_clone_begins_as_its_template_and_is_nobody_elses(
    make_clone: MakeClone, enter: Enter
) -> None:
    first, second = make_clone(*SCHEMA), make_clone(*SCHEMA)
    one, other = enter(first), enter(second)
    one.run("INSERT INTO orders (note) VALUES ('first')")

    assert ["(1,first)"] == rows(one, "orders")
    assert [] == rows(other, "orders")
    assert Engine.POSTGRESQL is first.connection.engine
    assert first.connection.name != second.connection.name
    assert first.connection.password != second.connection.password
    assert first.connection.password not in repr(first.connection)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE orders ADD COLUMN sum numeric",
        "DROP TABLE orders CASCADE",
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE a (b int)",
        "DISCARD ALL; INSERT INTO orders DEFAULT VALUES",
        "RESET ALL; TRUNCATE orders RESTART IDENTITY CASCADE",
        "SET SESSION AUTHORIZATION DEFAULT; CREATE TABLE a (b int)",
        "CREATE EXTENSION hstore; CREATE EXTENSION pg_trgm",
        """DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 65536',
        current_database());END $$""",
        "CREATE SCHEMA other; CREATE TEMPORARY TABLE t (a int)",
        """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()""",
        "ANALYZE orders; ALTER SEQUENCE orders_id_seq RESTART WITH 7",
    ],
)
def test_tests_may_do_in_their_database_what_owners_do(
    make_clone: MakeClone, enter: Enter, statement: str
) -> None:
    inside = enter(make_clone(*SCHEMA))
    for one in statement.split("; "):
        inside.run(one)


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "SELECT pg_read_file('PG_VERSION')",
        "CREATE ROLE helper",
        "ALTER SYSTEM SET fsync = on",
        "SELECT pg_create_logical_replication_slot('mine', 'test_decoding')",
        "SET session_replication_role = replica",
    ],
)
def test_tests_are_no_superuser(
    make_clone: MakeClone, enter: Enter, statement: str
) -> None:
    with pytest.raises(DatabaseError, match="42501"):
        enter(make_clone(*SCHEMA)).run(statement)


def test_a_trial_can_enter_neither_anothers_database_nor_a_template(
    make_clone: MakeClone, enter: Enter
) -> None:
    mine, theirs = make_clone(*SCHEMA), make_clone(*SCHEMA)
    names = enter(mine).run("SELECT datname FROM pg_database")
    templates = [n for (n,) in names or () if n.startswith("orders_template")]

    assert templates
    for name in (theirs.connection.name, "template1", *templates):
        with pytest.raises(Error):
            enter(mine, database=name)


def test_the_common_database_can_be_looked_at_and_keeps_nothing(
    make_clone: MakeClone, enter: Enter
) -> None:
    common = enter(make_clone(*SCHEMA), database="postgres")

    assert [[1]] == common.run("SELECT 1")
    for statement in (
        "CREATE TABLE t (a int)",
        "CREATE SCHEMA s",
        "CREATE TEMPORARY TABLE t (a int)",
        "SELECT lo_create(0)",
    ):
        with pytest.raises(DatabaseError, match="42501"):
            common.run(statement)


def test_databases_that_tests_make_go_with_their_clone(
    make_clone: MakeClone, enter: Enter, server: EmbeddedServer
) -> None:
    clone = make_clone(*SCHEMA)
    name = f"test_{clone.connection.name}"
    enter(clone).run(f"CREATE DATABASE {name}")
    inner = enter(clone, database=name)
    inner.run("CREATE TABLE a (b int)")
    found = clone.ledger().alterations
    clone.drop()
    clone.drop()

    # Told without the clone's own number, as it is called in every trial.
    assert ["database"] == [a.kind for a in found]
    assert name.startswith(f"{found[0].name}_")
    left = enter(make_clone(*SCHEMA)).run(
        "SELECT datname FROM pg_database WHERE datname LIKE 'test_%'"
    )
    assert [] == left
    with pytest.raises(Error):
        enter(clone)


def test_a_clone_goes_whoever_is_still_in_it(
    make_clone: MakeClone, enter: Enter
) -> None:
    clone = make_clone(*SCHEMA)
    busy = enter(clone)
    busy.run("BEGIN")
    busy.run("INSERT INTO orders (note) VALUES ('open')")
    clone.drop()

    with pytest.raises(Exception, match=r"terminat|network|closed|reset|pipe"):
        busy.run("SELECT 1")


def test_settings_of_the_schemas_database_are_those_of_its_clones(
    make_clone: MakeClone, enter: Enter
) -> None:
    clone = make_clone(
        *SCHEMA,
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = "
        """"$user", public, "a;DROP"', current_database()); END $$""",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET application_name = "
        "''it''''s''', current_database()); END $$",
    )
    inside = enter(clone)

    assert [['"$user", public, "a;DROP"']] == inside.run("SHOW search_path")
    assert [["it's"]] == inside.run("SHOW application_name")
    assert () == clone.ledger().alterations


def test_what_a_build_raises_is_passed_on_and_leaves_nothing(
    server: EmbeddedServer, enter: Enter, make_clone: MakeClone
) -> None:
    before = _things(enter(make_clone()))

    def build(clone: Clone) -> None:
        enter(clone).run("CREATE TABLE half (a int)")
        raise TreeBroken(Revision.HEAD, "psql", "no such file")

    with pytest.raises(TreeBroken):
        server.template("broken", ORDERS, build)
    with pytest.raises(BenchFailed):
        server.clone("broken", ORDERS, 5432)

    assert before == _things(enter(make_clone()))


def _things(inside: Connection) -> set[str]:
    found = inside.run(
        "SELECT datname FROM pg_database UNION ALL SELECT rolname FROM pg_roles"
    )
    # Of the clones that the test itself made there is always one more.
    return {n for (n,) in found or () if not re.fullmatch(r"orders_\d+", n)}


def test_a_template_is_built_once_however_many_ask(
    server: EmbeddedServer, enter: Enter
) -> None:
    built: list[str] = []

    def build(clone: Clone) -> None:
        built.append(clone.connection.name)
        enter(clone).run("CREATE TABLE a (b int)")

    with ThreadPoolExecutor(4) as pool:
        for _ in range(4):
            pool.submit(server.template, "asked-often", ORDERS, build)
    with ThreadPoolExecutor(4) as pool:
        clones = list(
            pool.map(lambda port: server.clone("asked-often", ORDERS, port), range(8))
        )

    assert 1 == len(built)
    assert 8 == len({clone.connection.name for clone in clones})
    assert list(range(8)) == [clone.connection.port for clone in clones]
    for clone in clones:
        assert [] == rows(enter(clone), "a")
        clone.drop()
