from __future__ import annotations

import pytest
from tests.integrity.sources import rules, told

from fairtrial.domain.demands import Change, Match

WEAKENED, STRONGER = Change.WEAKENED, Change.STRONGER
RE_SPECIFIED, EQUAL = Change.RE_SPECIFIED, Change.EQUAL

HEAD = "import pytest\nfrom cart import total\n\n"
ONE = "def test_one():\n    assert total([1]) == 1\n\n"
TWO = "def test_two():\n    assert total([1, 1]) == 2\n\n"
TABLE = (
    "@pytest.mark.parametrize(('prices', 'wanted'), [([1], 1), ([1, 1], 2)])\n"
    "def test_all(prices, wanted):\n    assert total(prices) == wanted\n\n"
)
LOOP = (
    "def test_all():\n    for prices, wanted in [([1], 1), ([1, 1], 2)]:\n"
    "        assert total(prices) == wanted\n\n"
)


def files(*tests: str) -> dict[str, str]:
    return {"tests/test_cart.py": HEAD + "".join(tests)}


def test_tests_that_became_rows_of_one_are_merged() -> None:
    found = told(files(ONE, TWO), files(TABLE))

    host = found.pop("tests/test_cart.py::test_all")
    assert Match.NEW is host.match
    for each in found.values():
        assert Match.MERGED is each.match
        assert host.head == each.head
        assert EQUAL is each.change
        assert not each.identical
    assert 2 == len(found)


@pytest.mark.parametrize("host", [TABLE, LOOP])
def test_no_test_is_lost_by_merging(host: str) -> None:
    base, head = files(ONE, TWO), files(host)

    assert {EQUAL, STRONGER} == {each.change for each in told(base, head).values()}


def test_a_row_that_was_left_out_is_a_test_that_is_gone() -> None:
    fewer = TABLE.replace("[([1], 1), ", "[")

    found = told(files(ONE, TWO), files(fewer))

    assert {"test-removed": WEAKENED} == rules(found["tests/test_cart.py::test_one"])
    assert Match.MERGED is found["tests/test_cart.py::test_two"].match


def test_a_row_with_another_value_takes_no_test_in() -> None:
    other = TABLE.replace("1], 1)", "1], 9)")

    found = told(files(ONE, TWO), files(other))

    assert Match.GONE is found["tests/test_cart.py::test_one"].match


def test_a_skipped_host_skips_what_it_took_in() -> None:
    skipped = "@pytest.mark.skip\n" + TABLE

    found = told(files(ONE, TWO), files(skipped))

    assert {"skip-added": WEAKENED} == rules(found["tests/test_cart.py::test_one"])
    assert {"skip-added": WEAKENED} == rules(found["tests/test_cart.py::test_two"])


def test_a_table_that_became_single_tests_lives_on_in_them() -> None:
    found = told(files(TABLE), files(ONE, TWO))

    gone = [each for each in found.values() if each.match is Match.GONE]
    merged = [each for each in found.values() if each.match is Match.MERGED]
    assert [] == gone
    assert 1 == len(merged)
    assert EQUAL is merged[0].change


def test_a_table_of_which_one_row_became_no_test_is_gone() -> None:
    found = told(files(TABLE), files(ONE))

    assert "test-removed" in rules(found["tests/test_cart.py::test_all"])


def test_a_test_that_was_renamed_and_edited_is_found_by_what_it_demands() -> None:
    base = files(
        "def test_a():\n    assert total([1]) == 1\n    assert total([2]) == 2\n"
        "    assert total([3]) == 3\n"
    )
    head = files(
        "def test_b():\n    assert total([1]) == 1\n    assert total([2]) == 2\n"
        "    assert total([3]) == 4\n"
    )

    (only,) = told(base, head).values()

    assert Match.RENAMED is only.match
    assert {"expected-changed": RE_SPECIFIED} == rules(only)


def test_a_file_that_was_split_loses_nothing() -> None:
    base = files(ONE, TWO)
    head = files(ONE) | {"tests/test_more.py": HEAD + TWO}

    found = told(base, head)

    assert all(each.identical for each in found.values())
    assert Match.MOVED is found["tests/test_more.py::test_two"].match


def test_a_class_that_was_renamed_loses_nothing() -> None:
    def holding(name: str) -> dict[str, str]:
        return files(
            f"class {name}:\n    def test_one(self):\n        assert total([1]) == 1\n"
        )

    (only,) = told(holding("TestCart"), holding("TestBasket")).values()

    assert Match.RENAMED is only.match
    assert only.identical


def test_a_test_of_the_same_name_in_another_file_is_another_test() -> None:
    base = {"tests/test_a.py": HEAD + ONE}
    head = {"tests/test_b.py": "def test_one():\n    assert 'x' in open('y').read()\n"}

    found = told(base, head)

    assert {Match.GONE, Match.NEW} == {each.match for each in found.values()}


def test_a_file_whose_name_no_runner_takes_for_tests_has_none() -> None:
    base = files(ONE)

    found = told(base, {"tests/cart_checks_old.py": base["tests/test_cart.py"]})

    assert {"test-renamed-away": WEAKENED} == rules(
        found["tests/test_cart.py::test_one"]
    )


def test_a_test_that_became_a_helper_is_renamed_away() -> None:
    found = told(files(ONE, TWO), files(ONE, TWO.replace("test_two", "_test_two")))

    assert {"test-renamed-away": WEAKENED} == rules(
        found["tests/test_cart.py::test_two"]
    )


def test_a_second_definition_shadows_the_first() -> None:
    hollow = "def test_two():\n    total([])\n"

    found = told(files(ONE, TWO), files(ONE, TWO, hollow))

    assert WEAKENED is rules(found["tests/test_cart.py::test_two"])["test-shadowed"]


def test_a_new_test_with_a_focus_marker_weakens_the_others() -> None:
    script = "test('a', () => { expect(total([1])).toBe(1); });\n"
    focused = script + "test.only('b', () => { expect(total([2])).toBe(2); });\n"

    found = told({"cart.test.js": script}, {"cart.test.js": focused})

    assert WEAKENED is rules(found["cart.test.js::b"])["focus-added"]


def test_the_same_questions_under_another_name_with_another_answer_are_renamed() -> (
    None
):
    other = ONE.replace("test_one", "test_single").replace("== 1", "== 5")

    (only,) = told(files(ONE), files(other)).values()

    assert (Match.RENAMED, RE_SPECIFIED) == (only.match, only.change)


def test_a_table_that_grew_under_another_name_is_the_same_table() -> None:
    grown = TABLE.replace("2)]", "2), ([], 0)]").replace("test_all", "test_each")
    grown = grown.replace("== wanted", "== (wanted, 'EUR')")

    (only,) = told(files(TABLE), files(grown)).values()

    assert (Match.RENAMED, RE_SPECIFIED) == (only.match, only.change)


@pytest.mark.parametrize(
    "other", [TWO, TABLE.replace("test_all", "test_each").replace("([1], 1), ", "")]
)
def test_other_questions_or_fewer_rows_are_another_test(other: str) -> None:
    base = TABLE if "each" in other else ONE
    changed = other.replace("== wanted", "== (wanted, 'EUR')")

    found = told(files(base), files(changed))

    assert {Match.GONE, Match.NEW} == {each.match for each in found.values()}
