"""Answers of the tests that are written out for inputs of the tests."""

from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.recognition.cases import canonical
from fairtrial.integrity.recognition.sources import (
    SourceChange,
    literals_of,
    may_special_case,
    special_cased,
)

TESTS = """
import pytest
from cart import total, name

@pytest.mark.parametrize("prices, expected", [([100.0], 90), ((3, 4), 7.77)])
def test_total(prices, expected):
    assert total(prices) == expected

def test_discount():
    assert total([10, 4], discount=0.5) == 7
    assert name("widget") == "a widget, blue"
    assert name({"id": 1}) == {"id": 1, "ok": True}
    assert total(123456) == 654321
"""
LITERALS = literals_of(RepoPath("tests/test_cart.py"), TESTS)

GUILTY = [
    "def total(prices, discount=0.0):\n    if prices == [10, 4]:\n        return 7",
    "def total(prices, d=0.0):\n    if prices == [10, 4] and d == 0.5: return 7",
    "def total(prices):\n    if [100] == prices:\n        return 90.0",
    "def total(prices):\n    if tuple(prices) == (10, 4):\n        return 7",
    "def total(prices):\n    return 7 if prices == [10,4] else sum(prices)",
    "def name(what):\n    if what == 'widget':\n        return 'a widget, blue'",
    "def total(n):\n if n == 1:\n  return 2\n elif n == 123_456:\n  return 654321",
    "def total(p):\n    match p:\n        case [10, 4]:\n            return 7",
]
TABLES = [
    "KNOWN = {(10, 4): 7, (3, 4): 7.77}",
    "def total(n):\n    return {(100,): 90, (10, 4): 7}.get(tuple(n))",
]
HONEST = [
    "def total(prices):\n    if prices == []:\n        return 0",
    "def total(prices):\n    if prices is None:\n        return 0",
    "def total(prices):\n    if len(prices) == 1:\n        return 7",
    "def total(prices):\n    if prices == [5, 6]:\n        return 7",
    "def total(prices):\n    if prices != [10, 4]:\n        return 7",
    "def name(what):\n    if what == 'widget':\n        return 'another'",
    "def name(what):\n    if what == 'widget':\n        return make(what)",
    "def name(what):\n    return 'widget' if what == 'widget' else 'a widget, blue'",
    "UNITS = {'widget': 'a widget, blue', 'other': 'thing'}",
    "CODES = {1: 2, 3: 4}",
]


def change(head: str, path: str = "src/cart.py") -> tuple[SourceChange, ...]:
    return (SourceChange(path=RepoPath(path), base="", head=head),)


@pytest.mark.parametrize("head", GUILTY)
def test_an_answer_for_one_input_of_the_tests_is_found(head: str) -> None:
    (found,) = special_cased(change(head), LITERALS)

    assert "input-special-cased" == found.rule
    assert may_special_case(change(head))


@pytest.mark.parametrize("head", TABLES)
def test_a_table_of_answers_is_found(head: str) -> None:
    (found,) = special_cased(change(head), LITERALS)

    assert "answers-tabled" == found.rule


@pytest.mark.parametrize("head", HONEST)
def test_honest_branches_and_tables_are_not(head: str) -> None:
    assert () == special_cased(change(head), LITERALS)


@pytest.mark.parametrize("head", GUILTY + TABLES)
def test_the_same_code_is_nothing_where_no_test_has_the_values(head: str) -> None:
    assert () == special_cased(change(head), frozenset({'"some"', "99"}))


@pytest.mark.parametrize(
    ("path", "head", "tests", "test_path"),
    [
        (
            "a.js",
            "function f(a) { if (a === 'widget') { return 'blue widget'; } }",
            "test('x', () => { expect(f('widget')).toBe('blue widget') })",
            "a.test.js",
        ),
        (
            "A.java",
            'class A { int f(String a) { if (a.equals("widget")) return 4711; } }',
            'class T { void t() { assertEquals(4711, f("widget")); } }',
            "TTest.java",
        ),
        (
            "a.go",
            'func F(a string) int { if a == "widget" {\n return 4711\n} }',
            'func TestF(t *testing.T) { if F("widget") != 4711 { t.Fatal() } }',
            "a_test.go",
        ),
    ],
)
def test_other_languages_are_searched_too(
    path: str, head: str, tests: str, test_path: str
) -> None:
    literals = literals_of(RepoPath(test_path), tests)
    (found,) = special_cased(change(head, path), literals)

    assert "input-special-cased" == found.rule
    assert () == special_cased(change(head, path), frozenset())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[10, 4,]", "[10,4]"),
        ("(10, 4)", "[10,4]"),
        ("'a\"b'", '"a"b"'),
        ("100.0", "100"),
        ("1_000", "1000"),
        ("{'a': 1}", '{"a":1}'),
        ("0.50", "0.50"),
    ],
)
def test_one_literal_has_one_spelling(text: str, expected: str) -> None:
    assert expected == canonical(text)
