"""What the order and the conditions of a Java test's statements do to its demands."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import keys, lines


def test_a_local_that_is_assigned_once_is_its_value() -> None:
    source = "int wanted = 2; var got = f(1); assertEquals(wanted, got);"

    assert ["equal: f(_) [1] = 2"] == lines("java", source)


def test_a_local_that_changes_is_numbered() -> None:
    source = "int x = 1; x = f(x); assertEquals(2, x);"

    assert [
        "arrangement: $1 = _ [1]",
        "arrangement: $1 = f(_) [$1]",
        "equal: $1 = 2",
    ] == lines("java", source)


def test_two_objects_that_are_made_alike_are_two() -> None:
    one = "Cart a = new Cart(); Cart b = new Cart(); assertEquals(1, a.size());"
    other = "Cart a = new Cart(); Cart b = new Cart(); assertEquals(1, b.size());"

    assert keys("java", one) != keys("java", other)


def test_two_objects_may_be_compared() -> None:
    source = "A a = new A(); A b = new A(); assertEquals(a, b);"

    assert ["equal: new A()~2 = new A()"] == lines("java", source)


def test_a_name_compared_with_itself_says_nothing() -> None:
    source = "int x = f(); assertEquals(x, x);"

    assert ["vacuous: f() = f()"] == lines("java", source)


def test_what_follows_a_return_is_not_demanded() -> None:
    found = lines("java", "assertEquals(1, f()); return; assertEquals(2, g());")

    assert ["equal: f() = 1", "unreachable: after return"] == found


def test_a_conditional_return_guards_what_follows() -> None:
    found = lines("java", "if (g()) return; assertEquals(1, f());")

    assert ["equal: f() = 1 when unless g()"] == found


@pytest.mark.parametrize("dead", ["if (false) {%s}", "while (false) {%s}"])
def test_a_dead_branch_demands_nothing(dead: str) -> None:
    found = lines("java", dead % "assertEquals(1, f());")

    assert [f"unreachable: {dead.split(' (', maxsplit=1)[0]} false"] == found


def test_a_condition_guards_its_branches() -> None:
    found = lines("java", "if (g()) assertEquals(1, f()); else assertEquals(2, f());")

    assert ["equal: f() = 1 when if g()", "equal: f() = 2 when unless g()"] == found


def test_a_handler_that_does_nothing_swallows() -> None:
    found = lines("java", "try { assertEquals(1, f()); } catch (Throwable e) { }")

    assert [
        "swallowed: Throwable",
        "equal: f() = 1 when swallowing Throwable",
    ] == found


@pytest.mark.parametrize("handler", ["fail();", "throw new RuntimeException(e);"])
def test_a_handler_that_fails_or_throws_swallows_nothing(handler: str) -> None:
    found = lines("java", f"try {{ f(); }} catch (E e) {{ {handler} }}")

    assert not any(each.startswith("swallowed") for each in found)


def test_the_old_way_to_demand_an_error() -> None:
    source = 'try { f(1); fail(); } catch (E e) { assertEquals("x", e.getMessage()); }'

    assert [
        "raises: f(_) [1] = E",
        'equal: $d1.getMessage() = "x" when catch E',
    ] == lines("java", source)


def test_a_failure_in_a_handler_demands_that_nothing_is_raised() -> None:
    found = lines("java", "try { f(1); } catch (E e) { fail(); }")

    assert ["arrangement: f(_) [1]", "not-raises:  = E"] == found


def test_a_table_that_is_gone_through_is_rows() -> None:
    found = lines("java", "for (int x : List.of(1, 2)) { assertEquals(x, f(x)); }")

    assert ["row: $row = 1", "row: $row = 2", "equal: f(_) [$row] = $row"] == found


def test_a_loop_over_something_else_guards() -> None:
    found = lines("java", "for (int x : g()) { assertEquals(1, f(x)); }")

    assert ["equal: f(_) [$d1] = 1 when for g()"] == found


def test_an_assumption_that_never_holds_ends_the_test() -> None:
    found = lines("java", "assumeTrue(false); assertEquals(1, f());")

    assert ["skip: skip", "unreachable: after assumeTrue"] == found


def test_an_unconditional_failure_is_told() -> None:
    assert ["custom: fail"] == lines("java", 'fail("todo");')


@pytest.mark.parametrize(
    "edit",
    [
        "final var x = f(1);\n\n// why\nassertEquals(\n  2,\n  x);",
        "assertEquals(2, f(1));",
        "int wanted = 2; assertEquals(wanted, f(1));",
        'System.out.println("x"); assertEquals(2, f(1));',
        'assertEquals(2, f(1), "more words");',
    ],
)
def test_an_honest_edit_demands_the_same(edit: str) -> None:
    assert keys("java", "int got = f(1); assertEquals(2, got);") == keys("java", edit)


@pytest.mark.parametrize(
    "edit",
    [
        "assertEquals(3, f(1));",
        "assertEquals(2, f(0));",
        "assertEquals(2, g(1));",
        "assertNotNull(f(1));",
        "assertTrue(f(1) >= 2);",
        "assertEquals(2, f(1), 0.5);",
        "assertEquals(f(1), f(1));",
        "if (g()) { assertEquals(2, f(1)); }",
        "try { assertEquals(2, f(1)); } catch (Error e) { }",
    ],
)
def test_a_dishonest_edit_demands_something_else(edit: str) -> None:
    assert keys("java", "assertEquals(2, f(1));") != keys("java", edit)
