"""What Rust's tests demand."""

from __future__ import annotations

import pytest
from tests.integrity.reading_c_family import keys, lines, only, read, short

LINES = [
    ("assert_eq!(f(1), 2);", "equal: f(_) [1] = 2"),
    ("assert_eq!(2, f(1));", "equal: f(_) [1] = 2"),
    ('assert_eq!(f(1), 2, "why {}", 3);', "equal: f(_) [1] = 2"),
    ("assert_eq!(f(1), Some(2));", "equal: f(_) [1] = Some(2)"),
    ("assert_eq!(Some(2), f(1));", "equal: f(_) [1] = Some(2)"),
    ("assert_eq!(f(1), vec![1, 2]);", "equal: f(_) [1] = {}(1, 2)"),
    ("assert_ne!(f(1), 2);", "not-equal: f(_) [1] = 2"),
    ("assert!(f(1));", "true: f(_) [1]"),
    ("assert!(!f(1));", "false: f(_) [1]"),
    ("assert!(f(1) == 2);", "equal: f(_) [1] = 2"),
    ("assert!(f(1) > 2);", "ordered: f(_) [1] = > 2"),
    ("assert!(f(1).is_some());", "not-none: f(_) [1]"),
    ("assert!(f(1).is_err());", "raises-any: f(_) [1]"),
    ("assert!(f(1).contains(&2));", "contains: f(_) [1] = 2"),
    ("assert!(matches!(f(1), Some(2)));", "matches: f(_) [1] = Some(2)"),
    ("assert_matches!(f(1), Some(2));", "matches: f(_) [1] = Some (2)"),
    ("assert!(true);", "vacuous: true"),
    ("assert_eq!(x, x);", "vacuous: x = x"),
    ("debug_assert_eq!(f(1), 2);", "equal: f(_) [1] = 2"),
    ("assert_relative_eq!(f(1), 2.0, epsilon = 0.1);", "close: f(_) [1] = 2.0 +- 0.1"),
    ("f(1).unwrap_err();", "raises-any: f(_) [1]"),
    ("f(1).unwrap();", "not-raises: f(_) [1]"),
    ("insta::assert_snapshot!(f(1));", "snapshot: assert_snapshot f(_) [1]"),
    ('if f(1) != 2 { panic!("no"); }', "equal: f(_) [1] = 2"),
    ("let x = f(1); assert_eq!(x, 2);", "equal: f(_) [1] = 2"),
    ("check_it(f(1));", "custom: check_it(_) [f(1)]"),
    ("cart.add(1);", "arrangement: cart.add(_) [1]"),
    ("let _ = std::panic::catch_unwind(|| f(1));", "swallowed: panic"),
]


@pytest.mark.parametrize(("source", "expected"), LINES)
def test_a_line_demands(source: str, expected: str) -> None:
    assert [expected.replace(" (", "(")] == [
        each.replace(" (", "(") for each in lines("rust", source)
    ]


@pytest.mark.parametrize("source", ['println!("x");', "Ok(())", "use a::b;"])
def test_talk_demands_nothing(source: str) -> None:
    assert [] == lines("rust", source)


def test_a_match_whose_other_arms_panic_demands_its_pattern() -> None:
    source = "match f(1) { Some(x) => assert_eq!(x, 2), _ => panic!() }"

    assert ["matches: f(_) [1] = Some(x)", "equal: $d1 = 2"] == [
        each.replace(" (", "(") for each in lines("rust", source)
    ]


def test_a_let_whose_else_panics_demands_its_pattern() -> None:
    source = "let Some(x) = f(1) else { panic!() }; assert_eq!(x, 2);"

    assert ["matches: f(_) [1] = Some(x)", "equal: f(_) [1] = 2"] == [
        each.replace(" (", "(") for each in lines("rust", source)
    ]


def test_a_table_is_rows() -> None:
    source = "for (a, b) in [(1, 2), (3, 4)] { assert_eq!(f(a), b); }"

    assert [
        "row: $d1, $d2 = 1, 2",
        "row: $d1, $d2 = 3, 4",
        "equal: f(_) [$d1] = $d2",
    ] == lines("rust", source)


MARKS = [
    ("#[test]", []),
    ("#[test]\n#[ignore]", ["skip: skip"]),
    ('#[test]\n#[ignore = "why"]', ["skip: skip"]),
    ('#[test]\n#[cfg(feature = "x")]', ['skip: skip = not cfg(feature = "x")']),
    ('#[test]\n#[cfg_attr(target_os = "windows", ignore)]',
     ['skip: skip = cfg(target_os = "windows")']),
    ("#[test]\n#[should_panic]", ["raises-any: the test"]),
    ('#[test]\n#[should_panic(expected = "x")]', ['raises: the test = "x"']),
    ("#[tokio::test]", []),
    ("#[rstest]\n#[case(1, 2)]\n#[case::two(3, 4)]",
     ["row: $1, $2 = 1, 2", "row: $1, $2 = 3, 4"]),
    ("#[test_case(1, 2)]", ["row: $1, $2 = 1, 2"]),
]  # fmt: skip


@pytest.mark.parametrize(("marks", "expected"), MARKS)
def test_attributes_demand(marks: str, expected: list[str]) -> None:
    text = f"{marks}\nfn t(a: i32, b: i32) {{}}"

    assert expected == [short(each) for each in only("rust", text).demands]


def test_beside_a_module_of_tests_production_is_left_out() -> None:
    text = (
        "fn production() {}\n#[cfg(test)]\nmod tests {\n use super::*;\n"
        " fn helper() {}\n #[test]\n fn t() { assert_eq!(f(), 1); }\n}"
    )
    file = read("rust", text)

    assert ("tests", "t") == file.tests[0].names
    assert ["helper"] == list(file.support)


def test_fixtures_are_used_by_their_parameters() -> None:
    text = (
        "#[fixture]\nfn cart() -> Cart { Cart::new() }\n"
        "#[rstest]\nfn t(cart: Cart) { assert_eq!(cart.len(), 1); }"
    )

    assert "cart" in only("rust", text).uses


def test_properties_are_tests_with_their_strategies() -> None:
    text = (
        "proptest! {\n #[test]\n fn p(a in 0..3, b in f(1, (2, 3))) {\n"
        "  prop_assert_eq!(g(a), b);\n }\n}"
    )
    found = only("rust", text)

    assert ("p",) == found.names
    assert [
        "row: strategies = a in 0..3, b in f(1, (2, 3))",
        "equal: g(_) [$1] = $2",
    ] == [short(each) for each in found.demands]
    assert 4 == found.demands[-1].line


def test_macros_of_the_file_that_make_tests_are_tests() -> None:
    text = (
        "macro_rules! case { ($n:ident, $a:expr) => { #[test] fn $n() { f($a); } } }\n"
        "case!(one, 1);\ncase!(two, 2);\n"
    )

    assert [
        (("one",), ["custom: assert_by_case(_) [1]"]),
        (("two",), ["custom: assert_by_case(_) [2]"]),
    ] == [
        (each.names, [short(one) for one in each.demands])
        for each in read("rust", text).tests
    ]


@pytest.mark.parametrize(
    "edit",
    [
        "let y = f(1);\n// why\nassert_eq!(\n y,\n 2,\n);",
        "assert_eq!(2, f(1));",
        'assert_eq!(f(1), 2, "words");',
    ],
)
def test_an_honest_edit_demands_the_same(edit: str) -> None:
    assert keys("rust", "let x = f(1); assert_eq!(x, 2);") == keys("rust", edit)


def test_imports_are_names_with_their_paths() -> None:
    text = "use a::{b, c as d};\nuse e::*;\nuse f::g;\n#[test]\nfn t() {}"

    assert {"b": "a::b", "d": "a::c", "g": "f::g"} == {
        name: path
        for name, path in read("rust", text).imports.items()
        if not name.startswith("*")
    }


def test_names_beyond_ascii_do_not_shift_what_macros_hold() -> None:
    text = '// é日本𝒳\n#[test]\nfn t() { assert_eq!(f("日"), "本"); }'

    assert ['equal: f(_) ["日"] = "本"'] == [
        short(each) for each in only("rust", text).demands
    ]
