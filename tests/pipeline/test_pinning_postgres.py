"""What a real PostgreSQL tells of commits is folded and put back as the same rows."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pg8000.dbapi
import pytest

from fairtrial.benches.databases import Clone
from fairtrial.benches.databases.postgres.embedded import EmbeddedServer
from fairtrial.domain.databases import DatabaseSettings, Verb
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.net import Left, net
from fairtrial.inquiry.ledger.proving import Attempt, changes_of
from fairtrial.inquiry.ledger.suspicion import Words, groups
from fairtrial.inquiry.ledger.windows import Owned

SETTINGS: Final = DatabaseSettings(name="shop")
ODD: Final = '"Odd ""Names"""'
SCHEMA: Final = (
    "create type state as enum ('open', 'closed')",
    "create table customers (id serial primary key, name text not null)",
    """create table orders (
        id integer primary key, customer integer references customers (id),
        discount numeric(6, 2), state state, tags text[], extra jsonb, at timestamptz,
        total integer generated always as (coalesce(customer, 0) * 2) stored,
        done boolean not null default false, unique (customer, discount))""",
    f'create table {ODD} ("select" integer, "a b" text)',
    "create table heap (x integer, y text)",
    "insert into customers (name) select 'c' || n from generate_series(1, 5) n",
    "insert into orders (id, customer) select n, n from generate_series(1, 5) n",
    "insert into heap select n % 2, null from generate_series(1, 6) n",
)
TABLES: Final = ("customers", "orders", ODD, "heap")


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedServer]:
    # The server runs as another user, who can't enter pytest's own folders.
    with tempfile.TemporaryDirectory(prefix="fairtrial-tests-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = EmbeddedServer(scratch=folder, cache=folder / "cache")
        try:
            made.template("shop", SETTINGS, lambda clone: run(clone, *SCHEMA))
            yield made
        finally:
            made.close()


def connected(clone: Clone) -> Any:
    assert clone.door is not None
    return pg8000.dbapi.connect(
        user=clone.connection.user,
        password=clone.connection.password,
        database=clone.connection.name,
        unix_sock=str(clone.door.to),
    )


def run(clone: Clone, *statements: str) -> None:
    with closing(connected(clone)) as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)
        connection.commit()


def content(clone: Clone) -> dict[str, list[str]]:
    with closing(connected(clone)) as connection:
        cursor = connection.cursor()
        found = {}
        for table in TABLES:
            cursor.execute(f"select t::text from {table} t order by 1")
            found[table] = [row[0] for row in cursor.fetchall()]
        return found


def left_by(clone: Clone) -> tuple[Left, ...]:
    ledger = clone.ledger()
    assert ledger.blind == ""
    return net(Owned(change=each, tests=(TestId("t"),)) for each in ledger.changes)


def fresh(server: EmbeddedServer) -> Clone:
    return server.clone("shop", SETTINGS, 5432)


def statement(chance: random.Random) -> str:
    number = chance.randrange(9)
    discount = chance.choice(["null", "0.10", "1.5"])
    text = chance.choice(["null", "''"])
    moved = number + 20
    order = f"""insert into orders
        values ({number}, null, {discount}, 'open', array['a', null], '{{"k": [1]}}',
            now())
        on conflict do nothing"""
    rename = f"""update orders set id = {moved} where id = {number}
        and not exists (select from orders where id = {moved})"""
    return chance.choice(
        [
            f"insert into customers (name) values ('it''s {number}')",
            order,
            f"update orders set discount = {discount} where id = {number}",
            rename,
            f"delete from orders where id in ({number}, {moved})",
            f"insert into {ODD} values ({number}, e'a\\n''b')",
            f'update {ODD} set "a b" = null where "select" = {number}',
            f"insert into heap values ({number}, {text})",
            f"update heap set y = 'z' where x = {number}",
            f"delete from heap where x = {number}",
            "truncate heap" if number == 0 else "select 1",
        ]
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_put_into_a_fresh_database_is_what_was_there(
    server: EmbeddedServer, seed: int
) -> None:
    chance = random.Random(seed)
    used, again = fresh(server), fresh(server)
    try:
        used.watch()
        with closing(connected(used)) as connection:
            cursor = connection.cursor()
            for _ in range(25):
                cursor.execute(statement(chance))
                if chance.random() < 0.3:
                    chance.choice([connection.commit, connection.rollback])()
            connection.commit()
        expected, untouched = content(used), content(again)
        again.put([left.change for left in left_by(used)])

        assert expected == content(again)
        assert expected != untouched
    finally:
        used.drop()
        again.drop()


def test_what_is_rolled_back_or_undone_leaves_nothing(server: EmbeddedServer) -> None:
    clone = fresh(server)
    try:
        clone.watch()
        with closing(connected(clone)) as connection:
            cursor = connection.cursor()
            cursor.execute("insert into orders (id) values (100)")
            connection.rollback()
            cursor.execute("insert into orders (id) values (101)")
            connection.commit()
            cursor.execute("delete from orders where id = 101")
            connection.commit()

        assert () == left_by(clone)
    finally:
        clone.drop()


def test_a_column_made_neutral_is_another_row(server: EmbeddedServer) -> None:
    used, again = fresh(server), fresh(server)
    try:
        used.watch()
        run(
            used,
            "insert into orders (id) values (100), (101)",
            "update customers set name = 'other' where id = 1",
        )
        lefts = left_by(used)
        ranked = groups(
            lefts,
            used.ledger().changes,
            Words(said=frozenset({"discount"}), shown=frozenset()),
        )
        orders = ranked[0]
        table = (orders.database, orders.table)
        attempt = Attempt(orders.lefts, table, frozenset(orders.columns))
        again.put(changes_of(attempt, ranked))
        with closing(connected(again)) as connection:
            cursor = connection.cursor()
            cursor.execute("select discount, at, done from orders where id >= 100")
            rows = cursor.fetchall()

        assert "public.orders" == orders.table
        assert frozenset({"discount"}) == orders.guess
        assert "id" not in orders.columns
        assert 2 == len(rows)
        assert all(row[0] is not None and row[1] is not None for row in rows)
        assert {Verb.INSERT, Verb.UPDATE} == {left.change.verb for left in lefts}
    finally:
        used.drop()
        again.drop()
