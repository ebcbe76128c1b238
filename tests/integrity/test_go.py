"""What Go's tests demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import keys, lines, only, read, short

LINES = [
    ('if F(1) != 2 { t.Errorf("no") }', "equal: F(_) [1] = 2"),
    ('if 2 != F(1) { t.Errorf("no") }', "equal: F(_) [1] = 2"),
    ('if want != F(1) { t.Fatal("no") }', "equal: F(_) [1] = want"),
    ("if got := F(1); got != 2 { t.Error() }", "equal: F(_) [1] = 2"),
    ("got := F(1)\nif got != 2 { t.Error() }", "equal: F(_) [1] = 2"),
    ("if F(1) == nil { t.Fatal() }", "not-none: F(_) [1]"),
    ("if _, err := F(1); err != nil { t.Fatal(err) }", "none: F(_)#1 [1]"),
    ("if !F(1) { t.Error() }", "true: F(_) [1]"),
    ("if F(1) { t.Error() }", "false: F(_) [1]"),
    ("if F(1) < 2 { t.Error() }", "ordered: F(_) [1] = >= 2"),
    ("if len(F(1)) != 2 { t.Error() }", "length: F(_) [1] = 2"),
    ("if !reflect.DeepEqual(F(1), want) { t.Error() }", "equal: F(_) [1] = want"),
    ("if !bytes.Equal(F(1), want) { t.Error() }", "equal: F(_) [1] = want"),
    ("if !errors.Is(F(1), E) { t.Error() }", "raises: F(_) [1] = E"),
    ('if !strings.Contains(F(1), "a") { t.Error() }', 'contains: F(_) [1] = "a"'),
    (
        'if diff := cmp.Diff(want, F(1)); diff != "" { t.Error(diff) }',
        'equal: cmp.Diff(_) [want; F(1)] = ""',
    ),
    ('if cmp.Diff(want, F(1)) != "" { t.Error() }', "equal: F(_) [1] = want"),
    ("assert.Equal(t, 2, F(1))", "equal: F(_) [1] = 2"),
    ('require.Equalf(t, 2, F(1), "no")', "equal: F(_) [1] = 2"),
    ("assert.NotEqual(t, 2, F(1))", "not-equal: F(_) [1] = 2"),
    ("require.NoError(t, F(1))", "not-raises: F(_) [1]"),
    ("require.Error(t, F(1))", "raises-any: F(_) [1]"),
    ("require.ErrorIs(t, F(1), E)", "raises: F(_) [1] = E"),
    ('require.ErrorContains(t, F(1), "a")', 'raises: F(_) [1] = message contains: "a"'),
    ("assert.Nil(t, F(1))", "none: F(_) [1]"),
    ("assert.Len(t, F(1), 2)", "length: F(_) [1] = 2"),
    ("assert.Empty(t, F(1))", "length: F(_) [1] = empty"),
    ("assert.Contains(t, F(1), 2)", "contains: F(_) [1] = 2"),
    ("assert.ElementsMatch(t, want, F(1))", "equal: F(_) [1] = in any order: want"),
    ("assert.InDelta(t, 2.0, F(1), 0.1)", "close: F(_) [1] = 2.0 +- 0.1"),
    ("assert.Greater(t, F(1), 2)", "ordered: F(_) [1] = > 2"),
    ("assert.True(t, F(1) == 2)", "equal: F(_) [1] = 2"),
    ("assert.Panics(t, func() { F(1) })", "raises-any: F(_) [1]"),
    ("Expect(F(1)).To(Equal(2))", "equal: F(_) [1] = 2"),
    ("Expect(F(1)).NotTo(HaveOccurred())", "not-raises: F(_) [1]"),
    ("c.Assert(F(1), qt.Equals, 2)", "equal: F(_) [1] = 2"),
    ("m.EXPECT().F(1).Return(2)", "mock: m.EXPECT().F(_) [1] = Return: 2"),
    ('m.On("F", 1).Return(2)', 'mock: m.On(_) ["F"; 1] = Return: 2'),
    ('t.Skip("why")', "skip: skip"),
    ('if testing.Short() { t.Skip("why") }', "skip: skip = if testing.Short()"),
    ("defer func() { recover() }()", "swallowed: panic"),
    ("assert.True(t, true)", "vacuous: true"),
    ("assert.Equal(t, x, x)", "vacuous: x = x"),
    ("checkIt(t, F(1))", "custom: checkIt(_) [$1; F(1)]"),
    ("cart.Add(1)", "arrangement: cart.Add(_) [1]"),
]


@pytest.mark.parametrize(("source", "expected"), LINES)
def test_a_line_demands(source: str, expected: str) -> None:
    assert [expected] == lines("go", source)


@pytest.mark.parametrize("source", ["t.Parallel()", "t.Helper()", 't.Log("x")'])
def test_talk_demands_nothing(source: str) -> None:
    assert [] == lines("go", source)


TABLE = (
    "for _, tt := range []struct {{ name string; in, want int }}{{ {0} }} {{\n"
    " t.Run(tt.name, func(t *testing.T) {{\n"
    "  if got := F(tt.in); got != tt.want {{ t.Error() }}\n }})\n}}"
)


@pytest.mark.parametrize(
    "rows",
    [
        '{"a", 1, 2}, {"b", 3, 4}',
        '{"other", 1, 2}, {"b", 3, 4}',
        '{name: "a", in: 1, want: 2}, {in: 3, want: 4}',
    ],
)
def test_a_table_is_rows(rows: str) -> None:
    assert [
        "row: $in, $want = 1, 2",
        "row: $in, $want = 3, 4",
        "equal: F(_) [$in] = $want",
    ] == lines("go", TABLE.format(rows))


def test_a_table_in_a_map_is_rows() -> None:
    source = (
        'tests := map[string]struct{ in int }{"a": {1}, "b": {in: 2}}\n'
        "for name, tt := range tests { t.Run(name, func(t *testing.T) {\n"
        " require.Equal(t, 1, F(tt.in)) }) }"
    )

    assert ["row: $in = 1", "row: $in = 2", "equal: F(_) [$in] = 1"] == lines(
        "go", source
    )


def test_subtests_with_a_name_are_tests() -> None:
    text = (
        "package a\nfunc TestA(t *testing.T) {\n x := G()\n"
        ' t.Run("one", func(t *testing.T) { require.Equal(t, 1, x.F()) })\n}'
    )

    assert [
        (("TestA",), []),
        (("TestA", "one"), ["equal: G().F() = 1"]),
    ] == [
        (each.names, [short(one) for one in each.demands])
        for each in read("go", text).tests
    ]


def test_an_example_has_to_print_its_comment() -> None:
    text = "package a\nfunc ExampleF() {\n F()\n // Output:\n // 1\n // 2\n}"

    assert ['equal: the output = "1\\n2"', "arrangement: F()"] == [
        short(each) for each in only("go", text).demands
    ]


def test_methods_of_suites_are_tests() -> None:
    text = (
        "package a\nfunc (s *S) SetupTest() { s.x = 1 }\n"
        "func (s *S) TestA() { s.Equal(1, s.x) }\n"
        "func (s *S) helper() {}\n"
    )
    file = read("go", text)

    assert ("S", "TestA") == file.tests[0].names
    assert {"SetupTest": True, "helper": False} == {
        name: each.automatic for name, each in file.support.items()
    }


def test_test_main_applies_to_all_and_is_no_test() -> None:
    file = read("go", "package a\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }")

    assert () == file.tests
    assert file.support["TestMain"].automatic


@pytest.mark.parametrize("name", ["testA", "Testing", "BenchmarkA"])
def test_what_go_does_not_run_is_no_test(name: str) -> None:
    text = f"package a\nfunc {name}(b *testing.B) {{}}"

    assert () == read("go", text).tests


def test_a_deferred_check_of_recover_demands_a_panic() -> None:
    source = 'defer func() { if r := recover(); r == nil { t.Error("no") } }()'

    assert ["raises-any: the test"] == lines("go", source)


def test_ginkgo_s_blocks_are_tests() -> None:
    text = (
        'package a\nvar _ = Describe("cart", func() {\n BeforeEach(func() { G() })\n'
        ' It("adds", func() { Expect(F()).To(Equal(1)) })\n'
        ' PIt("later", func() { Expect(F()).To(Equal(2)) })\n})'
    )

    assert [
        (("cart", "adds"), ["equal: F() = 1"]),
        (("cart", "later"), ["skip: skip", "equal: F() = 2"]),
    ] == [
        (each.names, [short(one) for one in each.demands])
        for each in read("go", text).tests
    ]


@pytest.mark.parametrize(
    "edit",
    [
        'y := F(1) // why\nif y != 2 { t.Errorf("other words") }',
        "if y := F(1); y != 2 { t.Error() }",
        "t.Parallel()\nif F(1) != 2 { t.Error() }",
    ],
)
def test_an_honest_edit_demands_the_same(edit: str) -> None:
    assert keys("go", "got := F(1)\nif got != 2 { t.Error() }") == keys("go", edit)


def test_imports_are_local_names_with_their_paths() -> None:
    text = 'package a\nimport ("testing"; m "a/b"; . "c/d"; "e/f")\n'

    assert {"testing": "testing", "m": "a/b", "*c/d": "c/d:*", "f": "e/f"} == read(
        "go", text
    ).imports
