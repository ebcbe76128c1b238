"""When the member of a class is gone, whatever other classes have."""

from __future__ import annotations

import pytest
from tests.integrity.test_contracts_removed import Files, contracts, member

METHOD = "\n    def total(self): ...\n"
CART = f"class Cart:{METHOD}"
EMPTY = "class Cart: ...\n"
BASKET = f"class Basket:{METHOD}"


@pytest.mark.parametrize(
    "base",
    [
        CART,
        "class Cart:\n    total = 1",
        "class Cart:\n    total: int",
        "class Cart:\n    def f(self):\n        self.total: int = 1",
        "class Cart:\n    def f(self):\n        self.a, self.total = x",
        "class Cart:\n    @property\n    def total(self): ...",
        "class Cart:\n    class total: ...",
        f"class Cart(Basket): ...\n{BASKET}",
    ],
)
def test_a_member_of_any_kind_can_be_removed(base: str) -> None:
    assert member("Cart") in contracts({"cart.py": base}, {"cart.py": EMPTY})


@pytest.mark.parametrize(
    "head",
    [
        EMPTY + BASKET,
        EMPTY + "def total(total): ...\n",
        f"class Cart(Plain): ...\nclass Plain: ...\n{BASKET}",
        "from abc import ABC\nclass Cart(ABC): ...\n",
        "import django.db\nclass Cart(django.db.Model): ...\n",
        "from typing import *\nimport abc\nclass Cart(abc.ABC): ...\n",
        "from typing import Generic\nclass Cart(Generic[T]): ...\n",
        "from abc import ABCMeta\nclass Cart(metaclass=ABCMeta): ...\n",
        "class Cart(dict): ...\n",
        "class Cart(Exception, frozen=True): ...\n",
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Cart: ...\n",
        "class Cart:\n    def f(self, total):\n        return total + other.total\n",
        'class Cart:\n    """total"""\n    def f(self):\n        return {"total": 1}\n',
        "class Cart(Cart): ...\n",
    ],
)
def test_it_is_gone_whatever_is_around_its_class(head: str) -> None:
    assert member("Cart") in contracts({"cart.py": CART}, {"cart.py": head})


@pytest.mark.parametrize(
    "head",
    [
        CART,
        EMPTY + CART,
        f"class Cart(Basket): ...\n{BASKET}",
        f"class Cart(shop.Basket[int]): ...\n{BASKET}",
        f"class Cart(A): ...\nclass A(B): ...\nclass B(Basket): ...\n{BASKET}",
        "class Cart:\n    if a:\n        def total(self): ...\n",
        "class Cart:\n    for total in a: ...\n",
        # It still uses it on itself.
        "class Cart:\n    def f(self):\n        return self.total()\n",
        "class Cart:\n    def f(self):\n        return getattr(self, 'total')\n",
        "class Cart:\n    sum = attrgetter('total')\n",
        "class Cart:\n    def f(self):\n        del self.total\n",
        # Members can come from elsewhere.
        "class Cart:\n    def __getattr__(self, name): ...\n",
        "class Cart:\n    def __getattribute__(self, name): ...\n",
        "class Cart:\n    __slots__ = ('total',)\n",
        "class Cart:\n    def f(self, **all):\n        self.__dict__.update(all)\n",
        "class Cart:\n    def f(self, name):\n        setattr(self, name, 1)\n",
        "class Cart:\n    vars()[name] = 1\n",
        "class Cart(make()): ...\n",
        "class Cart(Unknown): ...\n",
        "Base = make()\nclass Cart(Base): ...\n",
        "Exception = make()\nclass Cart(Exception): ...\n",
        "from elsewhere import *\nclass Cart(Exception): ...\n",
        "from .bases import Base\nclass Cart(Base): ...\n",
        "from cart import Base\nclass Cart(Base): ...\n",
        "class Meta(type): ...\nclass Cart(metaclass=Meta): ...\n",
        "def more(cls): ...\n@more\nclass Cart: ...\n",
        "@made(1)[2]\nclass Cart: ...\n",
        "class Cart(Base): ...\nclass Base:\n    def __getattr__(self, name): ...\n",
        # It is set, or looked up, from outside.
        EMPTY + "Cart.total = f\n",
        EMPTY + "def f(cart):\n    cart.total = 1\n",
        EMPTY + "delattr(Cart, 'total')\n",
        EMPTY + "total = operator.attrgetter('total')\n",
        # There is no such class.
        "",
        BASKET,
        "Cart = namedtuple('Cart', 'count')\n",
        "class Cart )(",
    ],
)
def test_it_is_not_gone_where_its_class_may_have_it(head: str) -> None:
    assert member("Cart") not in contracts({"cart.py": CART}, {"cart.py": head})


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        # Two classes of one name: only what neither has is gone.
        (
            {"a.py": CART, "b.py": CART},
            {"a.py": EMPTY, "b.py": CART},
            False,
        ),
        (
            {"a.py": CART, "b.py": EMPTY},
            {"a.py": EMPTY, "b.py": EMPTY},
            True,
        ),
        # A base in a changed file, its class in another.
        (
            {
                "a.py": "from b import Basket\nclass Cart(Basket): ...\n",
                "b.py": BASKET,
            },
            {
                "a.py": "from b import Basket\nclass Cart(Basket): ...\n",
                "b.py": "class Basket: ...\n",
            },
            True,
        ),
        # Base had it by nothing that shows.
        ({"a.py": EMPTY}, {"a.py": EMPTY}, False),
        ({"a.py": EMPTY + "Cart.total = 1\n"}, {"a.py": EMPTY}, False),
        ({"a.py": BASKET + EMPTY}, {"a.py": EMPTY}, False),
        ({"a.py": "class Cart )("}, {"a.py": EMPTY}, False),
    ],
)
def test_classes_are_looked_for_in_every_file(
    base: Files, head: Files, expected: bool
) -> None:
    assert expected is (member("Cart") in contracts(base, head))
