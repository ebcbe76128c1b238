from __future__ import annotations

from fairtrial.runners.reports.blocks import digest_of

JAVA = """class CartTest {
  @Test void total() {
    int sum = cart.total();
    assertEquals(3, sum);
  }

  @Test void count() {
    assertEquals(3, cart.total());
  }
}
"""


def test_lines_above_and_formatting_change_nothing() -> None:
    moved = "// new\n\n" + JAVA.replace("    int", "        int")

    assert digest_of(JAVA, 4, "CartTest.total") == digest_of(moved, 6, "CartTest.total")


def test_another_function_changes_nothing_and_its_own_lines_do() -> None:
    other = JAVA.replace("cart.total());", "cart.count());")
    own = JAVA.replace("int sum = cart.total()", "int sum = 3")

    was = digest_of(JAVA, 4, "CartTest.total")
    assert was == digest_of(other, 4, "CartTest.total")
    assert was != digest_of(own, 4, "CartTest.total")


def test_two_functions_with_an_equal_line_differ() -> None:
    text = JAVA.replace("assertEquals(3, sum)", "assertEquals(3, cart.total())")

    assert digest_of(text, 4, "total") != digest_of(text, 8, "count")


def test_without_a_name_the_line_alone_stands_for_it() -> None:
    text = "it('a', () => {\n  go();\n});\nit('b', () => {\n  go();\n});\n"

    assert digest_of(text, 2, "") == digest_of(text, 5, "")
    assert digest_of(text, 2, "Object.<anonymous>") == digest_of(text, 2, "")


def test_a_line_that_there_is_not_has_no_digest() -> None:
    assert ["", "", ""] == [digest_of(JAVA, line, "total") for line in (0, -1, 99)]
