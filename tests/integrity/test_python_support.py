from __future__ import annotations

from typing import Final

import pytest

from fairtrial.domain.demands import Aspect
from fairtrial.integrity import python

SOURCE: Final = '''
import pytest
from unittest import TestCase
from shop.cart import Cart, total
from .helpers import make

RATE = 3
cases = make()
Cart.tax = 0
pytest_plugins = ["shop.testing"]


@pytest.fixture
def box(make_box):
    yield Cart(RATE)


@pytest.fixture(name="full", params=[1, 2])
def _full():
    return Cart(1)


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    monkeypatch.setattr("shop.cart.total", len)


def pytest_configure(config):
    config.x = 1


def setup_module():
    make()


def check(cart):
    """Looks."""
    assert cart.total() == RATE


class Same:
    def __eq__(self, other):
        return True


class Base(TestCase):
    def look(self):
        check(self.cart)

    def test_base(self):
        self.look()


class TestCart(Base):
    size = 3

    def setUp(self):
        self.cart = Cart()

    @pytest.fixture(autouse=True)
    def cleaned(self):
        total([])

    def helper(self):
        return make()

    @pytest.mark.usefixtures("box")
    def test_one(self, full):
        assert self.helper() == total(RATE)


def test_two(request):
    request.getfixturevalue("full")
    check(cases)
'''
FOUND: Final = python.read(SOURCE)


def uses(*names: str) -> set[str]:
    (test,) = [each for each in FOUND.tests if each.names == names]
    return set(test.uses)


def test_imports_are_told_as_written() -> None:
    assert {
        "pytest": "pytest",
        "TestCase": "unittest:TestCase",
        "Cart": "shop.cart:Cart",
        "total": "shop.cart:total",
        "make": ".helpers:make",
    } == FOUND.imports


def test_what_applies_without_being_named_is_automatic() -> None:
    assert {"<module>", "clean", "pytest_configure", "setup_module"} == {
        name for name, each in FOUND.support.items() if each.automatic
    }


def test_each_piece_of_support_has_its_name() -> None:
    assert {
        "<module>",
        "RATE",
        "cases",
        "box",
        "full",
        "clean",
        "pytest_configure",
        "setup_module",
        "check",
        "Same",
        "Same.__eq__",
        "Base",
        "Base.look",
        "TestCart",
        "TestCart.setUp",
        "TestCart.helper",
        "TestCart.cleaned",
    } == set(FOUND.support)


def test_a_test_uses_what_it_names_and_what_its_class_brings() -> None:
    assert {
        "TestCart",
        "TestCart.setUp",
        "TestCart.helper",
        "Base",
        "TestCart.cleaned",
        "box",
        "full",
        "total",
        "RATE",
        "pytest",
    } == uses("TestCart", "test_one")


def test_a_test_of_a_base_is_told_for_each_heir() -> None:
    assert "Base.look" in uses("Base", "test_base")
    assert {"Base.look", "TestCart.setUp"} <= uses("TestCart", "test_base")


def test_a_fixture_asked_for_by_its_name_is_used() -> None:
    assert {"full", "check", "cases", "request"} == uses("test_two")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("box", [("arrangement", "yield", "shop.cart.Cart(3)", "")]),
        (
            "full",
            [
                ("arrangement", "return", "shop.cart.Cart(1)", ""),
                ("row", "full", "", "1"),
                ("row", "full", "", "2"),
            ],
        ),
        ("clean", [("mock", "shop.cart.total", "", "len")]),
        ("check", [("assertion", "cart.total(_)", "", "3")]),
        ("TestCart.setUp", [("arrangement", "self.cart =", "shop.cart.Cart()", "")]),
        ("<module>", [("mock", "shop.cart.Cart.tax", "", "0")]),
        ("Same", [("assertion", "Same.__eq__", "", "")]),
        ("RATE", []),
    ],
)
def test_support_tells_what_it_does(
    name: str, told: list[tuple[str, str, str, str]]
) -> None:
    assert told == [
        (each.aspect.value, each.subject, each.inputs, each.expected)
        for each in FOUND.support[name].demands
    ]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("RATE = 3", "RATE = 4", "RATE"),
        ("Cart.tax = 0", "Cart.tax = 1", "<module>"),
        ('["shop.testing"]', '["shop"]', "<module>"),
        ("yield Cart(RATE)", "yield Cart(0)", "box"),
        ("assert cart.total() == RATE", "pass", "check"),
        ("return True", "return False", "Same.__eq__"),
        ("size = 3", "size = 4", "TestCart"),
        ("class TestCart(Base)", "class TestCart(TestCase)", "TestCart"),
        ("self.cart = Cart()", "self.cart = Cart(1)", "TestCart.setUp"),
    ],
)
def test_a_change_of_support_changes_its_digest(old: str, new: str, name: str) -> None:
    assert old in SOURCE
    after = python.read(SOURCE.replace(old, new)).support

    assert FOUND.support[name].digest != after[name].digest


def test_a_change_of_form_keeps_every_digest() -> None:
    after = python.read(SOURCE.replace("(", "(  ").replace('"', "'")).support

    assert {name: each.digest for name, each in FOUND.support.items()} == {
        name: each.digest for name, each in after.items()
    }


HELPER: Final = """
def check(found, *, most=None):
    if most is not None:
        assert len(found) <= most
"""


def test_a_default_of_a_helper_is_not_what_it_is_called_with() -> None:
    (demand,) = python.read(HELPER).support["check"].demands

    assert (Aspect.ASSERTION, 4) == (demand.aspect, demand.line)


def test_a_default_of_a_fixture_is_what_it_gets() -> None:
    fixture = "import pytest\n\n\n@pytest.fixture" + HELPER
    (demand,) = python.read(fixture).support["check"].demands

    assert Aspect.UNREACHABLE is demand.aspect
