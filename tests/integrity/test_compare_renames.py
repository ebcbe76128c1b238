from __future__ import annotations

import pytest
from tests.integrity.sources import rules, told

from fairtrial.domain.demands import Change
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.compare import renamed

EQUAL = Change.EQUAL
CART = """\
class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(self.items)

    def count(self):
        return len(self.items)
"""
TEST = """\
from cart import Cart

def test_total():
    cart = Cart()
    assert cart.total() == 0
"""


def names(old: dict[str, str], new: dict[str, str]) -> dict[str, str]:
    paths = {RepoPath(path) for path in {*old, *new} if old.get(path) != new.get(path)}
    return dict(
        renamed(
            {RepoPath(path): text.encode() for path, text in old.items()},
            {RepoPath(path): text.encode() for path, text in new.items()},
            paths,
        ).names
    )


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("cart.py", CART, CART.replace("total", "amount")),
        (
            "Cart.java",
            "class Cart {\n  int total() { return 1 + 2; }\n}\n",
            "class Cart {\n  int amount() { return 1 + 2; }\n}\n",
        ),
        (
            "cart.ts",
            "export function total(a: number[]) { return a.length; }\n",
            "export function amount(a: number[]) { return a.length; }\n",
        ),
        (
            "cart.go",
            "package cart\n\nfunc total(a int) int { return a + 1 }\n",
            "package cart\n\nfunc amount(a int) int { return a + 1 }\n",
        ),
        (
            "cart.rb",
            "class Cart\n  def total\n    @items.sum\n  end\nend\n",
            "class Cart\n  def amount\n    @items.sum\n  end\nend\n",
        ),
        (
            "cart.rs",
            "pub fn total(a: i32) -> i32 { a + 1 }\n",
            "pub fn amount(a: i32) -> i32 { a + 1 }\n",
        ),
        (
            "Cart.kt",
            "class Cart {\n  fun total(): Int { return 1 + 2 }\n}\n",
            "class Cart {\n  fun amount(): Int { return 1 + 2 }\n}\n",
        ),
        (
            "Cart.cs",
            "class Cart {\n  int total() { return 1 + 2; }\n}\n",
            "class Cart {\n  int amount() { return 1 + 2; }\n}\n",
        ),
        (
            "cart.php",
            "<?php\nfunction total($a) { return $a + 1; }\n",
            "<?php\nfunction amount($a) { return $a + 1; }\n",
        ),
    ],
)
def test_a_renamed_definition_is_found_in_every_language(
    path: str, old: str, new: str
) -> None:
    assert {"total": "amount"} == names({path: old}, {path: new})


def test_a_name_that_production_still_has_is_not_renamed() -> None:
    old = {"cart.py": CART, "order.py": "def total():\n    return 1\n"}

    assert {} == names(old, old | {"cart.py": CART.replace("total", "amount")})


def test_a_name_that_production_had_before_is_not_a_new_name() -> None:
    old = {"cart.py": CART, "order.py": "def amount():\n    return 1\n"}

    assert {} == names(old, old | {"cart.py": CART.replace("total", "amount")})


def test_another_body_is_another_thing() -> None:
    new = CART.replace("total", "amount").replace("sum(self.items)", "0")

    assert {} == names({"cart.py": CART}, {"cart.py": new})


def test_two_things_of_one_body_can_not_be_told_apart() -> None:
    old = "def a():\n    return 1\n\ndef b():\n    return 1\n"
    new = "def c():\n    return 1\n\ndef d():\n    return 1\n"

    assert {} == names({"cart.py": old}, {"cart.py": new})


def test_a_test_that_follows_a_renaming_demands_the_same() -> None:
    base, head = TEST, TEST.replace("total()", "amount()").replace("_amount", "_total")

    (only,) = told(
        {"tests/test_cart.py": base},
        {"tests/test_cart.py": head},
        {"src/cart.py": CART},
        {"src/cart.py": CART.replace("total", "amount")},
    ).values()

    assert {"subject-renamed": EQUAL} == rules(only)
    assert not only.identical


def test_a_test_that_moves_to_another_thing_of_production_is_no_renaming() -> None:
    head = TEST.replace("total() ==", "count() ==")

    (only,) = told(
        {"tests/test_cart.py": TEST},
        {"tests/test_cart.py": head},
        {"src/cart.py": CART},
    ).values()

    assert Change.RE_SPECIFIED is only.change


def test_a_test_that_follows_a_moved_module_demands_the_same() -> None:
    (only,) = told(
        {"tests/test_cart.py": TEST},
        {"tests/test_cart.py": TEST.replace("from cart", "from shop.basket")},
        {"src/cart.py": CART},
        {"src/shop/basket.py": CART},
    ).values()

    assert EQUAL is only.change
    assert {"subject-renamed"} == set(rules(only))


def test_a_test_renamed_with_its_subject_is_found_again() -> None:
    (only,) = told(
        {"tests/test_cart.py": TEST},
        {"tests/test_cart.py": TEST.replace("total", "amount")},
        {"src/cart.py": CART},
        {"src/cart.py": CART.replace("total", "amount")},
    ).values()

    assert EQUAL is only.change


SUMS = "def double(number):\n    return number * 2\n"
COUNTS = "def count(all):\n    return len(all)\n"
USES = "from sums import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
FOLLOWS = USES.replace("from sums", "from counts")


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ({"src/sums.py": "", "src/counts.py": COUNTS + SUMS}, EQUAL),
        ({"src/counts.py": SUMS + COUNTS}, EQUAL),
        # It is another thing now, or is not gone, or one of two.
        (
            {"src/sums.py": "", "src/counts.py": SUMS.replace("2", "3")},
            Change.RE_SPECIFIED,
        ),
        ({"src/sums.py": SUMS, "src/counts.py": COUNTS + SUMS}, Change.RE_SPECIFIED),
        (
            {"src/counts.py": COUNTS + SUMS, "src/other.py": SUMS},
            Change.RE_SPECIFIED,
        ),
    ],
)
def test_a_test_that_follows_a_moved_function_demands_the_same(
    new: dict[str, str], expected: Change
) -> None:
    (only,) = told(
        {"tests/test_sums.py": USES},
        {"tests/test_sums.py": FOLLOWS},
        {"src/sums.py": SUMS, "src/counts.py": COUNTS},
        new,
    ).values()

    assert expected is only.change
