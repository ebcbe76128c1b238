from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from fairtrial.integrity import python

HEAD: Final = """
import contextlib
import os
import pytest
from shop import cart
from shop.cart import Cart, total

"""
BASE: Final = """
def test_total():
    cart = Cart()
    cart.add(2)
    assert cart.total() == 2
    assert total([1, 2]) == 3
"""


def told(text: str) -> Counter[str]:
    """What the tests of a source demand, each in short, with how often."""
    return Counter(
        " ".join(
            part
            for part in (
                each.aspect.value,
                "" if each.kind is None else each.kind.value,
                each.subject,
                each.expected,
                each.tolerance,
                each.guard,
            )
            if part
        )
        for test in python.read(HEAD + text).tests
        for each in test.demands
    )


SUM: Final = "assertion equal shop.cart.total(_) 3"
OTHER: Final = "assertion equal shop.cart.Cart(_).total(_) 2"
LINE: Final = "    assert total([1, 2]) == 3\n"
#: What is done to the last assertion or the test, what is lost by it, what is new.
PATTERNS: Final = {
    "assertion removed": (LINE, "", {SUM}, set[str]()),
    "assertion to not-none": (
        "total([1, 2]) == 3",
        "total([1, 2]) is not None",
        {SUM},
        {"assertion not-none shop.cart.total(_)"},
    ),
    "assert True": (
        "total([1, 2]) == 3",
        "True",
        {SUM},
        {"assertion vacuous True"},
    ),
    "a tuple": (
        "total([1, 2]) == 3",
        "(total([1, 2]) == 3, 'the sum')",
        {SUM},
        {"assertion vacuous ((shop.cart.total(_) == 3), 'the sum')"},
    ),
    "or True": (
        "total([1, 2]) == 3",
        "total([1, 2]) == 3 or True",
        {SUM},
        {"assertion vacuous ((shop.cart.total(_) == 3) or True)"},
    ),
    "constants compared": (
        LINE,
        "    expected = 3\n    assert expected == 3\n",
        {SUM},
        {"assertion vacuous (3 == 3)"},
    ),
    "x == x": (
        LINE,
        "    result = total([1, 2])\n    assert result == result\n",
        {SUM},
        {"assertion vacuous shop.cart.total(_)"},
    ),
    "expected from the subject": (
        "== 3",
        "== total([1, 2])",
        {SUM},
        {"assertion equal shop.cart.total(_) shop.cart.total([1, 2])"},
    ),
    "swallowed": (
        LINE,
        (
            "    try:\n        assert total([1, 2]) == 3\n    except Exception:\n"
            "        pass\n"
        ),
        {SUM},
        {"swallowed Exception", "swallowed equal shop.cart.total(_) 3"},
    ),
    "suppressed": (
        LINE,
        (
            "    with contextlib.suppress(AssertionError):\n"
            "        assert total([1, 2]) == 3\n"
        ),
        {SUM},
        {"swallowed AssertionError", "swallowed equal shop.cart.total(_) 3"},
    ),
    "return in finally": (
        LINE,
        "    try:\n        assert total([1, 2]) == 3\n    finally:\n        return\n",
        set[str](),
        {"swallowed anything"},
    ),
    "literal edited": ("== 3", "== 4", {SUM}, {SUM.replace("3", "4")}),
    "literal via local": (
        LINE,
        "    expected = 4\n    assert total([1, 2]) == expected\n",
        {SUM},
        {SUM.replace("3", "4")},
    ),
    "tolerance": (
        "== 3",
        "== pytest.approx(3, abs=2)",
        {SUM},
        {"assertion close shop.cart.total(_) 3 abs=2, rel=1e-06"},
    ),
    "negated": ("== 3", "!= 4", {SUM}, {"assertion not-equal shop.cart.total(_) 4"}),
    "if False": (
        LINE,
        "    if False:\n        assert total([1, 2]) == 3\n",
        {SUM},
        {"unreachable equal shop.cart.total(_) 3 if False"},
    ),
    "while 0": (
        LINE,
        "    while 0:\n        assert total([1, 2]) == 3\n",
        {SUM},
        {"unreachable equal shop.cart.total(_) 3 while False"},
    ),
    "for over nothing": (
        LINE,
        "    for _ in []:\n        assert total([1, 2]) == 3\n",
        {SUM},
        {"unreachable equal shop.cart.total(_) 3 for over nothing"},
    ),
    "inner function": (
        LINE,
        "    def check():\n        assert total([1, 2]) == 3\n",
        {SUM},
        {"unreachable equal shop.cart.total(_) 3 never called"},
    ),
    "return": (
        LINE,
        f"    return\n{LINE}",
        {SUM},
        {"unreachable equal shop.cart.total(_) 3 after a return"},
    ),
    "conditional return": (
        LINE,
        f"    if os.name:\n        return\n{LINE}",
        {SUM},
        {f"{SUM} unless os.name"},
    ),
    "guard": (
        LINE,
        "    if os.environ.get('CI'):\n        assert total([1, 2]) == 3\n",
        {SUM},
        {f"{SUM} os.environ.get('CI')"},
    ),
    "skip": (
        "def test",
        "@pytest.mark.skip(reason='x')\ndef test",
        set[str](),
        {"skip skip always"},
    ),
    "skipif True": (
        "def test",
        "@pytest.mark.skipif(True, reason='x')\ndef test",
        set[str](),
        {"skip skip always"},
    ),
    "skipif": (
        "def test",
        "@pytest.mark.skipif(os.name == 'nt', reason='x')\ndef test",
        set[str](),
        {"skip skip (os.name == 'nt')"},
    ),
    "xfail": (
        "def test",
        "@pytest.mark.xfail(strict=False)\ndef test",
        set[str](),
        {"skip xfail always"},
    ),
    "skip for the module": (
        "def test",
        "pytestmark = [pytest.mark.skip]\n\ndef test",
        set[str](),
        {"skip skip always"},
    ),
    "importorskip": (
        "def test",
        "nothing = pytest.importorskip('nothing')\n\ndef test",
        set[str](),
        {"skip skip no ('nothing')"},
    ),
    "__test__": (
        "def test",
        "__test__ = False\n\ndef test",
        set[str](),
        {"skip not-collected always"},
    ),
    "retries": (
        "def test",
        "@pytest.mark.flaky(reruns=3)\ndef test",
        set[str](),
        {"retry flaky (reruns=3)"},
    ),
    "timeout": (
        "def test",
        "@pytest.mark.timeout(900)\ndef test",
        set[str](),
        {"timeout timeout 900"},
    ),
    "subject replaced": (
        LINE,
        f"    cart.total = lambda items: 3\n{LINE}",
        set[str](),
        {"mock shop.cart.Cart().total (lambda $0.0: 3)"},
    ),
    "input": (
        "cart.add(2)",
        "cart.add(1)",
        set[str](),
        set[str](),
    ),
    "step removed": (
        "    cart.add(2)\n",
        "",
        {"arrangement shop.cart.Cart(_).add(_)"},
        set[str](),
    ),
    "shadowed": (
        LINE,
        f"{LINE}\ndef test_total():\n    assert total([]) == 0\n",
        {SUM, OTHER, "arrangement shop.cart.Cart(_).add(_)"},
        {"assertion equal shop.cart.total(_) 0"},
    ),
    "renamed out of sight": (
        "def test",
        "def check",
        {SUM, OTHER, "arrangement shop.cart.Cart(_).add(_)"},
        set[str](),
    ),
    "put out of sight": (
        LINE,
        f"{LINE}\ntest_total = None\n",
        {SUM, OTHER, "arrangement shop.cart.Cart(_).add(_)"},
        set[str](),
    ),
    "other instance": (
        "cart.total() == 2",
        "Cart().total() == 2",
        set[str](),
        set[str](),
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "lost", "found"), PATTERNS.values(), ids=PATTERNS
)
def test_each_way_to_weaken_a_test_shows(
    old: str, new: str, lost: set[str], found: set[str]
) -> None:
    assert old in BASE
    after = BASE.replace(old, new)
    was, now = told(BASE), told(after)

    assert lost == set(was - now)
    assert found == set(now - was)
    assert digests(BASE) != digests(after)


def digests(text: str) -> list[str]:
    return [test.digest for test in python.read(HEAD + text).tests]


def test_inputs_are_part_of_what_is_demanded() -> None:
    (test,) = python.read(HEAD + BASE).tests
    (other,) = python.read(HEAD + BASE.replace("add(2)", "add(1)")).tests

    assert test.demands[0].key != other.demands[0].key
    assert ("; 2", "; 1") == (test.demands[0].inputs, other.demands[0].inputs)


def test_two_objects_of_one_kind_are_two() -> None:
    text = "def test_it():\n    a = Cart()\n    b = Cart()\n    a.add(1)\n"
    (one,) = python.read(HEAD + text + "    assert a.total() == 0\n").tests
    (other,) = python.read(HEAD + text + "    assert b.total() == 0\n").tests

    assert one.demands[-1].key != other.demands[-1].key


def test_a_call_that_is_moved_before_a_step_shows() -> None:
    first = "    sum = cart.total()\n    cart.add(1)\n"
    later = "    cart.add(1)\n    sum = cart.total()\n"
    whole = "def test_it():\n    cart = Cart()\n{}    assert sum == 1\n"

    assert told(whole.format(first)) != told(whole.format(later))


def test_a_loop_that_is_left_in_its_first_round_is_cut_short() -> None:
    text = (
        "def test_it():\n    for a, b in [(1, 2), (3, 4)]:\n"
        "        assert total(a) == b\n"
    )

    assert {"unreachable later rounds for each row"} == set(
        told(f"{text}        break\n") - told(text)
    )


def test_a_list_that_a_call_may_fill_is_no_constant() -> None:
    text = (
        "def test_it():\n    seen = []\n    total([1], on_item=seen.append)\n"
        "    assert seen == [1]\n"
    )

    assert {
        "arrangement shop.cart.total(_)",
        "assertion equal [] [1]",
    } == set(told(text))


def test_a_list_of_the_module_may_have_been_filled() -> None:
    text = (
        "SEEN = []\ndef test_it():\n    for each in SEEN:\n        assert each == 1\n"
    )

    assert {"assertion equal $each0 1 for []"} == set(told(text))


def test_a_count_that_an_inner_function_raises_is_no_constant() -> None:
    text = (
        "def test_it():\n    count = 0\n    def hear():\n        nonlocal count\n"
        "        count += 1\n    total([1], hear)\n    assert count == 1\n"
    )

    assert "assertion equal carried(0) 1" in told(text)
