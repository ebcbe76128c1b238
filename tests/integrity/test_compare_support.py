from __future__ import annotations

import pytest
from tests.integrity.sources import PRODUCTION, rules, told

from fairtrial.domain.demands import Aspect, Change, Match

WEAKENED, STRONGER = Change.WEAKENED, Change.STRONGER
RE_SPECIFIED, EQUAL = Change.RE_SPECIFIED, Change.EQUAL

CONFTEST = """\
import pytest

@pytest.fixture
def prices():
    return [1, 2]

@pytest.fixture
def doubled(prices):
    return prices * 2
"""
USER = """\
from cart import total

def test_total(prices):
    assert total(prices) == 3

def test_nothing():
    assert total([]) == 0
"""
HELPERS = """\
def check(found, wanted):
    assert found == wanted

def unused():
    return 1
"""
HELPED = """\
from cart import total
from helpers import check

def test_total():
    check(total([1, 2]), 3)
"""


def test_a_changed_fixture_reaches_the_unchanged_tests_that_use_it() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}
    head = base | {"tests/conftest.py": CONFTEST.replace("[1, 2]", "[3]")}

    found = told(base, head)

    assert ["tests/test_cart.py::test_total"] == list(found)
    (only,) = found.values()
    assert {"fixture-changed": RE_SPECIFIED} == rules(only)
    assert Match.SAME is only.match
    assert not only.identical
    assert ("return [1, 2]", "return [3]") == (
        only.differences[0].was,
        only.differences[0].now,
    )
    assert ("tests/conftest.py", 5) == (
        only.differences[0].path,
        only.differences[0].line,
    )


def test_a_changed_fixture_reaches_through_other_fixtures() -> None:
    user = USER.replace("prices", "doubled")
    base = {"tests/conftest.py": CONFTEST, "tests/more/test_cart.py": user}
    head = base | {"tests/conftest.py": CONFTEST.replace("[1, 2]", "[3]")}

    assert ["tests/more/test_cart.py::test_total"] == list(told(base, head))


def test_a_fixture_does_not_reach_beyond_its_folder() -> None:
    base = {"tests/a/conftest.py": CONFTEST, "tests/b/test_cart.py": USER}
    head = base | {"tests/a/conftest.py": CONFTEST.replace("[1, 2]", "[3]")}

    assert {} == told(base, head)


def test_a_nearer_fixture_that_takes_over_is_another_fixture() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/a/test_cart.py": USER}
    nearer = CONFTEST.replace("[1, 2]", "[3]")

    found = told(base, base | {"tests/a/conftest.py": nearer})

    assert {"fixture-changed": RE_SPECIFIED} == rules(
        found["tests/a/test_cart.py::test_total"]
    )
    assert 1 == len(found)


def test_a_new_fixture_that_nothing_uses_is_nothing() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}
    more = CONFTEST + "\n@pytest.fixture\ndef fresh():\n    return 1\n"

    assert {} == told(base, base | {"tests/conftest.py": more})


def test_a_fixture_that_is_only_formatted_is_nothing() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}
    formatted = CONFTEST.replace("[1, 2]", "[\n        1,\n        2,\n    ]  # two")

    assert {} == told(base, base | {"tests/conftest.py": formatted})


def test_a_fixture_that_moved_to_its_conftest_is_nothing() -> None:
    fixture = "@pytest.fixture\ndef prices():\n    return [1, 2]\n"
    alone = f"import pytest\nfrom cart import total\n\n{fixture}\n"
    test = "def test_total(prices):\n    assert total(prices) == 3\n"
    base = {"tests/test_cart.py": alone + test}
    head = {
        "tests/test_cart.py": f"from cart import total\n\n{test}",
        "tests/conftest.py": f"import pytest\n\n{fixture}",
    }

    (only,) = told(base, head).values()

    assert {} == rules(only)


def test_clearing_up_that_is_added_is_an_added_step() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}
    cleared = CONFTEST.replace(
        "return [1, 2]", "yield [1, 2]\n    registry.clear()"
    ).replace("import pytest", "import pytest\nfrom cart import registry")

    (only,) = told(base, base | {"tests/conftest.py": cleared}).values()

    assert {"arrangement-added": RE_SPECIFIED} == rules(only)
    assert {Aspect.ARRANGEMENT} == {each.aspect for each in only.differences}


def test_a_fixture_that_is_gone_is_told_for_its_users() -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}

    found = told(base, base | {"tests/conftest.py": "import pytest\n"})

    assert {"support-removed": RE_SPECIFIED} == rules(
        found["tests/test_cart.py::test_total"]
    )


def test_an_autouse_fixture_reaches_every_test_below() -> None:
    base = {"tests/test_cart.py": USER, "other/test_cart.py": USER}
    auto = (
        "import pytest\n\n@pytest.fixture(autouse=True)\ndef fake(monkeypatch):\n"
        "    monkeypatch.setattr('cart.total', lambda prices: 3)\n"
    )

    found = told(base, base | {"tests/conftest.py": auto})

    assert {
        "tests/test_cart.py::test_total",
        "tests/test_cart.py::test_nothing",
    } == set(found)
    assert all(WEAKENED is rules(each)["subject-mocked"] for each in found.values())


@pytest.mark.parametrize("way", ["from", "module", "star", "relative", "package"])
def test_a_gutted_helper_weakens_whoever_imports_it(way: str) -> None:
    folder, spelling, call = {
        "from": ("tests", "from helpers import check", "check"),
        "module": ("tests", "import helpers", "helpers.check"),
        "star": ("tests", "from helpers import *", "check"),
        "relative": ("tests", "from .helpers import check as is_it", "is_it"),
        "package": ("tests", "from tests.helpers import check", "check"),
    }[way]
    user = HELPED.replace("from helpers import check", spelling)
    user = user.replace("check(total", f"{call}(total")
    base = {f"{folder}/helpers.py": HELPERS, f"{folder}/test_cart.py": user}
    gutted = HELPERS.replace("assert found == wanted", "assert found is not None")

    (only,) = told(base, base | {f"{folder}/helpers.py": gutted}).values()

    assert WEAKENED is rules(only)["helper-weakened"]


def test_a_helper_that_nothing_of_a_test_mentions_is_nothing() -> None:
    base = {
        "tests/helpers.py": HELPERS,
        "tests/test_cart.py": HELPED.replace(
            "from helpers import check", "import helpers"
        ).replace("check(", "helpers.check("),
    }
    other = HELPERS.replace("return 1", "return 2")

    assert {} == told(base, base | {"tests/helpers.py": other})


def test_a_helper_that_demands_more_is_stronger() -> None:
    base = {"tests/helpers.py": HELPERS, "tests/test_cart.py": HELPED}
    more = HELPERS.replace(
        "assert found == wanted", "assert found == wanted\n    assert found > 0"
    )

    (only,) = told(base, base | {"tests/helpers.py": more}).values()

    assert STRONGER is rules(only)["helper-strengthened"]


def test_a_subject_that_comes_from_test_code_is_replaced() -> None:
    base = {"tests/test_cart.py": USER}
    head = {
        "tests/test_cart.py": USER.replace("from cart", "from fake"),
        "tests/fake.py": "def total(prices):\n    return 3 if prices else 0\n",
    }

    found = told(base, head)["tests/test_cart.py::test_nothing"]

    assert WEAKENED is rules(found)["subject-replaced"]


def test_a_subject_that_the_test_file_defines_itself_is_replaced() -> None:
    base = {"tests/test_cart.py": USER}
    own = "def total(prices):\n    return 3 if prices else 0\n"
    head = {"tests/test_cart.py": USER.replace("from cart import total\n", own)}

    found = told(base, head)["tests/test_cart.py::test_nothing"]

    assert WEAKENED is rules(found)["subject-replaced"]


def test_a_subject_from_another_module_of_production_is_told() -> None:
    production = PRODUCTION | {"src/old.py": "def total(prices):\n    return 0\n"}
    base = {"tests/test_cart.py": USER}
    head = {"tests/test_cart.py": USER.replace("from cart", "from old")}

    found = told(base, head, production)["tests/test_cart.py::test_nothing"]

    assert RE_SPECIFIED is rules(found)["import-changed"]


def test_what_is_neither_changed_nor_uses_what_changed_is_not_told() -> None:
    base = {"tests/test_cart.py": USER, "tests/test_more.py": USER}
    head = base | {"tests/test_cart.py": USER.replace("== 0", "== 1")}

    found = told(base, head)

    assert {
        "tests/test_cart.py::test_total",
        "tests/test_cart.py::test_nothing",
    } == set(found)
    assert found["tests/test_cart.py::test_total"].identical


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("\n\ndef test_total", "\n\ntotal = sum\n\ndef test_total", "subject-replaced"),
        ("(prices):", "(total, prices):", "subject-replaced"),
        ("(prices):", "(prices, total=lambda prices: 3):", "subject-replaced"),
        (
            "    assert total(prices)",
            "    from tests.fake import total\n    assert total(prices)",
            "subject-replaced",
        ),
        (
            "\n\ndef test_total",
            "\nimport sys\nsys.modules['cart'] = object()\n\ndef test_total",
            "subject-mocked",
        ),
        (
            "\n\ndef test_total",
            "\nimport cart\ncart.total = sum\n\ndef test_total",
            "subject-mocked",
        ),
    ],
)
def test_a_subject_that_is_replaced_in_any_way_weakens(
    old: str, new: str, rule: str
) -> None:
    base = {
        "tests/conftest.py": CONFTEST,
        "tests/test_cart.py": USER,
        "tests/fake.py": "def total(prices):\n    return 3\n",
    }
    head = base | {"tests/test_cart.py": USER.replace(old, new, 1)}

    found = told(base, head)["tests/test_cart.py::test_total"]

    assert WEAKENED is rules(found)[rule]


@pytest.mark.parametrize(
    ("text", "identical"),
    [
        ("# a comment\n", True),
        ("import os\n", True),
        ("from os import (\n    path,\n    sep as other,\n)\n", True),
        ("import cart\ncart.VERBOSE = True\n", False),
    ],
)
def test_what_stands_outside_of_tests_may_make_them_other_tests(
    text: str, identical: bool
) -> None:
    base = {"tests/conftest.py": CONFTEST, "tests/test_cart.py": USER}

    found = told(base, base | {"tests/test_cart.py": text + USER})

    assert {identical} == {each.identical for each in found.values()}


SPOKEN = """
from cart import total


def check(prices, wanted):
    print("Got %r of %s" % (prices, repr(wanted)))
    assert total(prices) == wanted


def test_total():
    check([1, 2], 3)
"""


def test_what_a_helper_prints_for_people_is_no_difference_and_is_tried() -> None:
    said = '"Got %r of %s" % (prices, repr(wanted))'
    base = {"tests/test_cart.py": SPOKEN}
    head = {"tests/test_cart.py": SPOKEN.replace(said, 'f"Got {prices!r}"')}

    (only,) = told(base, head).values()

    assert () == only.differences
    assert not only.identical


@pytest.mark.parametrize(
    "now", ['print("Got"); prices.sort()', "print(prices.sort())", "prices.sort()"]
)
def test_a_helper_that_does_more_than_print_is_another_one(now: str) -> None:
    line = 'print("Got %r of %s" % (prices, repr(wanted)))'
    base = {"tests/test_cart.py": SPOKEN}
    head = {"tests/test_cart.py": SPOKEN.replace(line, now)}

    (only,) = told(base, head).values()

    assert only.differences


def test_a_module_that_is_imported_by_another_statement_is_the_same() -> None:
    test = "\n\ndef test_total():\n    assert total([1], mock.ANY) == 1\n"
    base = "import unittest.mock as mock\nfrom cart import total\n" + test
    head = "from unittest import mock\nfrom cart import total\n" + test

    found = told({"tests/test_cart.py": base}, {"tests/test_cart.py": head})

    assert {} == {
        name: each.differences for name, each in found.items() if not each.identical
    }


def test_the_backport_of_mock_is_the_library_s_own() -> None:
    test = "\n\ndef test_total():\n    assert total([1], mock.call(2)) == mock.ANY\n"
    base = "import mock\nfrom cart import total\n" + test
    head = "from unittest import mock\nfrom cart import total\n" + test

    found = told({"tests/test_cart.py": base}, {"tests/test_cart.py": head})

    assert [] == [each for one in found.values() for each in one.differences]


def test_assertions_that_are_written_alike_show_what_differs_in_them() -> None:
    prices = ", ".join(map(str, range(40)))
    base = (
        "from cart import total\n\ndef test_total():\n"
        f"    found = total([{prices}, 50])\n    assert found == 830\n"
    )
    head = base.replace("50]", "49 + 1]")

    (only,) = told({"tests/test_a.py": base}, {"tests/test_a.py": head}).values()

    (difference,) = only.differences
    assert ("…", "39, 50]") == (difference.was[0], difference.was[-7:])
    assert "…" == difference.now[0]
    assert "49 + 1" in difference.now
