from __future__ import annotations

from typing import Final

import pytest

from fairtrial.integrity import python

HEAD: Final = """
import os, sys, unittest
import pytest
from unittest import mock
from unittest.mock import patch
from hypothesis import given, example, settings, assume, strategies as st
from parameterized import parameterized
from shop import cart
from shop.cart import Cart

ON = os.name == "nt"
ROWS = [1, 2]

"""


def told(text: str) -> list[tuple[str, str, str, str]]:
    (test,) = python.read(HEAD + text).tests
    return [
        (each.aspect.value, each.subject, each.inputs, each.expected)
        for each in test.demands
    ]


#: Decorators, and what they demand.
DECORATORS: Final = {
    "@pytest.mark.skip": [("skip", "skip", "", "always")],
    "@pytest.mark.skip(reason='a')": [("skip", "skip", "", "always")],
    "@pytest.mark.skipif(1 == 1, reason='a')": [("skip", "skip", "", "always")],
    "@pytest.mark.skipif('True')": [("skip", "skip", "", "always")],
    "@pytest.mark.skipif(False, reason='a')": [],
    "@pytest.mark.skipif(ON, reason='a')": [("skip", "skip", "", "(os.name == 'nt')")],
    "@pytest.mark.skipif(sys.platform == 'win32', reason='a')": [
        ("skip", "skip", "", "(sys.platform == 'win32')")
    ],
    "@unittest.skip('a')": [("skip", "skip", "", "always")],
    "@unittest.skipIf(True, 'a')": [("skip", "skip", "", "always")],
    "@unittest.skipUnless(False, 'a')": [("skip", "skip", "", "always")],
    "@unittest.skipUnless(True, 'a')": [],
    "@unittest.skipUnless(ON, 'a')": [("skip", "skip", "", "not (os.name == 'nt')")],
    "@unittest.expectedFailure": [("skip", "xfail", "", "always")],
    "@pytest.mark.xfail": [("skip", "xfail", "", "always")],
    "@pytest.mark.xfail(ON, strict=True, raises=ValueError)": [
        ("skip", "xfail", "raises=ValueError, strict=True", "(os.name == 'nt')")
    ],
    "@pytest.mark.flaky(reruns=2)": [("retry", "flaky", "", "(reruns=2)")],
    "@pytest.mark.timeout(5)": [("timeout", "timeout", "", "5")],
    "@pytest.mark.timeout(timeout=5)": [("timeout", "timeout", "", "5")],
    "@pytest.mark.slow": [],
    "@pytest.mark.filterwarnings('error')": [
        ("arrangement", "@pytest.mark.filterwarnings(_)", "'error'", "")
    ],
    "@cart.quietly": [("arrangement", "@shop.cart.quietly", "", "")],
    "@cart.at(2020)": [("arrangement", "@shop.cart.at(_)", "2020", "")],
    "@cart.skip_on_mondays": [("skip", "skip", "", "skip_on_mondays")],
    "@pytest.mark.parametrize('a', [1, 2])": [
        ("row", "a", "", "1"),
        ("row", "a", "", "2"),
    ],
    "@pytest.mark.parametrize('a', ROWS, ids=str)": [
        ("row", "a", "", "1"),
        ("row", "a", "", "2"),
    ],
    "@pytest.mark.parametrize('a', [*ROWS, 3])": [
        ("row", "a", "", "1"),
        ("row", "a", "", "2"),
        ("row", "a", "", "3"),
    ],
    "@pytest.mark.parametrize('a', [])": [("skip", "skip", "", "always")],
    "@pytest.mark.parametrize('a', range(3))": [("row", "a", "", "range(3)")],
    "@pytest.mark.parametrize('a', [pytest.param(1, marks=pytest.mark.xfail)])": [
        ("row", "a", "", "1"),
        ("skip", "xfail", "1", "always"),
    ],
    "@pytest.mark.parametrize('a', [1])\n@pytest.mark.parametrize('b', [2])": [
        ("row", "a", "", "1"),
        ("row", "b", "", "2"),
    ],
    "@parameterized.expand([(1, 2), (3, 4)])": [
        ("row", "", "", "(1, 2)"),
        ("row", "", "", "(3, 4)"),
    ],
    "@given(st.integers())\n@example(0)": [
        ("row", "given", "", "(hypothesis.strategies.integers())"),
        ("row", "example", "", "(0)"),
    ],
    "@settings(max_examples=5)": [
        ("arrangement", "hypothesis.settings(_)", "(max_examples=5)", "")
    ],
    "@mock.patch('shop.cart.total', return_value=3)": [
        ("mock", "shop.cart.total", "", "return_value=3")
    ],
    "@patch.object(cart, 'total')": [("mock", "shop.cart.total", "", "")],
    "@patch.dict(os.environ, {'A': '1'})": [("mock", "os.environ", "", "{'A': '1'}")],
}


@pytest.mark.parametrize(
    ("decorator", "wanted"), DECORATORS.items(), ids=list(DECORATORS)
)
def test_a_decorator_is_read_as(
    decorator: str, wanted: list[tuple[str, str, str, str]]
) -> None:
    assert wanted == told(f"{decorator}\ndef test_it(a, b):\n    pass\n")


#: Statements, and what they demand.
STATEMENTS: Final = {
    "pytest.skip('a')": [("skip", "skip", "", "always")],
    "self.skipTest('a')": [("skip", "skip", "", "always")],
    "raise unittest.SkipTest('a')": [("skip", "skip", "", "always")],
    "if ON:\n        pytest.skip('a')": [("skip", "skip", "", "ON")],
    "pytest.xfail('a')": [("skip", "xfail", "", "always")],
    "pytest.importorskip('a')": [("skip", "skip", "", "no ('a')")],
    "assume(a > 0)": [("skip", "assume", "", "not (a > 0)")],
    "monkeypatch.setattr(cart, 'total', 3)": [("mock", "shop.cart.total", "", "3")],
    "monkeypatch.setattr('shop.cart.total', 3)": [("mock", "shop.cart.total", "", "3")],
    "monkeypatch.setenv('A', '1')": [("mock", "os.environ[A]", "", "'1'")],
    "monkeypatch.delenv('A')": [("mock", "os.environ[A]", "", "(deleted)")],
    "mocker.patch('shop.cart.total')": [("mock", "shop.cart.total", "", "")],
    "mocker.patch.object(Cart, 'total', 3)": [
        ("mock", "shop.cart.Cart.total", "", "3")
    ],
    "with patch('shop.cart.total', 3):\n        pass": [
        ("mock", "shop.cart.total", "", "3")
    ],
    "patch('shop.cart.total', 3).start()": [("mock", "shop.cart.total", "", "3")],
    "it = patch('shop.cart.total', 3)\n    it.start()": [
        ("mock", "shop.cart.total", "", "3")
    ],
    "cart.total = 3": [("mock", "shop.cart.total", "", "3")],
    "os.environ['A'] = '1'": [("mock", "os.environ['A']", "", "'1'")],
    "self.cart = Cart()": [("arrangement", "self.cart =", "shop.cart.Cart()", "")],
    "del self.cart.items[0]": [("arrangement", "del self.cart.items[_]", "0", "")],
    "for a in (1, 2):\n        pass": [("row", "", "", "1"), ("row", "", "", "2")],
    "Cart().add(1, b=2, a=3)": [
        ("arrangement", "shop.cart.Cart(_).add(_)", "; 1, a=3, b=2", "")
    ],
    "x = Cart()": [("arrangement", "shop.cart.Cart(_)", "", "")],
    "x = 3": [],
}


@pytest.mark.parametrize(
    ("statement", "wanted"), STATEMENTS.items(), ids=[*map(repr, STATEMENTS)]
)
def test_a_statement_is_read_as(
    statement: str, wanted: list[tuple[str, str, str, str]]
) -> None:
    head = "def test_it(self, a, monkeypatch, mocker):\n    "
    assert wanted == told(f"{head}{statement}\n")


SKIPPED: Final = {
    "class": "@pytest.mark.skip\nclass TestIt:\n    def test_it(self):\n        f()\n",
    "class, named": (
        "class TestIt:\n    pytestmark = pytest.mark.skip\n"
        "    def test_it(self):\n        f()\n"
    ),
    "base": (
        "@unittest.skip('a')\nclass Base:\n    pass\n\n"
        "class TestIt(Base):\n    def test_it(self):\n        f()\n"
    ),
    "module": "pytestmark = [pytest.mark.skip]\n\ndef test_it():\n    f()\n",
    "in a name": "off = pytest.mark.skip\n\n@off\ndef test_it():\n    f()\n",
    "module call": (
        "pytest.skip('a', allow_module_level=True)\n\ndef test_it():\n    f()\n"
    ),
    "constructor": (
        "class TestIt:\n    def __init__(self):\n        pass\n"
        "    def test_it(self):\n        f()\n"
    ),
    "__test__": (
        "class TestIt:\n    __test__ = False\n    def test_it(self):\n        f()\n"
    ),
    "__test__ of a function": "def test_it():\n    f()\n\ntest_it.__test__ = False\n",
}


@pytest.mark.parametrize("text", SKIPPED.values(), ids=SKIPPED)
def test_a_skip_around_a_test_is_its_own(text: str) -> None:
    (test,) = python.read(HEAD + text).tests

    assert ["always"] == [
        each.expected for each in test.demands if each.aspect.value == "skip"
    ]


def test_a_definition_under_a_condition_is_skipped_without_it() -> None:
    text = "if sys.version_info >= (3, 9):\n    def test_it():\n        f()\n"

    assert ("skip", "skip", "", "not (sys.version_info >= (3, 9))") in told(text)


def test_a_definition_under_what_never_holds_is_none() -> None:
    assert () == python.read("if 0:\n    def test_it():\n        f()\n").tests
