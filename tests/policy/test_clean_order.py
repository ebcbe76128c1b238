from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.databases import Engine
from fairtrial.policy.clean_order import (
    ForeignKey,
    OnDelete,
    Table,
    clean_order,
)
from fairtrial.policy.clean_statements import statements

TABLES = st.sampled_from([("a",), ("b",), ("c",), ("d",), ("e",)])
KEYS = st.lists(
    st.builds(
        ForeignKey,
        child=TABLES,
        parent=TABLES,
        columns=st.just(("x",)),
        on_delete=st.sampled_from(OnDelete),
        nullable=st.booleans(),
    ),
    max_size=12,
)


def key(child: str, parent: str, *, nullable: bool = False) -> ForeignKey:
    return ForeignKey(
        child=(child,), parent=(parent,), columns=(f"{parent}_id",), nullable=nullable
    )


def printed(tables: list[Table], keys: list[ForeignKey], engine: Engine) -> str:
    return "\n".join(statements(clean_order(tables, keys), engine))


def test_children_come_before_parents() -> None:
    keys = [key("items", "orders"), key("orders", "customers")]
    assert (
        'DELETE FROM "items";\nDELETE FROM "orders";\nDELETE FROM "customers";'
    ) == printed([("customers",), ("items",), ("orders",)], keys, Engine.SQLITE)


def test_names_are_quoted_with_their_schema() -> None:
    assert 'DELETE FROM "shop"."Order ""x""";' == printed(
        [("shop", 'Order "x"')], [], Engine.POSTGRESQL
    )
    assert "DELETE FROM `a``b`;" == printed([("a`b",)], [], Engine.MARIADB)


def test_a_name_can_not_end_the_comment_it_stands_in() -> None:
    (group,) = clean_order([], [key("a\nDROP", "a\nDROP")])
    comment = statements([group], Engine.SQLITE)[0]
    assert "\n" not in comment
    assert comment.startswith("-- a?DROP -> a?DROP: a table that refers to itself")


def test_a_cycle_is_broken_where_a_reference_may_be_null() -> None:
    keys = [key("employees", "offices", nullable=True), key("offices", "employees")]
    assert (
        "-- employees -> offices -> employees:"
        " a cycle, broken by setting references to NULL first\n"
        'UPDATE "employees" SET "offices_id" = NULL;\n'
        'DELETE FROM "offices";\n'
        'DELETE FROM "employees";'
    ) == printed([], keys, Engine.POSTGRESQL)


def test_a_cycle_that_nothing_breaks_takes_the_engines_own_way() -> None:
    keys = [key("a", "b"), key("b", "a")]
    assert 'TRUNCATE "b", "a";' in printed([], keys, Engine.POSTGRESQL)
    assert printed([], keys, Engine.MARIADB).startswith("SET foreign_key_checks = 0;")
    assert printed([], keys, Engine.MARIADB).endswith("SET foreign_key_checks = 1;")
    assert "PRAGMA foreign_keys = OFF;" in printed([], keys, Engine.SQLITE)
    assert "a (b_id) can't be NULL" in printed([], keys, Engine.SQLITE)


def test_only_innodb_minds_a_table_that_refers_to_itself() -> None:
    keys = [key("a", "a", nullable=True)]
    assert "UPDATE `a` SET `a_id` = NULL;" in printed([], keys, Engine.MARIADB)
    assert "UPDATE" not in printed([], keys, Engine.SQLITE)
    assert "which one statement empties" in printed([], keys, Engine.SQLITE)


def test_a_cycle_that_breaks_itself_is_named_all_the_same() -> None:
    keys = [
        ForeignKey(
            child=("a",), parent=("b",), columns=("b",), on_delete=OnDelete.CASCADE
        ),
        key("b", "a"),
    ]
    assert (
        "-- a -> b -> a: a cycle, in which deletes take their references with them\n"
        'DELETE FROM "b";\n'
        'DELETE FROM "a";'
    ) == printed([], keys, Engine.SQLITE)


@given(tables=st.sets(TABLES), keys=KEYS)
def test_each_table_is_emptied_once(tables: set[Table], keys: list[ForeignKey]) -> None:
    order = [table for group in clean_order(tables, keys) for table in group.tables]
    assert len(order) == len(set(order))
    assert set(order) == tables | {each.child for each in keys} | {
        each.parent for each in keys
    }


@given(keys=KEYS)
def test_what_is_not_loosened_holds(keys: list[ForeignKey]) -> None:
    groups = clean_order([], keys)
    order = [table for group in groups for table in group.tables]
    free = {each for group in groups for each in (*group.loosened, *group.stuck)}
    for each in keys:
        if each.binds and each not in free:
            assert order.index(each.child) < order.index(each.parent)


@given(keys=KEYS)
def test_nothing_is_loosened_outside_of_a_cycle(keys: list[ForeignKey]) -> None:
    for group in clean_order([], keys):
        for each in (*group.loosened, *group.stuck):
            assert each.child in group.tables
            assert each.parent in group.tables
        for each in group.loosened:
            assert each.nullable
        if len(group.tables) > 1:
            assert group.cycle[0] == group.cycle[-1]
            steps = {(one.child, one.parent) for one in keys}
            assert set(zip(group.cycle, group.cycle[1:], strict=False)) <= steps


@given(keys=KEYS)
def test_the_order_does_not_depend_on_the_orders_of_its_input(
    keys: list[ForeignKey],
) -> None:
    assert clean_order([], keys) == clean_order([], list(reversed(keys)))


def test_a_long_chain_takes_no_recursion() -> None:
    keys = [key(f"t{n:04}", f"t{n + 1:04}") for n in range(2000)]
    assert ("t0000",) == clean_order([], keys)[0].tables[0]
