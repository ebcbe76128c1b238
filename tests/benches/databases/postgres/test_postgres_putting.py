from __future__ import annotations

import pytest

from fairtrial.domain.databases import Change, Verb
from fairtrial.domain.errors import BenchFailed

from .conftest import Enter, MakeClone, rows

ORDERS = """CREATE TABLE orders (id bigserial PRIMARY KEY, note text,
    customer int REFERENCES customers, code char(3), doc json,
    twice text GENERATED ALWAYS AS (note || note) STORED)"""
REFUSE = """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE ''no''; END'"""
TRIGGER = """CREATE TRIGGER no BEFORE INSERT OR UPDATE OR DELETE ON log
    FOR EACH ROW EXECUTE FUNCTION refuse()"""
SCHEMA = (
    "CREATE TABLE customers (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY)",
    ORDERS,
    "CREATE TABLE log (at int, line json)",
    REFUSE,
    TRIGGER,
    "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE orders FORCE ROW LEVEL SECURITY",
)


def change(
    verb: Verb,
    table: str = "public.orders",
    key: dict[str, str | None] | None = None,
    **values: str | None,
) -> Change:
    return Change(
        database="orders", table=table, verb=verb, key=key or {}, values=values
    )


def test_rows_are_put_in_past_foreign_keys_triggers_and_row_security(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.put(
        [
            change(Verb.INSERT, id="4", note="it's", customer="99", code="a"),
            change(Verb.INSERT, "public.log", at="1", line='{"a" :1}'),
            change(Verb.INSERT, "public.customers", id="7"),
        ]
    )
    inside = enter(one)
    inside.run("ALTER TABLE orders NO FORCE ROW LEVEL SECURITY")

    assert ["(4,it's,99,\"a  \",,it'sit's)"] == rows(inside, "orders")
    assert ['(1,"{""a"" :1}")'] == rows(inside, "log")
    assert ["(7)"] == rows(inside, "customers")


def test_the_victims_own_rows_do_not_collide_with_those_put_in(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.put(
        [
            change(Verb.INSERT, id="1"),
            change(Verb.INSERT, id="2"),
            change(Verb.INSERT, "public.customers", id="1"),
        ]
    )
    inside = enter(one)
    inside.run("ALTER TABLE orders NO FORCE ROW LEVEL SECURITY")

    assert [[3]] == inside.run("INSERT INTO orders (note) VALUES ('x') RETURNING id")
    assert [[2]] == inside.run("INSERT INTO customers DEFAULT VALUES RETURNING id")


def test_updates_and_deletes_find_their_row_and_only_that(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    twin: dict[str, str | None] = {"at": "1", "line": '{"a": 1}'}
    one.put(
        [
            *[change(Verb.INSERT, "public.log", None, **twin)] * 3,
            change(Verb.UPDATE, "public.log", twin, at="2", line=None),
            change(Verb.DELETE, "public.log", twin),
            change(Verb.INSERT, id="1", note="a"),
            change(Verb.INSERT, id="2", note="b"),
            change(Verb.UPDATE, key={"id": "1"}, id="3", note="c", twice="gone"),
            change(Verb.DELETE, key={"id": "2"}),
        ]
    )
    inside = enter(one)
    inside.run("ALTER TABLE orders NO FORCE ROW LEVEL SECURITY")

    assert ['(1,"{""a"": 1}")', "(2,)"] == rows(inside, "log")
    assert ["(3,c,,,,cc)"] == rows(inside, "orders")


def test_an_update_of_a_row_that_is_not_there_puts_it_in_as_it_was_left(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.put(
        [change(Verb.UPDATE, "public.log", {"at": "1", "line": None}, at="2", line="3")]
    )

    assert ["(2,3)"] == rows(enter(one), "log")


def test_a_truncate_empties_a_table_that_others_refer_to(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA, "INSERT INTO customers DEFAULT VALUES")
    one.put([change(Verb.TRUNCATE, "public.customers")])

    assert [] == rows(enter(one), "customers")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (change(Verb.INSERT, "public.absent", a="1"), "there is no table"),
        (change(Verb.INSERT, 'public."; DROP', a="1"), "there is no table"),
        (change(Verb.INSERT, absent="1"), "has no column 'absent'"),
        (change(Verb.INSERT, id="x"), "invalid input syntax"),
        (change(Verb.INSERT, id="1", code="toolong"), "too long"),
        (change(Verb.UPDATE, key={"id": "1"}, note="a"), "not all of it is known"),
        (change(Verb.UPDATE, "public.customers", {"id": "1"}, id="2"), "identity"),
        (change(Verb.DELETE), "has no key"),
    ],
)
def test_what_cannot_be_put_in_is_said_and_nothing_of_it_is_in(
    make_clone: MakeClone, enter: Enter, wrong: Change, says: str
) -> None:
    one = make_clone(*SCHEMA)
    with pytest.raises(BenchFailed, match=says):
        one.put([change(Verb.INSERT, "public.log", at="1"), wrong])

    assert [] == rows(enter(one), "log")


def test_rows_of_another_database_are_not_put_in_here(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.put([Change(database="other", table="public.log", verb=Verb.INSERT, values={})])

    assert [] == rows(enter(one), "log")


def test_the_schemas_own_functions_are_no_superuser_while_rows_are_put_in(
    make_clone: MakeClone,
) -> None:
    one = make_clone(
        "CREATE FUNCTION spy(int) RETURNS boolean LANGUAGE plpgsql AS"
        " 'BEGIN RESET ROLE; PERFORM pg_read_file(''PG_VERSION''); RETURN true; END'",
        "CREATE TABLE trap (a int CHECK (spy(a)))",
    )
    with pytest.raises(BenchFailed, match="permission denied"):
        one.put([change(Verb.INSERT, "public.trap", a="1")])


def test_a_row_that_is_taken_out_again_leaves_its_number_used(
    make_clone: MakeClone, enter: Enter
) -> None:
    one = make_clone(*SCHEMA)
    one.put(
        [
            change(Verb.INSERT, id="4", note="x"),
            change(Verb.DELETE, key={"id": "4", "note": "x"}),
        ]
    )
    inside = enter(one)
    inside.run("ALTER TABLE orders NO FORCE ROW LEVEL SECURITY")

    assert [] == rows(inside, "orders")
    assert [[5]] == inside.run("INSERT INTO orders (note) VALUES ('y') RETURNING id")
