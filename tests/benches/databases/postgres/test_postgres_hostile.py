"""What tests that mean harm can't do with their database's server."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest
from pg8000.exceptions import DatabaseError, Error, InterfaceError

from fairtrial.benches.databases.postgres import EmbeddedServer
from fairtrial.domain.databases import Alteration

from .conftest import Enter, MakeClone

ORDERS = "CREATE TABLE orders (id int PRIMARY KEY, note text)"


def test_a_cast_of_the_tests_own_does_not_run_as_the_administrator(
    make_clone: MakeClone, enter: Enter
) -> None:
    clone = make_clone(ORDERS)
    clone.watch()
    connection = enter(clone)
    connection.run("CREATE UNLOGGED TABLE u (x int)")
    connection.run("INSERT INTO u VALUES (1)")
    connection.run(
        "CREATE FUNCTION evil(u) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
        f" ALTER ROLE {clone.connection.user} SUPERUSER; RETURN 'x'; END $$"
    )
    connection.run("CREATE CAST (u AS text) WITH FUNCTION evil(u)")

    ledger = clone.ledger()

    assert "unlogged table" in {one.kind for one in ledger.alterations}
    [[is_super]] = enter(clone).run(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    assert is_super is False


def test_no_database_outlives_the_trial_that_made_it(
    make_clone: MakeClone, enter: Enter
) -> None:
    clone = make_clone(ORDERS)
    connection = enter(clone)
    [[owner]] = connection.run(
        "SELECT tableowner FROM pg_tables WHERE tablename = 'orders'"
    )
    for name, to in (("stash", owner), ("other", "pg_database_owner")):
        connection.run(f"CREATE DATABASE {name}")
        # The first is refused where the server can tell a member from the role.
        with contextlib.suppress(DatabaseError):
            connection.run(f"ALTER DATABASE {name} OWNER TO {to}")

    clone.drop()

    there = enter(make_clone(ORDERS)).run("SELECT datname FROM pg_database")
    assert {"stash", "other"}.isdisjoint(name for (name,) in there)


def test_a_session_left_in_another_database_holds_up_no_later_trial(
    make_clone: MakeClone, enter: Enter
) -> None:
    clone = make_clone(ORDERS)
    connection = enter(clone, database="postgres")
    connection.run("SELECT pg_advisory_lock(7)")

    def work() -> None:
        with contextlib.suppress(Error, OSError):
            connection.run("SELECT txid_current(), pg_sleep(60)")

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    clone.drop()
    thread.join()

    later = make_clone(ORDERS)
    later.watch()
    assert not later.ledger().blind
    locked = enter(later, database="postgres").run("SELECT pg_try_advisory_lock(7)")
    assert [[True]] == locked


@pytest.mark.parametrize(
    "setting",
    [
        "statement_timeout = 1",
        "idle_session_timeout = 1",
        "transaction_timeout = 1",
        "quote_all_identifiers = on",
        "role = {user}",
    ],
)
def test_what_a_test_sets_for_its_database_changes_nothing_that_is_told(
    make_clone: MakeClone, enter: Enter, setting: str
) -> None:
    clone = make_clone(ORDERS)
    clone.watch()
    connection = enter(clone)
    connection.run("INSERT INTO orders VALUES (1, 'left')")
    name, user = clone.connection.name, clone.connection.user
    connection.run(f"ALTER DATABASE {name} SET {setting.format(user=user)}")

    ledger = clone.ledger()

    assert ["public.orders"] == [change.table for change in ledger.changes]
    set_, _, value = setting.format(user=user).partition(" = ")
    assert (
        Alteration(database="orders", kind="setting", name=set_, now=value),
    ) == ledger.alterations


def test_a_trial_gets_into_neither_another_ones_database_nor_the_template(
    make_clone: MakeClone, enter: Enter, server: EmbeddedServer
) -> None:
    clone, other = make_clone(ORDERS), make_clone(ORDERS)
    names = enter(clone).run("SELECT datname FROM pg_database WHERE NOT datistemplate")
    closed = {str(name) for (name,) in names} - {"postgres", clone.connection.name}
    assert other.connection.name in closed
    assert len(closed) > 1
    for name in closed:
        with pytest.raises((DatabaseError, InterfaceError)):
            enter(clone, database=name)
