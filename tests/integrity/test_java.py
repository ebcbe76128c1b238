"""What the assertions of Java's test libraries demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import lines

ASSERTIONS = [
    ("assertEquals(2, f(1));", "equal: f(_) [1] = 2"),
    ('assertEquals(2, f(1), "message");', "equal: f(_) [1] = 2"),
    ("assertEquals(2.0, f(1), 0.1);", "close: f(_) [1] = 2.0 +- 0.1"),
    ("assertNotEquals(2, f(1));", "not-equal: f(_) [1] = 2"),
    ("assertSame(a, f(1));", "identical: f(_) [1] = a"),
    ("assertNull(f(1));", "none: f(_) [1]"),
    ("assertNotNull(f(1));", "not-none: f(_) [1]"),
    ("assertArrayEquals(new int[] {1, 2}, f());", "equal: f() = {}(1, 2)"),
    ("assertInstanceOf(A.class, f());", "type: f() = A"),
    ("assertTrue(f(1));", "true: f(_) [1]"),
    ("assertFalse(f(1));", "false: f(_) [1]"),
    ("assertTrue(f(1) == 2);", "equal: f(_) [1] = 2"),
    ("assertTrue(f(1).equals(2));", "equal: f(_) [1] = 2"),
    ("assertFalse(f(1) == 2);", "not-equal: f(_) [1] = 2"),
    ("assertTrue(f(1) > 2);", "ordered: f(_) [1] = > 2"),
    ("assertFalse(f(1) > 2);", "ordered: f(_) [1] = <= 2"),
    ("assertTrue(f().contains(2));", "contains: f() = 2"),
    ("assertTrue(f() instanceof A);", "type: f() = A"),
    ("assertTrue(f() != null);", "not-none: f()"),
    ("assertTrue(f().isEmpty());", "length: f() = empty"),
    ("assert f(1) == 2;", "equal: f(_) [1] = 2"),
    ("assertThrows(E.class, () -> f(1));", "raises: f(_) [1] = E"),
    ("Assertions.assertEquals(2, f(1));", "equal: f(_) [1] = 2"),
    ('if (f(1) != 2) { fail("no"); }', "equal: f(_) [1] = 2"),
    ("if (f(1) != 2) throw new AssertionError();", "equal: f(_) [1] = 2"),
    ("assertThat(f(1)).isEqualTo(2);", "equal: f(_) [1] = 2"),
    ("assertThat(f(1)).isNotEqualTo(2);", "not-equal: f(_) [1] = 2"),
    ("assertThat(f()).isNotNull();", "not-none: f()"),
    ("assertThat(f()).hasSize(3);", "length: f() = 3"),
    ("assertThat(f()).isEmpty();", "length: f() = empty"),
    ("assertThat(f()).contains(1, 2);", "contains: f() = 1, 2"),
    ("assertThat(f()).doesNotContain(1);", "contains: f() = not 1"),
    ("assertThat(f()).containsExactly(1, 2);", "equal: f() = 1, 2"),
    ("assertThat(f()).containsExactlyInAnyOrder(1);", "equal: f() = in any order: 1"),
    ("assertThat(f()).isGreaterThan(1);", "ordered: f() = greater than: 1"),
    ("assertThat(f()).isCloseTo(1.0, within(0.1));", "close: f() = 1.0 +- 0.1"),
    ("assertThat(f()).isEqualTo(1.0, within(0.1));", "close: f() = 1.0 +- 0.1"),
    ("assertThat(f()).isInstanceOf(A.class);", "type: f() = A"),
    ("assertThat(f()).matches(x -> x > 1);", "true: f() = matches: λ ($d1 > 1)"),
    ('assertThat(f()).as("x").isTrue();', "true: f()"),
    ("assertThat(f()).extracting(A::b).isEqualTo(1);",
     "equal: f().extracting(_) [A.::b] = 1"),
    ("assertThat(f());", "vacuous: f()"),
    ("assertThat(f(1), is(2));", "equal: f(_) [1] = 2"),
    ("assertThat(f(1), is(equalTo(2)));", "equal: f(_) [1] = 2"),
    ('assertThat("why", f(1), equalTo(2));', "equal: f(_) [1] = 2"),
    ("assertThat(f(), not(hasItem(1)));", "contains: f() = not item: 1"),
    ("assertThat(f(), is(nullValue()));", "none: f()"),
    ("assertThat(f(), closeTo(1.0, 0.1));", "close: f() = 1.0 +- 0.1"),
    ("assertThat(f()).isWithin(0.1).of(1.0);", "close: f() = 1.0 +- 0.1"),
    ("assertThatCode(() -> f()).doesNotThrowAnyException();", "not-raises: f()"),
    ("assertThatThrownBy(() -> f(1));", "raises-any: f(_) [1]"),
    (
        "assertThatExceptionOfType(E.class).isThrownBy(() -> f(1));",
        "raises: f(_) [1] = E",
    ),
    ("verify(m).f(1);", "called: m.f(_) [1]"),
    ("verify(m, times(2)).f(1);", "called: m.f(_) [1] = times(2)"),
    ("then(m).should(never()).f(1);", "called: m.f(_) [1] = never()"),
    ("verifyNoInteractions(m);", "called: m = verifyNoInteractions"),
    ("when(m.f(1)).thenReturn(2);", "mock: m.f(_) [1] = thenReturn: 2"),
    ("doThrow(e).when(m).f(1);", "mock: m.f(_) [1] = doThrow: e"),
    ("Approvals.verify(f(1));", "snapshot: verify f(_) [1]"),
    ("assumeTrue(isLinux());", "skip: skip = !isLinux()"),
    ("checkTotal(f(1), 2);", "custom: checkTotal(_) [f(1); 2]"),
    ("f(1).g(2);", "arrangement: f(_).g(_) [1; 2]"),
    ("a.b = 2;", "arrangement: a.b = _ [2]"),
    ("assertTrue(true);", "vacuous: true"),
    ("assertEquals(1, 1);", "vacuous: 1 = 1"),
    ("assertNotNull(new A());", "vacuous: new A()"),
    (
        'mvc.perform(get("/")).andExpect(status().isOk());',
        'equal: status() of mvc.perform(_) [get("/")] = isOk',
    ),
    (
        'mvc.perform(get("/")).andExpect(jsonPath("$.a").value(3));',
        'equal: jsonPath("$.a") of mvc.perform(_) [get("/")] = 3',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), ASSERTIONS)
def test_a_line_demands(source: str, expected: str) -> None:
    assert [expected] == lines("java", source)


def test_each_link_of_a_chain_is_a_demand() -> None:
    found = lines("java", "assertThat(f()).isNotNull().hasSize(2).contains(1);")

    assert ["not-none: f()", "length: f() = 2", "contains: f() = 1"] == found


def test_an_error_has_its_type_and_its_message() -> None:
    source = (
        'assertThatThrownBy(() -> f()).isInstanceOf(E.class).hasMessageContaining("x");'
    )

    assert ["raises: f() = E", 'raises: f() = message contains: "x"'] == lines(
        "java", source
    )


def test_all_that_stands_in_assert_all_is_demanded() -> None:
    source = "assertAll(() -> assertEquals(1, f()), () -> assertTrue(g()));"

    assert ["equal: f() = 1", "true: g()"] == lines("java", source)


def test_soft_assertions_are_assertions() -> None:
    source = "SoftAssertions.assertSoftly(s -> { s.assertThat(f()).isEqualTo(1); });"

    assert ["equal: f() = 1"] == lines("java", source)


def test_an_awaited_condition_has_a_time_limit() -> None:
    source = "await().atMost(5, SECONDS).untilAsserted(() -> assertEquals(1, f()));"

    assert ["timeout: await = 5, SECONDS", "equal: f() = 1"] == lines("java", source)


def test_what_satisfies_is_asked_of_the_subject() -> None:
    source = "assertThat(f()).satisfies(x -> { assertThat(x.g()).isEqualTo(1); });"

    assert ["equal: f().g() = 1"] == lines("java", source)


def test_all_of_several_matchers_are_several_demands() -> None:
    source = "assertThat(f(), allOf(notNullValue(), hasSize(2)));"

    assert ["not-none: f()", "length: f() = 2"] == lines("java", source)


def test_a_message_comes_first_in_junit_4() -> None:
    head = "import org.junit.Test;\nimport static org.junit.Assert.assertEquals;\n"

    assert ["equal: f() = 1"] == lines("java", 'assertEquals("x", 1, f());', head)


def test_what_is_looked_at_comes_first_in_testng() -> None:
    head = "import org.testng.annotations.Test;\nimport static org.testng.Assert.*;\n"

    assert ["equal: f() = 1"] == lines("java", "assertEquals(f(), 1);", head)
