from __future__ import annotations

from typing import Final

import pytest

from fairtrial.domain.demands import Aspect, Demand, Source
from fairtrial.integrity import python

HEAD: Final = """
import math, re, json, unittest
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from inline_snapshot import snapshot as stored
from unittest import mock
from helpers import check_cart
from shop import f

LIMIT = 7

class Test(unittest.TestCase):
    def test_it(self, cart, snapshot, data_regression, row):
"""


def claimed(line: str) -> list[Demand]:
    body = "".join(f"        {each}\n" for each in line.split("\n"))
    (test,) = python.read(HEAD + body).tests
    return [each for each in test.demands if each.aspect is Aspect.ASSERTION]


#: A line; kind, subject, inputs, expected value and tolerance.
LINES: Final = [
    ("assert f(1)", "true", "shop.f(_)", "1", "", ""),
    ("assert not f(1)", "false", "shop.f(_)", "1", "", ""),
    ("assert f(1) == 2", "equal", "shop.f(_)", "1", "2", ""),
    ("assert f(1) is True", "identical", "shop.f(_)", "1", "True", ""),
    ("assert f(1) is not None", "not-none", "shop.f(_)", "1", "", ""),
    ("assert f(1) != 2", "not-equal", "shop.f(_)", "1", "2", ""),
    ("assert f(1).a[0].b == 2", "equal", "shop.f(_).a[_].b", "1; 0", "2", ""),
    ("assert len(f(1)) == 2", "length", "shop.f(_)", "1", "2", ""),
    ("assert len(f(1)) >= 1", "ordered", "len(_)", "shop.f(1)", ">= 1", ""),
    ("assert len(f(1)) >= 0", "vacuous", "len(_)", "shop.f(1)", "", ""),
    ("assert 1 < f(1) <= LIMIT", "ordered", "shop.f(_)", "1", "1 < _ <= 7", ""),
    ("assert f(1) in (2, 3)", "contains", "shop.f(_)", "1", "one of (2, 3)", ""),
    ("assert 'a' not in f(1)", "contains", "shop.f(_)", "1", "not 'a'", ""),
    ("assert isinstance(f(1), int)", "type", "shop.f(_)", "1", "int", ""),
    ("assert isinstance(f(1), object)", "vacuous", "shop.f(_)", "1", "object", ""),
    ("assert type(f(1)) is int", "type", "shop.f(_)", "1", "int", "exact"),
    ("assert f(1).startswith('a')", "contains", "shop.f(_)", "1", "startswith 'a'", ""),
    ("assert re.match('a', f(1))", "matches", "shop.f(_)", "1", "match 'a'", ""),
    (
        "assert math.isclose(f(1), 2, abs_tol=1)",
        *("close", "shop.f(_)", "1", "2", "abs=1, rel=1e-09"),
    ),
    (
        "assert np.isclose(f(1), 2).all()",
        *("close", "shop.f(_)", "1", "2", "abs=1e-08, rel=1e-05"),
    ),
    (
        "assert f(1) == pytest.approx(2)",
        "close",
        "shop.f(_)",
        "1",
        "2",
        "abs=1e-12, rel=1e-06",
    ),
    ("assert f(1) == stored(2)", "equal", "shop.f(_)", "1", "2", ""),
    ("assert f(1) == snapshot", "snapshot", "shop.f(_)", "1", "snapshot", ""),
    (
        "snapshot.assert_match(f(1), 'a')",
        "snapshot",
        "shop.f(_)",
        "1",
        "snapshot.assert_match, 'a'",
        "",
    ),
    (
        "data_regression.check(f(1))",
        "snapshot",
        "shop.f(_)",
        "1",
        "data_regression.check",
        "",
    ),
    ("self.assertCountEqual(f(1), [2])", "close", "shop.f(_)", "1", "[2]", "any order"),
    ("self.assertIsInstance(f(1), int)", "type", "shop.f(_)", "1", "int", ""),
    ("self.assertRegex(f(1), 'a')", "matches", "shop.f(_)", "1", "search 'a'", ""),
    ("self.assertGreater(f(1), 2)", "ordered", "shop.f(_)", "1", "> 2", ""),
    ("self.assertAlmostEqual(f(1), 2)", "close", "shop.f(_)", "1", "2", "places=7"),
    (
        "self.assertNotAlmostEqual(f(1), 2)",
        "not-equal",
        "shop.f(_)",
        "1",
        "2",
        "places=7",
    ),
    (
        "self.assertRaises(ValueError, f, 1)",
        "raises",
        "shop.f(_)",
        "1",
        "ValueError",
        "",
    ),
    (
        "self.assertRaisesRegex(ValueError, 'a', f, 1)",
        "raises",
        "shop.f(_)",
        "1",
        "ValueError matching 'a'",
        "",
    ),
    (
        "with pytest.raises(Exception):\n    f(1)",
        "raises-any",
        "shop.f(_)",
        "1",
        "Exception",
        "",
    ),
    (
        "with pytest.raises((A, B)):\n    x = f(1)",
        "raises",
        "shop.f(_)",
        "1",
        "(A, B)",
        "",
    ),
    (
        "with pytest.warns(UserWarning, match='a'):\n    f(1)",
        "raises",
        "shop.f(_)",
        "1",
        "warns UserWarning matching 'a'",
        "",
    ),
    (
        "try:\n    f(1)\nexcept Exception:\n    self.fail()",
        "not-raises",
        "shop.f(_)",
        "1",
        "Exception",
        "",
    ),
    (
        "npt.assert_allclose(f(1), 2, rtol=.1)",
        "close",
        "shop.f(_)",
        "1",
        "2",
        "abs=0, rel=0.1",
    ),
    ("np.testing.assert_array_equal(f(1), [2])", "equal", "shop.f(_)", "1", "[2]", ""),
    (
        "pd.testing.assert_frame_equal(f(1), 2, check_dtype=False)",
        "close",
        "shop.f(_)",
        "1",
        "2",
        "check_dtype=False",
    ),
    (
        "cart.pay.assert_called_once_with(1, a=2)",
        "called",
        "cart.pay",
        "",
        "once with (1, a=2)",
        "",
    ),
    ("cart.pay.assert_not_called()", "called", "cart.pay", "", "never", ""),
    ("check_cart(f(1), 2)", "custom", "helpers.check_cart(_)", "shop.f(1), 2", "", ""),
    ("self.assertCart(cart, 2)", "custom", "self.assertCart(_)", "cart, 2", "", ""),
    ("pytest.fail('no')", "custom", "fail", "", "", ""),
    ("assert f(1) or f(2)", "true", "(shop.f(_) or shop.f(_))", "1; 2", "", ""),
    ("assert (x := f(1)) == 2", "equal", "shop.f(_)", "1", "2", ""),
]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [(line, wanted) for line, *wanted in LINES],
    ids=[line[0].replace("\n", " ") for line in LINES],
)
def test_a_line_is_read_as(line: str, wanted: list[str]) -> None:
    (found,) = claimed(line)

    assert found.kind is not None
    assert wanted == [
        found.kind.value,
        found.subject,
        found.inputs,
        found.expected,
        found.tolerance,
    ]


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("assert f(1) == 2", Source.LITERAL),
        ("wanted = 2\nassert f(1) == wanted", Source.LOCAL),
        ("assert f(1) == LIMIT", Source.LITERAL),
        ("assert f(1) == cart.sum", Source.FIXTURE),
        ("assert f(1) == json.load(open('a'))", Source.FILE),
        ("assert f(1) == cart.path.read_text()", Source.FILE),
        ("assert f(1) == f(1) + 0", Source.SUBJECT),
        ("wanted = f(2)\nassert f(1) == wanted", Source.SUBJECT),
        ("wanted = 2 * LIMIT\nassert f(1) == wanted + 1", Source.LOCAL),
        ("assert f(1) == sum([1, 2])", Source.COMPUTED),
    ],
)
def test_an_expected_value_comes_from(line: str, source: Source) -> None:
    (found,) = claimed(line)

    assert source is found.source


def test_a_row_is_where_a_parameter_comes_from() -> None:
    text = (
        "import pytest\n@pytest.mark.parametrize('a, b', [(1, 2)])\n"
        "def test_it(a, b):\n    assert f(a) == b\n"
    )
    (test,) = python.read(text).tests

    assert [Source.LITERAL, Source.ROW] == [each.source for each in test.demands]


def test_an_item_of_a_with_stands_in_order() -> None:
    line = "with cart.open() as it:\n    it.add(1)\n    assert it.sum() == f(1)"
    (test,) = python.read(
        HEAD + "".join(f"        {each}\n" for each in line.split("\n"))
    ).tests

    assert [
        ("arrangement", "with cart.open(_)", ""),
        ("arrangement", "cart.open(_).add(_)", "; 1"),
        ("assertion", "cart.open(_).sum(_)", ""),
    ] == [(each.aspect.value, each.subject, each.inputs) for each in test.demands]
