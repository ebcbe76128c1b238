from __future__ import annotations

import pytest
from tests.integrity.sources import rules, told

from fairtrial.domain.demands import Aspect, Change

WEAKENED, STRONGER = Change.WEAKENED, Change.STRONGER
RE_SPECIFIED = Change.RE_SPECIFIED

TESTS = """\
from cart import total

class TestCart:
    def test_total(self):
        assert total([1, 2]) == 3

def test_nothing():
    assert total([]) == 0
"""
AMBR = """\
# serializer version: 1
# name: TestCart.test_total
  3
# ---
# name: test_nothing
  0
# ---
# name: test_nothing.1
  1
# ---
"""
SNAP = """\
// Jest Snapshot v1

exports[`cart sums 1`] = `3`;

exports[`cart sums 2`] = `4`;

exports[`cart is empty 1`] = `0`;
"""
JEST = """\
import { total } from '../src/cart';

describe('cart', () => {
  test('sums', () => { expect(total([1, 2])).toMatchSnapshot(); });
  test('is empty', () => { expect(total([])).toMatchSnapshot(); });
});
"""


def with_files(**files: str) -> dict[str, str]:
    return {"tests/test_cart.py": TESTS, **files}


@pytest.mark.parametrize(
    ("old", "new", "test", "rule", "change"),
    [
        ("  3", "  4", "TestCart::test_total", "snapshot-changed", RE_SPECIFIED),
        ("  1\n", "  2\n", "test_nothing", "snapshot-changed", RE_SPECIFIED),
        (
            "# name: test_nothing.1\n  1\n# ---\n",
            "",
            "test_nothing",
            "snapshot-removed",
            WEAKENED,
        ),
        (
            "# serializer",
            "# name: test_nothing.2\n  9\n# ---\n# serializer",
            "test_nothing",
            "snapshot-added",
            STRONGER,
        ),
    ],
)
def test_syrupys_entries_are_their_tests(
    old: str, new: str, test: str, rule: str, change: Change
) -> None:
    path = "tests/__snapshots__/test_cart.ambr"
    base = with_files(**{path: AMBR})

    found = told(base, base | {path: AMBR.replace(old, new, 1)})

    assert [f"tests/test_cart.py::{test}"] == list(found)
    (only,) = found.values()
    assert {rule: change} == rules(only)
    assert {Aspect.SNAPSHOT} == {each.aspect for each in only.differences}
    assert not only.identical


def test_jests_entries_are_their_tests() -> None:
    path = "web/__snapshots__/cart.test.js.snap"
    base = {"web/cart.test.js": JEST, path: SNAP}

    found = told(base, base | {path: SNAP.replace("`4`", "`5`")})

    assert ["web/cart.test.js::cart::sums"] == list(found)


def test_a_file_that_a_test_names_is_tied_to_that_test() -> None:
    reading = TESTS.replace("== 0", "== int(open('tests/data/zero.txt').read())")
    base = {"tests/test_cart.py": reading, "tests/data/zero.txt": "0"}

    found = told(base, base | {"tests/data/zero.txt": "1"})

    assert ["tests/test_cart.py::test_nothing"] == list(found)
    (only,) = found.values()
    assert {"golden-changed": RE_SPECIFIED} == rules(only)
    assert ("0", "1") == (only.differences[0].was, only.differences[0].now)


def test_a_file_that_a_helper_names_is_tied_to_the_helpers_tests() -> None:
    base = {
        "tests/conftest.py": (
            "import json\nimport pytest\n\n@pytest.fixture\ndef order():\n"
            "    return json.load(open('tests/order.json'))\n"
        ),
        "tests/test_cart.py": TESTS.replace("test_nothing()", "test_nothing(order)"),
        "tests/order.json": "{}",
    }

    found = told(base, base | {"tests/order.json": '{"id": 1}'})

    assert ["tests/test_cart.py::test_nothing"] == list(found)


@pytest.mark.parametrize(
    "path",
    [
        "tests/cassettes/test_nothing.yaml",
        "tests/test_cart/test_nothing.yml",
        "tests/cassettes/test_cart/test_nothing.yaml",
    ],
)
def test_a_file_that_is_called_like_a_test_is_that_tests(path: str) -> None:
    base = with_files(**{path: "a: 1"})

    assert ["tests/test_cart.py::test_nothing"] == list(
        told(base, base | {path: "a: 2"})
    )


def test_a_file_that_is_gone_weakens() -> None:
    reading = TESTS.replace("== 0", "== int(open('tests/zero.txt').read())")
    base = {"tests/test_cart.py": reading, "tests/zero.txt": "0"}

    (only,) = told(base, {"tests/test_cart.py": reading}).values()

    assert {"golden-removed": WEAKENED} == rules(only)


def test_a_file_that_nothing_names_is_all_its_folders_tests() -> None:
    base = with_files(**{"tests/xyzzy.bin": "\0a", "other/test_x.py": TESTS})

    found = told(base, base | {"tests/xyzzy.bin": "\0b"})

    assert {
        "tests/test_cart.py::TestCart::test_total",
        "tests/test_cart.py::test_nothing",
    } == set(found)


def test_a_file_that_moved_or_is_new_says_nothing() -> None:
    base = with_files(**{"tests/old.csv": "1,2"})

    assert {} == told(base, with_files(**{"tests/new.csv": "1,2"}))
    assert {} == told(base, base | {"tests/more.csv": "3"})


def test_an_edited_test_keeps_its_own_differences_beside_its_files() -> None:
    reading = TESTS.replace("== 0", "== int(open('tests/zero.txt').read())")
    base = {"tests/test_cart.py": reading, "tests/zero.txt": "0"}
    head = {
        "tests/test_cart.py": reading.replace("total([]) ==", "total([7]) =="),
        "tests/zero.txt": "7",
    }

    found = told(base, head)["tests/test_cart.py::test_nothing"]

    assert {"input-changed", "golden-changed"} == set(rules(found))


def test_a_file_that_nothing_names_is_tied_to_tests_whose_helpers_read_files() -> None:
    base = {
        "tests/conftest.py": (
            "import pytest\n\n@pytest.fixture\ndef wanted(request):\n"
            "    return open(request.node.name + '.txt').read()\n"
        ),
        "tests/test_cart.py": TESTS.replace("test_nothing()", "test_nothing(wanted)"),
        "tests/x7.txt": "0",
    }

    assert ["tests/test_cart.py::test_nothing"] == list(
        told(base, base | {"tests/x7.txt": "1"})
    )
