from __future__ import annotations

import ast
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.demands import Demand, FileDemands
from fairtrial.integrity import python

HEAD: Final = """
import math
import unittest
import pytest
from pytest import approx
from shop.cart import Cart, total
from shop import cart as carts

"""


def keys(text: str) -> list[tuple[str, ...]]:
    """What all tests of a source demand, in order."""
    return [each.key for each in demands(HEAD + text)]


def demands(text: str) -> list[Demand]:
    found: FileDemands = python.read(text)
    return [each for test in found.tests for each in test.demands]


BASE: Final = "def test_total():\n    assert total([1, 2]) == 3\n"
CLASS: Final = "class TestCart(unittest.TestCase):\n    def test_total(self):\n"

#: Two ways to write one thing.
HONEST: Final = {
    "formatting": (
        BASE,
        "def test_total( ) :\n  assert (\n   total( [1,2,] )==3\n  )\n",
    ),
    "message": (BASE, "def test_total():\n    assert total([1, 2]) == 3, 'no'\n"),
    "annotation": (BASE, "def test_total() -> None:\n    assert total([1, 2]) == 3\n"),
    "docstring": (
        BASE,
        "def test_total():\n    'Sums.'\n    assert total([1, 2]) == 3\n",
    ),
    "comment": (
        BASE,
        "def test_total():\n    # Sums.\n    assert total([1, 2]) == 3\n",
    ),
    "list that is taken apart": (
        "def test_total():\n    assert all([p > 0 for p in total([1])])\n",
        "def test_total():\n    assert all(p > 0 for p in total([1]))\n",
    ),
    "swapped": (BASE, "def test_total():\n    assert 3 == total([1, 2])\n"),
    "renamed test": (BASE, "def test_sum():\n    assert total([1, 2]) == 3\n"),
    "expected in a local": (
        BASE,
        "def test_total():\n    expected = 3\n    assert total([1, 2]) == expected\n",
    ),
    "result in a local": (
        BASE,
        "def test_total():\n    result = total([1, 2])\n    assert result == 3\n",
    ),
    "input in a local": (
        BASE,
        "def test_total():\n    items = [1, 2]\n    assert total(items) == 3\n",
    ),
    "annotated local": (
        BASE,
        "def test_total():\n    wanted: int = 3\n    assert total([1, 2]) == wanted\n",
    ),
    "constant": (
        BASE,
        "SUM = 3\n\ndef test_total():\n    assert total([1, 2]) == SUM\n",
    ),
    "class constant": (
        BASE,
        (
            "class TestCart:\n    SUM = 3\n\n    def test_total(self):\n"
            "        assert total([1, 2]) == self.SUM\n"
        ),
    ),
    "other import": (BASE, "def test_total():\n    assert carts.total([1, 2]) == 3\n"),
    "local import": (
        BASE,
        (
            "def test_total():\n    from shop.cart import total as sum_of\n\n"
            "    assert sum_of([1, 2]) == 3\n"
        ),
    ),
    "into a class": (
        BASE,
        (
            "class TestCart:\n    def test_total(self):\n"
            "        assert total([1, 2]) == 3\n"
        ),
    ),
    "unittest": (BASE, CLASS + "        self.assertEqual(total([1, 2]), 3)\n"),
    "unittest, swapped": (BASE, CLASS + "        self.assertEqual(3, total([1, 2]))\n"),
    "unittest, by name": (
        BASE,
        CLASS + "        self.assertEqual(first=total([1, 2]), second=3, msg='no')\n",
    ),
    "unittest, as truth": (
        BASE,
        CLASS + "        self.assertTrue(total([1, 2]) == 3)\n",
    ),
    "print": (
        BASE,
        "def test_total():\n    print('x')\n    assert total([1, 2]) == 3\n",
    ),
    "if fail": (
        BASE,
        "def test_total():\n    if total([1, 2]) != 3:\n        pytest.fail('no')\n",
    ),
    "if raise": (
        BASE,
        "def test_total():\n    if total([1, 2]) != 3:\n        raise AssertionError\n",
    ),
    "not equal to not": (
        "def test_total():\n    assert total([]) != 3\n",
        "def test_total():\n    assert not total([]) == 3\n",
    ),
    "subtest": (
        BASE,
        CLASS + "        with self.subTest(n=1):\n"
        "            self.assertEqual(total([1, 2]), 3)\n",
    ),
    "and": (
        "def test_total():\n    assert total([1]) == 1\n    assert total([2]) == 2\n",
        "def test_total():\n    assert total([1]) == 1 and total([2]) == 2\n",
    ),
    "quotes": (
        "def test_name():\n    assert Cart('a').name == 'a'\n",
        'def test_name():\n    assert Cart("a").name == "a"\n',
    ),
    "string in parts": (
        "def test_name():\n    assert Cart().name == 'ab'\n",
        "def test_name():\n    assert Cart().name == ('a'\n        'b')\n",
    ),
    "number": (
        "def test_total():\n    assert total([]) == 1000\n",
        "def test_total():\n    assert total([]) == 1_000\n",
    ),
    "order of keywords": (
        "def test_total():\n    assert total([], tax=1, rate=2) == 3\n",
        "def test_total():\n    assert total([], rate=2, tax=1) == 3\n",
    ),
    "renamed local": (
        (
            "def test_add():\n    cart = Cart()\n    cart.add(3)\n"
            "    assert cart.total() == 3\n"
        ),
        "def test_add():\n    it = Cart()\n    it.add(3)\n    assert it.total() == 3\n",
    ),
    "renamed loop": (
        (
            "def test_add():\n    for a, b in [(1, 2), (2, 3)]:\n"
            "        assert total(a) == b\n"
        ),
        (
            "def test_add():\n    for x, y in [(1, 2), (2, 3)]:\n"
            "        assert total(x) == y\n"
        ),
    ),
    "table in a local": (
        (
            "def test_add():\n    for a, b in [(1, 2), (2, 3)]:\n"
            "        assert total(a) == b\n"
        ),
        (
            "def test_add():\n    rows = [(1, 2), (2, 3)]\n"
            "    for a, b in rows:\n        assert total(a) == b\n"
        ),
    ),
    "table in a constant": (
        (
            "@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_add(a, b):\n"
            "    assert total(a) == b\n"
        ),
        (
            "ROWS = [(1, 2)]\n@pytest.mark.parametrize(('a', 'b'), ROWS)\n"
            "def test_add(a, b):\n    assert total(a) == b\n"
        ),
    ),
    "row with an id": (
        (
            "@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_add(a, b):\n"
            "    assert total(a) == b\n"
        ),
        (
            "@pytest.mark.parametrize('a, b', [pytest.param(1, 2, id='one')])\n"
            "def test_add(a, b):\n    assert total(a) == b\n"
        ),
    ),
    "raises, called": (
        "def test_bad():\n    with pytest.raises(ValueError):\n        total(None)\n",
        CLASS + "        self.assertRaises(ValueError, total, None)\n",
    ),
    "raises, as context": (
        "def test_bad():\n    with pytest.raises(ValueError):\n        total(None)\n",
        CLASS
        + "        with self.assertRaises(ValueError):\n            total(None)\n",
    ),
    "raises, by hand": (
        "def test_bad():\n    with pytest.raises(ValueError):\n        total(None)\n",
        (
            "def test_bad():\n    try:\n        total(None)\n    except ValueError:\n"
            "        pass\n    else:\n        pytest.fail('no error')\n"
        ),
    ),
    "none": (
        "def test_none():\n    assert total([]) is None\n",
        CLASS + "        self.assertIsNone(total([]))\n",
    ),
    "member": (
        "def test_in():\n    assert 'a' in Cart().names\n",
        CLASS + "        self.assertIn('a', Cart().names)\n",
    ),
    "ordered, turned": (
        "def test_more():\n    assert total([1]) > 0\n",
        "def test_more():\n    assert 0 < total([1])\n",
    ),
    "places": (
        "def test_near():\n    assert round(total([1]), 2) == 1.5\n",
        CLASS + "        self.assertAlmostEqual(total([1]), 1.50, places=2)\n",
    ),
    "delta": (
        "def test_near():\n    assert abs(total([1]) - 1.5) < 0.1\n",
        CLASS + "        self.assertAlmostEqual(total([1]), 1.5, delta=.1)\n",
    ),
    "approx, imported": (
        "def test_near():\n    assert total([1]) == pytest.approx(1.5, abs=0.1)\n",
        (
            "def test_near():\n    wanted = approx(1.5, abs=0.1)\n"
            "    assert total([1]) == wanted\n"
        ),
    ),
    "marker alone": (
        BASE,
        "@pytest.mark.slow\ndef test_total():\n    assert total([1, 2]) == 3\n",
    ),
    "skip that never skips": (
        BASE,
        "@pytest.mark.skipif(False, reason='x')\n" + BASE,
    ),
}


@pytest.mark.parametrize(("before", "after"), HONEST.values(), ids=HONEST)
def test_an_honest_edit_demands_the_same(before: str, after: str) -> None:
    assert keys(before) != []
    assert keys(before) == keys(after)


SAME_FORM: Final = (
    "formatting",
    "annotation",
    "docstring",
    "comment",
    "renamed test",
    "quotes",
    "string in parts",
    "number",
    "order of keywords",
    "renamed local",
    "renamed loop",
)


@pytest.mark.parametrize("name", SAME_FORM)
def test_an_edit_of_form_keeps_the_digest(name: str) -> None:
    before, after = HONEST[name]

    (one,) = python.read(HEAD + before).tests
    (other,) = python.read(HEAD + after).tests

    assert one.digest == other.digest


EXPRESSIONS: Final = st.sampled_from(
    [
        "total([1, 2])",
        "total(a, tax=0.5, *rest)",
        "Cart(3).total",
        "f'{a!r:>{b}} of {total(b)}'",
        "'a' 'b'",
        "b'\\x00' + b'y'",
        "(1,)",
        "{1, 2}",
        "{'a': 1, **a}",
        "[i for i in a if i]",
        "sum(i for i in a)",
        "a[1:2, ::3]",
        "a[1][b]",
        "(lambda x, *y, z=3: x + z)",
        "(a if b else rest)",
        "(not a in b)",
        "-a ** 2",
        "(a + b) * 3",
        "a @ b // 2",
        "0x10",
        "1e3",
        "...",
        '"it\'s"',
        "'\\n\\t\\\\'",
    ]
)
STATEMENTS: Final = st.one_of(
    st.builds("x = {}".format, EXPRESSIONS),
    st.builds("x: int = {}".format, EXPRESSIONS),
    st.builds("x, *y = {}, 3".format, EXPRESSIONS),
    st.builds("assert {} == {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("assert ({} < {}), 'why'".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("cart.add({})".format, EXPRESSIONS),
    st.builds("cart.tax = {}".format, EXPRESSIONS),
    st.builds("del cart[{}]".format, EXPRESSIONS),
    st.builds("with pytest.raises(ValueError):\n        {}".format, EXPRESSIONS),
    st.builds("if {}:\n        cart.go()".format, EXPRESSIONS),
    st.builds("for i, j in {}:\n        assert i == j".format, EXPRESSIONS),
    st.builds("while {}:\n        break".format, EXPRESSIONS),
    st.builds(
        "try:\n        cart.go()\n    except (A, B) as e:\n        {}".format,
        EXPRESSIONS,
    ),
    st.builds("def inner(x=1):\n        return {}".format, EXPRESSIONS),
)


@given(steps=st.lists(STATEMENTS, min_size=1, max_size=5))
def test_what_python_itself_writes_anew_demands_the_same(steps: list[str]) -> None:
    text = (
        HEAD
        + "def test_it(a, b, cart, *rest):\n"
        + "".join(f"    {each}\n" for each in steps)
    )
    (before,) = python.read(text).tests
    (after,) = python.read(ast.unparse(ast.parse(text))).tests

    assert before.digest == after.digest
    assert [each.key for each in before.demands] == [each.key for each in after.demands]
