from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from fairtrial.benches.databases.mariadb import NamedMariaDB, OwnMariaDB
from fairtrial.benches.databases.mariadb.clone import MariaClone
from fairtrial.benches.databases.mariadb.house import user_of
from fairtrial.benches.databases.mariadb.process import find
from fairtrial.benches.databases.names import Maker
from fairtrial.clients.mariadb import Refused, Session
from fairtrial.domain.databases import Change, DatabaseSettings, Engine, Verb
from fairtrial.domain.errors import BenchFailed, BenchUnavailable, ConfigurationError

PATH = "/usr/local/bin:/usr/bin:/bin"
ORDERS = DatabaseSettings(name="orders", engine=Engine.MARIADB)

SCHEMA = (
    "CREATE TABLE customers (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40))",
    """CREATE TABLE `Order items` (id INT PRIMARY KEY, customer INT NOT NULL,
        discount DECIMAL(8,2), doubled INT AS (id * 2) STORED,
        FOREIGN KEY (customer) REFERENCES customers (id))""",
    "CREATE TABLE bare (a INT, b TEXT)",
    # Copied in the order of their names, the first one reads what is not there yet.
    "CREATE VIEW names AS SELECT name FROM customers",
    "CREATE VIEW later AS SELECT * FROM names",
    "CREATE FUNCTION half(x INT) RETURNS DECIMAL(8,2) RETURN x / 2",
    """CREATE TRIGGER noted AFTER INSERT ON customers FOR EACH ROW
        INSERT INTO bare VALUES (NEW.id, '100% noted')""",
    "CREATE SEQUENCE tickets START 100",
    "INSERT INTO customers (name) VALUES ('first'), ('é😀')",
)


@pytest.fixture(scope="module")
def server(mariadb: OwnMariaDB) -> OwnMariaDB:
    return mariadb


def built(*statements: str) -> Callable[[object], None]:
    def build(clone: object) -> None:
        assert isinstance(clone, MariaClone)
        run(clone, statements)

    return build


def run(clone: MariaClone, statements: Sequence[str]) -> list[Sequence[object]]:
    """What a trial does with the clone's own login; the last answer."""
    found: list[Sequence[object]] = []
    with clone.house.owner(clone.login) as session:
        session.use(clone.database)
        for each in statements:
            found = session.run(each)
    return found


@pytest.fixture(scope="module")
def key(server: OwnMariaDB) -> str:
    server.template("orders", ORDERS, built(*SCHEMA))
    return "orders"


@pytest.fixture
def clone(server: OwnMariaDB, key: str) -> Iterator[MariaClone]:
    made = server.clone(key, ORDERS, 3306)
    assert isinstance(made, MariaClone)
    yield made
    made.drop()
    made.drop()


def test_a_clone_has_everything_of_its_template(clone: MariaClone) -> None:
    assert [("first",), ("é😀",)] == run(clone, ["SELECT * FROM later"])
    assert 1 == len(run(clone, ["SELECT half(3)"]))
    assert [("100% noted",)] == run(
        clone, ["SELECT DISTINCT b FROM bare WHERE a IN (1, 2)"]
    )
    assert [(3, "100% noted")] == run(
        clone,
        [
            "INSERT INTO customers (name) VALUES ('new')",
            "SELECT * FROM bare WHERE a = 3",
        ],
    )
    with pytest.raises(Refused, match="foreign key"):
        run(clone, ["INSERT INTO `Order items` (id, customer) VALUES (1, 99)"])


def test_two_clones_know_nothing_of_each_other(
    server: OwnMariaDB, clone: MariaClone
) -> None:
    other = server.clone("orders", ORDERS, 3306)
    assert isinstance(other, MariaClone)
    run(other, ["INSERT INTO customers (name) VALUES ('theirs')"])
    assert [(2,)] == run(clone, ["SELECT count(*) FROM customers"])
    seen = {str(each) for (each,) in run(other, ["SHOW DATABASES"])}
    assert {other.database, "information_schema"} == seen
    with pytest.raises(Refused, match="denied"):
        run(clone, [f"SELECT * FROM `{other.database}`.customers"])
    other.drop()
    with pytest.raises(Refused, match="denied"):
        run(other, ["SELECT 1"])


def test_a_framework_may_make_its_test_database_which_goes_too(
    server: OwnMariaDB, clone: MariaClone
) -> None:
    other = server.clone("orders", ORDERS, 3306)
    assert isinstance(other, MariaClone)
    other.watch()
    run(other, [f"CREATE DATABASE test_{other.database}"])
    run(other, [f"create schema if not exists `test_{other.database}_gw0`"])
    run(other, [f"DROP DATABASE test_{other.database}"])
    told = [(one.kind, one.name) for one in other.ledger().alterations]
    assert [("database", "test_orders"), ("database", "test_orders_gw0")] == told
    other.drop()
    deadline, left = time.monotonic() + 20, set[str]()
    with clone.house.session() as admin:
        while time.monotonic() < deadline:
            left = {str(each) for (each,) in admin.run("SHOW DATABASES")}
            if not any(other.database in each for each in left):
                break
            time.sleep(0.05)
        else:
            pytest.fail(f"left: {left}")
    assert any(clone.database in each for each in left)


def test_the_ledger_tells_what_was_committed_and_when(clone: MariaClone) -> None:
    clone.watch()
    begun = time.time()
    run(
        clone,
        [
            "INSERT INTO `Order items` (id, customer, discount) VALUES (7, 1, NULL)",
            "BEGIN",
            "INSERT INTO bare VALUES (9, 'rolled back')",
            "ROLLBACK",
            "UPDATE customers SET name = NULL WHERE id = 1",
            "DELETE FROM customers WHERE id = 2",
        ],
    )
    middle = time.time()
    time.sleep(0.02)
    run(clone, ["TRUNCATE bare", "CREATE TABLE `new one` (id INT)"])
    found = clone.ledger()
    assert "" == found.blind
    inserted, updated, deleted, emptied = found.changes
    assert (
        Change(
            database="orders",
            table="`Order items`",
            verb=Verb.INSERT,
            values={"id": "7", "customer": "1", "discount": None},
            types={"id": "int(11)", "customer": "int(11)", "discount": "decimal(8,2)"},
            at=inserted.at,
            transaction=inserted.transaction,
        )
        == inserted
    )
    assert ({"id": "1"}, {"id": "1", "name": None}) == (updated.key, updated.values)
    assert (Verb.DELETE, {"id": "2"}) == (deleted.verb, deleted.key)
    assert (Verb.TRUNCATE, "bare") == (emptied.verb, emptied.table)
    assert begun <= inserted.at <= updated.at <= deleted.at <= middle + 0.02
    assert deleted.at < emptied.at
    assert ("table", "`new one`") in {
        (each.kind, each.name) for each in found.alterations
    }


def test_what_another_trial_commits_is_not_in_the_ledger(
    server: OwnMariaDB, clone: MariaClone
) -> None:
    clone.watch()
    other = server.clone("orders", ORDERS, 3306)
    assert isinstance(other, MariaClone)
    run(other, ["INSERT INTO customers (name) VALUES ('theirs')"])
    run(clone, ["INSERT INTO bare VALUES (1, 'ours')"])
    other.drop()
    assert ["bare"] == [each.table for each in clone.ledger().changes]


def test_rows_that_were_left_can_be_put_into_a_fresh_clone(
    server: OwnMariaDB, clone: MariaClone
) -> None:
    clone.watch()
    run(
        clone,
        [
            "SET foreign_key_checks = 0",
            "INSERT INTO `Order items` (id, customer) VALUES (7, 99)",
            "UPDATE customers SET name = 'x' WHERE id = 1",
            "DELETE FROM bare WHERE a = 2",
        ],
    )
    left = clone.ledger().changes
    other = server.clone("orders", ORDERS, 3306)
    assert isinstance(other, MariaClone)
    other.put(left)
    other.watch()
    assert [(7, 99, 14)] == run(
        other, ["SELECT id, customer, doubled FROM `Order items`"]
    )
    assert [("x",), ("é😀",)] == run(other, ["SELECT name FROM customers ORDER BY id"])
    assert [(1,)] == run(other, ["SELECT a FROM bare"])
    # Triggers were away, and are there again; nothing of it is in the ledger.
    run(other, ["INSERT INTO customers (name) VALUES ('y')"])
    assert ["customers", "bare"] == [each.table for each in other.ledger().changes]
    with pytest.raises(BenchFailed, match="no such row"):
        other.put(
            [Change(database="orders", table="bare", verb=Verb.DELETE, key={"a": "77"})]
        )
    other.drop()


def test_a_schema_that_fails_leaves_nothing(server: OwnMariaDB) -> None:
    def build(_: object) -> None:
        raise BenchFailed("no schema")

    with pytest.raises(BenchFailed, match="no schema"):
        server.template("broken", ORDERS, build)
    with pytest.raises(BenchFailed, match="no template"):
        server.clone("broken", ORDERS, 3306)


def test_a_named_server_is_used_and_left_as_it_was(
    server: OwnMariaDB,
) -> None:
    house = server.house
    admin, path = house.admin, house.address.socket
    url = f"mysql://{admin.user}:{admin.password}@localhost/?unix_socket={path}"
    named = NamedMariaDB(url=url, variable="ADMIN_URL")
    named.template("k", ORDERS, built("CREATE TABLE t (id INT PRIMARY KEY)"))
    made = named.clone("k", ORDERS, 3306)
    assert isinstance(made, MariaClone)
    assert made.database.startswith("fairtrial_")
    made.watch()
    run(made, ["INSERT INTO t VALUES (1)"])
    assert 1 == len(made.ledger().changes)
    named.close()
    named.close()
    session = Session(house.address, admin)
    names = [str(each) for (each,) in session.run("SHOW DATABASES")]
    session.close()
    assert [] == [each for each in names if each.startswith("fairtrial_")]


def test_what_a_dead_run_left_is_removed_by_the_next_and_a_living_ones_is_not(
    server: OwnMariaDB,
) -> None:
    house = server.house
    admin, path = house.admin, house.address.socket
    url = f"mysql://{admin.user}:{admin.password}@localhost/?unix_socket={path}"
    living = NamedMariaDB(url=url, variable="ADMIN_URL")
    here = living._here
    dead = Maker(place=here.place, pid=here.pid, started=1, begun=here.begun)
    left, kept = f"{dead.prefix}ft1xorders", f"{here.prefix}ft1xorders"
    house.make(left)
    house.make(kept)

    NamedMariaDB(url=url, variable="ADMIN_URL").house.close()
    with house.session() as session:
        names = [str(name) for (name,) in session.run("SHOW DATABASES")]
        users = session.run("SELECT user FROM mysql.user")
    assert kept in names
    assert left not in names
    assert user_of(left) not in {str(user) for (user,) in users}
    living.close()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://u:hush@h/d", "does not begin with mysql://"),
        ("mysql://h/d", "names no user"),
        ("mysql://u:hush@h:port/d", "can't be read"),
        ("mysql://u:hush@/d", "names no host"),
    ],
)
def test_a_url_that_is_none_is_refused_and_not_repeated(url: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why) as caught:
        NamedMariaDB(url=url, variable="ADMIN_URL")
    assert "hush" not in caught.value.diagnostics()


def test_a_machine_without_mariadb_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fairtrial.benches.databases.mariadb.process._PLACES", ())
    with pytest.raises(BenchUnavailable) as caught:
        find("/nowhere")
    assert "There is no MariaDB server on this machine." in caught.value.diagnostics()
    assert "server: {admin: $VARIABLE}" in caught.value.diagnostics()


def test_a_server_that_was_killed_is_gone(tmp_path: Path, server: OwnMariaDB) -> None:
    other = OwnMariaDB(scratch=tmp_path / "s", cache=tmp_path / "c", search=PATH)
    try:
        assert "" == other.alive()
        other._process._lifeline.cut()
        assert other._process.over(20)
        assert other.alive().startswith("MariaDB ended")
        with pytest.raises(BenchFailed, match="did not answer"):
            other.template("k", ORDERS, built("CREATE TABLE t (id INT)"))
    finally:
        other.close()
    assert "" == server.alive()
