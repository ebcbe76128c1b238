"""What Kotlin's tests demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import keys, lines, only, read, short

LINES = [
    ("assertEquals(2, f(1))", "equal: f(_) [1] = 2"),
    ("assertEquals(expected = 2, actual = f(1))", "equal: f(_) [1] = 2"),
    ("assertEquals(actual = f(1), expected = 2)", "equal: f(_) [1] = 2"),
    ("assertTrue(f() == 2)", "equal: f() = 2"),
    ("assertTrue { f() }", "true: f()"),
    ("assertNull(f())", "none: f()"),
    ("assertContains(f(), 2)", "contains: f() = 2"),
    ("assertFailsWith<E> { f(1) }", "raises: f(_) [1] = E"),
    ("assertThrows<E> { f(1) }", "raises: f(_) [1] = E"),
    ("f(1) shouldBe 2", "equal: f(_) [1] = 2"),
    ("f(1).shouldBe(2)", "equal: f(_) [1] = 2"),
    ("f(1) shouldNotBe 2", "not-equal: f(_) [1] = 2"),
    ("f() shouldBe (1.0 plusOrMinus 0.1)", "close: f() = 1.0 +- 0.1"),
    ("f().shouldBeNull()", "none: f()"),
    ("f() shouldHaveSize 2", "length: f() = 2"),
    ("f() shouldContain 2", "contains: f() = 2"),
    ('f() should startWith("a")', 'contains: f() = start: "a"'),
    ('f() shouldNot startWith("a")', 'contains: f() = not start: "a"'),
    ("shouldThrow<E> { f(1) }", "raises: f(_) [1] = E"),
    ("assertThat(f()).isEqualTo(2)", "equal: f() = 2"),
    ("every { m.f(any()) } returns 3", "mock: m.f(_) [any()] = returns: 3"),
    ("verify(exactly = 1) { m.f(2) }", "called: m.f(_) [2] = verify exactly = 1"),
    ("if (f() != 2) fail()", "equal: f() = 2"),
    ("val x = f(1); assertEquals(2, x)", "equal: f(_) [1] = 2"),
    ("assertEquals(1, x!!.y)", "equal: x.y = 1"),
    ("assertTrue(true)", "vacuous: true"),
    ("assumeTrue(f())", "skip: skip = !f()"),
]


@pytest.mark.parametrize(("source", "expected"), LINES)
def test_a_line_demands(source: str, expected: str) -> None:
    assert [expected] == lines("kotlin", source)


def test_what_runs_in_a_coroutine_is_demanded() -> None:
    text = "class T { @Test fun t() = runTest { assertEquals(1, f()) } }"

    assert ["equal: f() = 1"] == [short(each) for each in only("kotlin", text).demands]


SPEC = (
    'class T : FunSpec({{\n context("c") {{\n'
    '  {0}("t"){1} {{ f() shouldBe 1 }}\n }}\n}})'
)


@pytest.mark.parametrize(
    ("word", "configuration", "expected"),
    [
        ("test", "", []),
        ("xtest", "", ["skip: skip"]),
        ("ftest", "", ["focus: focus"]),
        ("test", ".config(enabled = false)", ["skip: skip"]),
        ("test", ".config(retries = 3)", ["retry: retry = 3"]),
    ],
)
def test_kotest_s_blocks_are_tests(
    word: str, configuration: str, expected: list[str]
) -> None:
    found = only("kotlin", SPEC.format(word, configuration))

    assert ("T", "c", "t") == found.names
    assert [*expected, "equal: f() = 1"] == [short(each) for each in found.demands]


@pytest.mark.parametrize(
    ("name", "expected"), [("a", []), ("!a", ["skip: skip"]), ("f:a", ["focus: focus"])]
)
def test_string_specs_are_tests(name: str, expected: list[str]) -> None:
    found = only("kotlin", f'class T : StringSpec({{ "{name}" {{ f() shouldBe 1 }} }})')

    assert ("T", name) == found.names
    assert [*expected, "equal: f() = 1"] == [short(each) for each in found.demands]


def test_what_a_spec_does_before_its_tests_applies_to_all() -> None:
    text = (
        'class T : StringSpec({ beforeTest { cart.clear() }\n "a" { f() shouldBe 1 } })'
    )
    found = [each for each in read("kotlin", text).support.values() if each.automatic]

    assert ["arrangement: beforeTest(_) [cart.clear()]"] == [
        short(one) for each in found for one in each.demands
    ]


def test_a_line_that_begins_with_a_parenthesis_begins_a_statement() -> None:
    source = "  val x = f(1)\n  (x as A).use { assertEquals(2, it.g()) }"

    assert ["equal: $d1.g() = 2"] == lines("kotlin", source)


def test_companions_give_rows() -> None:
    text = (
        'class T { @ParameterizedTest @MethodSource("rows") fun t(a: Int, b: Int) {}\n'
        "companion object { @JvmStatic fun rows() = "
        "listOf(Arguments.of(1, 2), Arguments.of(3, 4))\n }\n }"
    )

    assert ["row: $1, $2 = 1, 2", "row: $1, $2 = 3, 4"] == [
        short(each) for each in only("kotlin", text).demands
    ]


def test_rows_may_be_several_arguments() -> None:
    text = (
        'class T { @ParameterizedTest @CsvSource("1,2", "3,4")'
        " fun t(a: Int, b: Int) {} }"
    )

    assert ["row: $1, $2 = 1, 2", "row: $1, $2 = 3, 4"] == [
        short(each) for each in only("kotlin", text).demands
    ]


def test_a_handler_that_does_nothing_swallows() -> None:
    found = lines("kotlin", "try { assertEquals(1, f()) } catch (e: Throwable) { }")

    assert "swallowed: Throwable" in found


@pytest.mark.parametrize(
    "edit",
    ["val y = f(1)\n// why\nassertEquals(\n 2,\n y,\n)", 'assertEquals(2, f(1), "x")'],
)
def test_an_honest_edit_demands_the_same(edit: str) -> None:
    assert keys("kotlin", "assertEquals(2, f(1))") == keys("kotlin", edit)
