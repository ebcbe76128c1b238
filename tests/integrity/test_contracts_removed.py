"""What a production offered and offers no more; where it can't be told, nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.contracts import Lack, Missing
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.restoration.contracts import Contracts, Offers, Side, offers

Files = Mapping[str, str]


def side(files: Files) -> Side:
    def read(path: RepoPath) -> Offers:
        return offers(files[path])

    def mentioning(name: str) -> Iterable[RepoPath]:
        return [
            RepoPath(path)
            for path, text in files.items()
            if re.search(rf"\bclass {name}\b", text)
        ]

    sources = frozenset(RepoPath(path) for path in files if path.endswith(".py"))
    return Side(paths=sources, read=read, mentioning=mentioning)


def contracts(base: Files, head: Files) -> Contracts:
    """Of head's files, those that differ from base's are what the change touches."""
    touched = [
        RepoPath(path)
        for path, text in head.items()
        if base.get(path) != text and path.endswith(".py")
    ]
    return Contracts(
        base=side(base),
        head=side(head),
        everything=frozenset(map(RepoPath, head)),
        changed=touched,
        nowhere=frozenset({"nowhere"}),
    )


def module(name: str) -> Missing:
    return Missing(lack=Lack.MODULE, name=name)


def name(owner: str, name: str = "total") -> Missing:
    return Missing(lack=Lack.NAME, owner=owner, name=name)


def member(owner: str, name: str = "total") -> Missing:
    return Missing(lack=Lack.MEMBER, owner=owner, name=name)


TOTAL = "def total(): ...\n"
COUNT = "def count(): ...\n"


@pytest.mark.parametrize(
    ("base", "head", "asked", "expected"),
    [
        # Moved into a package, from any root, and out of one.
        ("src/cart.py", "src/shop/__init__.py src/shop/cart.py", "cart", True),
        ("cart.py", "shop/__init__.py shop/cart.py", "cart", True),
        ("lib/cart.py", "lib/shop/cart.py", "cart", True),
        ("python/cart.py", "python/shop/cart.py", "cart", True),
        ("src/shop/__init__.py src/shop/cart.py", "src/cart.py", "shop.cart", True),
        ("src/shop/__init__.py src/shop/cart.py", "src/cart.py", "shop", True),
        ("src/shop/cart.py", "src/cart.py", "shop", True),
        ("shop/sub/cart.py", "shop/cart.py", "shop.sub", True),
        # A module of the same name in another package is another one.
        (
            "src/a/__init__.py src/a/cart.py src/b/__init__.py src/b/cart.py",
            "src/a/__init__.py src/b/__init__.py src/b/cart.py",
            "a.cart",
            True,
        ),
        # Still there: as a package, an extension, under another root, or in a folder.
        ("src/cart.py", "src/cart/__init__.py", "cart", False),
        ("src/cart.py", "src/cart.pyx", "cart", False),
        ("src/cart.py", "src/cart/one.py", "cart", False),
        ("src/cart.py", "lib/cart.py", "cart", False),
        ("cart.py", "src/cart.py", "cart", False),
        ("src/cart.py", "src/cart.py", "cart", False),
        ("a/cart.py b/cart.py", "b/cart.py", "cart", False),
        # Never there.
        ("src/cart.py", "", "shop", False),
        ("src/cart.py", "", "requests", False),
        ("src/cart.py", "", "art", False),
        ("src/shop/__init__.py src/shop/cart.py", "", "cart", False),
    ],
)
def test_a_module_is_gone_where_no_root_of_base_leads_to_it(
    base: str, head: str, asked: str, expected: bool
) -> None:
    found = contracts(dict.fromkeys(base.split(), ""), dict.fromkeys(head.split(), ""))

    assert expected is (module(asked) in found)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        # Moved to another module, renamed, removed: whatever it was.
        ({"cart.py": TOTAL}, {"cart.py": COUNT, "sums.py": TOTAL}, True),
        ({"cart.py": TOTAL}, {"cart.py": ""}, True),
        ({"cart.py": "class total: ..."}, {"cart.py": ""}, True),
        ({"cart.py": "total: int = 1"}, {"cart.py": ""}, True),
        ({"cart.py": "a, (total, b) = x"}, {"cart.py": ""}, True),
        ({"cart.py": "if a:\n    total = 1"}, {"cart.py": ""}, True),
        ({"cart.py": "try:\n    total = 1\nexcept A: pass"}, {"cart.py": ""}, True),
        ({"cart.py": "from sums import total"}, {"cart.py": ""}, True),
        ({"cart.py": "from sums import sum as total"}, {"cart.py": ""}, True),
        ({"cart.py": "import total.inner"}, {"cart.py": ""}, True),
        # Locals, members, keywords and comments of that name are others.
        ({"cart.py": TOTAL}, {"cart.py": "def f(total):\n    total += 1"}, True),
        ({"cart.py": TOTAL}, {"cart.py": "class A:\n    total = 1"}, True),
        ({"cart.py": TOTAL}, {"cart.py": "a.total()  # total"}, True),
        ({"cart.py": TOTAL}, {"cart.py": "f = lambda total: total"}, True),
        ({"cart.py": TOTAL}, {"cart.py": "'total'"}, True),
        # Still there in the source, under whatever condition.
        ({"cart.py": TOTAL}, {"cart.py": TOTAL + "if a:\n    del total"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "if a:\n    from b import total"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "for total in a: ..."}, False),
        ({"cart.py": TOTAL}, {"cart.py": "with a as total: ..."}, False),
        ({"cart.py": TOTAL}, {"cart.py": "f((total := 1))"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "def f(a=(total := 1)): ..."}, False),
        (
            {"cart.py": TOTAL},
            {"cart.py": "def f():\n    global total\n    total = 1"},
            False,
        ),
        # It can't be told.
        ({"cart.py": TOTAL}, {"cart.py": "def __getattr__(name): ..."}, False),
        ({"cart.py": TOTAL}, {"cart.py": "from lazy import __getattr__"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "globals()[name] = 1"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "exec(text)"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "import sys as s\ns.modules[a] = b"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "from sys import modules as m"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "from elsewhere import *"}, False),
        ({"cart.py": TOTAL}, {"cart.py": "def )("}, False),
        ({"cart.py": TOTAL}, {"cart.py": "", "b.py": "cart.total = 1"}, False),
        (
            {"cart.py": TOTAL},
            {"cart.py": "", "b.py": "setattr(cart, 'total', 1)"},
            False,
        ),
        ({"cart.py": TOTAL}, {}, False),
        # Never there.
        ({"cart.py": COUNT}, {"cart.py": ""}, False),
        ({"cart.py": "def f():\n    total = 1"}, {"cart.py": ""}, False),
        ({"cart.py": "def )("}, {"cart.py": ""}, False),
        ({"sums.py": TOTAL}, {"cart.py": ""}, False),
    ],
)
def test_a_name_is_gone_where_its_module_binds_it_in_no_way(
    base: Files, head: Files, expected: bool
) -> None:
    assert expected is (name("cart") in contracts(base, head))


SHOP = "shop/__init__.py"


@pytest.mark.parametrize(
    ("base", "head", "owner", "expected"),
    [
        # What comes by a star goes with its source.
        (
            {SHOP: "from .cart import *", "shop/cart.py": TOTAL},
            {SHOP: "from .cart import *", "shop/cart.py": COUNT},
            "shop",
            True,
        ),
        (
            {SHOP: "from shop.cart import *", "shop/cart.py": TOTAL},
            {SHOP: "from shop.cart import *", "shop/cart.py": TOTAL},
            "shop",
            False,
        ),
        (
            {"shop/a.py": "from . import *", SHOP: TOTAL},
            {"shop/a.py": "from . import *", SHOP: "from .a import *"},
            "shop.a",
            True,
        ),
        # A package offers its modules.
        ({SHOP: "", "shop/total.py": ""}, {SHOP: ""}, "shop", True),
        ({"shop/total.py": "", "shop/a.py": ""}, {"shop/a.py": ""}, "shop", True),
        ({SHOP: TOTAL}, {SHOP: "", "shop/total.py": ""}, "shop", False),
        ({SHOP: TOTAL}, {SHOP: "", "shop/total.so": ""}, "shop", False),
        # A module of the same name elsewhere may be what was meant.
        (
            {"a/cart.py": TOTAL, "b/cart.py": COUNT},
            {"a/cart.py": COUNT, "b/cart.py": COUNT},
            "cart",
            True,
        ),
        (
            {"a/cart.py": TOTAL, "b/cart.py": TOTAL},
            {"a/cart.py": COUNT, "b/cart.py": TOTAL},
            "cart",
            False,
        ),
        ({"cart.py": TOTAL}, {"src/cart.py": COUNT}, "cart", True),
    ],
)
def test_what_a_package_offers_comes_from_its_files_too(
    base: Files, head: Files, owner: str, expected: bool
) -> None:
    assert expected is (name(owner) in contracts(base, head))


def test_what_has_a_reason_to_be_found_is_no_lost_import() -> None:
    base = {"shop/__init__.py": "", "shop/cart.py": TOTAL + COUNT, "old.py": ""}
    found = contracts(base, {"shop/__init__.py": "", "shop/cart.py": COUNT})

    assert found.has_import("shop.cart:count")
    assert found.has_import("shop:cart")
    assert found.has_import("json:total")
    assert not found.has_import("shop.cart:total")
    assert not found.has_import("old")
    assert not found.has_import("old.inner:total")


def test_a_name_that_nothing_tells_the_owner_of_is_looked_for_everywhere() -> None:
    found = contracts({}, {})

    assert Missing(lack=Lack.ANYWHERE, name="nowhere") in found
    assert Missing(lack=Lack.ANYWHERE, name="total") not in found
    assert "nowhere" not in found


WORDS = ("total", "cart", "shop", "Cart", "class", "def", "import", "from", "*", "self")
MARKS = ("(", ")", ":", ".", "=", ",", "\n", "\n    ", " ", "@", "'", "[", "]", "del")
TEXTS = st.lists(st.sampled_from(WORDS + MARKS), max_size=40).map(" ".join)
ASKED = (module("cart"), module("shop.cart"), name("cart"), name("shop", "cart"))


@given(texts=st.tuples(TEXTS, TEXTS, TEXTS))
def test_nothing_is_removed_where_nothing_changed(texts: tuple[str, str, str]) -> None:
    files = dict(
        zip(("cart.py", "shop/__init__.py", "shop/cart.py"), texts, strict=True)
    )

    found = contracts(files, files)

    assert [] == [each for each in (*ASKED, member("Cart")) if each in found]


@given(base=TEXTS, head=TEXTS)
def test_whatever_is_written_there_an_answer_comes(base: str, head: str) -> None:
    found = contracts({"cart.py": base}, {"cart.py": head})

    assert {each in found for each in (*ASKED, member("Cart"))} <= {True, False}
    assert module("cart") not in found


def test_a_folder_may_lead_to_one_of_the_same_name() -> None:
    base = {"shop/old/shop/cart.py": "", "shop/a.py": ""}

    assert module("shop.cart") not in contracts(base, base)
    assert module("shop.cart") in contracts(base, {"shop/a.py": ""})
