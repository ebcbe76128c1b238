"""What Java's annotations, rows, names and helpers demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import only, read, short

MARKS = [
    ("@Disabled", ["skip: skip"]),
    ('@Disabled("why")', ["skip: skip"]),
    ("@Ignore", ["skip: skip"]),
    ("@DisabledOnOs(OS.WINDOWS)", ["skip: skip = DisabledOnOs(OS.WINDOWS)"]),
    ('@EnabledIfSystemProperty(named = "a", matches = "b")',
     ['skip: skip = EnabledIfSystemProperty(named = "a", matches = "b")']),
    ("@Timeout(5)", ["timeout: timeout = 5"]),
    ("@RetryingTest(3)", ["retry: RetryingTest = 3"]),
    ("@RepeatedIfExceptionsTest(repeats = 3)", ["retry: RepeatedIfExceptionsTest = 3"]),
    ('@DisplayName("x")', []),
    ('@Tag("fast")', []),
    ('@Sql("a.sql")', ['arrangement: @Sql ["a.sql"]']),
    ("@ParameterizedTest @ValueSource(ints = {1, 2})", ["row: $1 = 1", "row: $1 = 2"]),
    ("@ParameterizedTest @ValueSource(ints = 1)", ["row: $1 = 1"]),
    ('@ParameterizedTest @CsvSource({"1, a", "2, \'b, c\'"})',
     ['row: $1, $2 = 1, "a"', 'row: $1, $2 = 2, "b, c"']),
    ('@ParameterizedTest @CsvSource(textBlock = """\n  1, a\n  2, b\n  """)',
     ['row: $1, $2 = 1, "a"', 'row: $1, $2 = 2, "b"']),
    ('@ParameterizedTest @MethodSource("rows")',
     ["row: $1, $2 = 1, 2", "row: $1, $2 = 3, 4"]),
    ("@ParameterizedTest @EnumSource(Color.class)",
     ["row: $1 = @EnumSource(Color.class)"]),
    ("@ParameterizedTest @NullAndEmptySource", ["row: $1 = null", "row: $1 = empty"]),
]  # fmt: skip


@pytest.mark.parametrize(("marks", "expected"), MARKS)
def test_annotations_demand(marks: str, expected: list[str]) -> None:
    text = (
        f"class T {{ {marks} @Test void t(int a, int b) {{}}\n"
        "static Stream<Arguments> rows() {"
        " return Stream.of(Arguments.of(1, 2), arguments(3, 4)); } }"
    )

    assert expected == [short(each) for each in only("java", text).demands]


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("@Test(expected = E.class)", "raises: the test = E"),
        ("@Test(timeout = 5)", "timeout: timeout = 5"),
        ("@Test(enabled = false)", "skip: skip"),
        ("@Test(expectedExceptions = E.class)", "raises: the test = E"),
    ],
)
def test_older_frameworks_say_it_in_the_test_s_own_annotation(
    mark: str, expected: str
) -> None:
    text = f"class T {{ {mark} public void t() {{}} }}"

    assert [expected] == [short(each) for each in only("java", text).demands]


def test_a_class_that_is_disabled_skips_its_tests_and_those_inside() -> None:
    text = (
        "@Disabled class T { @Test void a() {}"
        " @Nested class Inner { @Test void b() {} } }"
    )

    assert [("T", "a"), ("T", "Inner", "b")] == [
        each.names for each in read("java", text).tests
    ]
    assert all(
        ["skip: skip"] == [short(one) for one in each.demands]
        for each in read("java", text).tests
    )


def test_junit_3_s_tests_are_found_by_their_names() -> None:
    text = (
        "class T extends TestCase { public void testA() { assertEquals(1, f()); }"
        " void setUp() {} private void testB(int x) {} }"
    )

    assert ("T", "testA") == only("java", text).names
    assert read("java", text).support["setUp"].automatic


def test_dynamic_tests_are_tests() -> None:
    text = (
        "class T { @TestFactory Stream<DynamicTest> all() { return Stream.of("
        'dynamicTest("one", () -> assertEquals(1, f()))); } }'
    )

    assert ("T", "all") in {each.names for each in read("java", text).tests}


def test_helpers_hooks_and_fields_are_support() -> None:
    text = (
        "class T extends Base { @Mock Cart cart; int n = 3;"
        " @BeforeEach void up() { cart.clear(); }"
        " @Test void t() { check(n); }"
        " void check(int x) { assertEquals(x, cart.size()); } }"
    )
    support = read("java", text).support

    assert {"cart": True, "n": False, "up": True, "check": False} == {
        name: each.automatic for name, each in support.items()
    }
    assert ["mock: Cart"] == [short(each) for each in support["cart"].demands]
    assert ["equal: cart.size() = $1"] == [
        short(each) for each in support["check"].demands
    ]
    assert {"check", "n", "Base"} <= only("java", text).uses


def test_a_constant_is_its_value_and_no_step() -> None:
    text = (
        "class T { private static final int N = 3;"
        " @Test void t() { assertEquals(N, f()); } }"
    )
    file = read("java", text)

    assert ["equal: f() = 3"] == [short(each) for each in file.tests[0].demands]
    assert () == file.support["N"].demands


def test_helpers_of_one_name_in_several_classes_are_all_kept() -> None:
    text = (
        "class A { void up() { f(); } @Test void t() { up(); }"
        " @Nested class B { void up() { g(); } @Test void u() { up(); } } }"
    )
    file = read("java", text)

    assert {"A.up", "A.B.up"} == set(file.support)
    assert all(name == each.name for name, each in file.support.items())
    assert {"A.up", "A.B.up"} <= file.tests[0].uses


def test_imports_are_names_with_their_modules() -> None:
    text = "import a.b.C;\nimport static a.D.e;\nimport f.*;\nclass T {}"

    assert {"C": "a.b:C", "e": "a.D:e", "f.*": "f:*"} == read("java", text).imports


def test_a_test_s_digest_is_the_same_without_formatting_and_local_names() -> None:
    one = only(
        "java", "class T { @Test void a() { int x = f(); assertEquals(1, x); } }"
    )
    other = only(
        "java",
        "class T {\n @Test\n void b() {\n  final var y = f(); // y\n"
        "  assertEquals(1, y);\n }\n}",
    )
    third = only(
        "java", "class T { @Test void a() { int x = f(); assertEquals(2, x); } }"
    )

    assert one.digest == other.digest
    assert one.digest != third.digest


def test_a_test_has_its_lines() -> None:
    found = only("java", "class T {\n @Test\n void a() {\n  f();\n }\n}\n")

    assert (2, 5) == (found.line, found.last_line)
    assert [4] == [each.line for each in found.demands]
