"""Edits of tests of one small shop: some weaken them, the others are honest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Final

from fairtrial.domain.names import TestId
from fairtrial.integrity.mutation.kills import KillQuestion

SHOP: Final = dedent(
    '''
    """A shop."""

    RATE = 0.2


    class Money:
        def __init__(self, amount, currency="EUR"):
            self.amount = amount
            self.currency = currency

        def __eq__(self, other):
            return (self.amount, self.currency) == (other.amount, other.currency)


    def total(items, shipping=5):
        found = 0
        for price, count in items:
            if count <= 0:
                continue
            found += price * count
        if found < 50:
            found += shipping
        return found


    def tax(amount):
        if amount < 0:
            raise ValueError("negative amount")
        return round(amount * RATE, 2)


    def discount(age):
        if age < 12:
            return 50
        if age >= 65:
            return 30
        return 0


    def names(text):
        return [part.strip().title() for part in text.split(",") if part.strip()]
    '''
)
_IMPORTS: Final = "import pytest\nimport shop\n\n"


@dataclass(frozen=True, slots=True)
class Edit:
    """One module of tests before and after; the ids are of its `test_it`."""

    name: str
    before: str
    after: str
    #: The ids behind the module's name, where they are others.
    base: tuple[str, ...] = ("test_it",)
    head: tuple[str, ...] = ("test_it",)
    #: The module at head, where it moved.
    moved: str = ""

    @property
    def _old(self) -> str:
        return f"test_{self.name}.py"

    @property
    def _new(self) -> str:
        return self.moved or self._old

    @property
    def question(self) -> KillQuestion:
        return KillQuestion(
            base=tuple(TestId(f"{self._old}::{each}") for each in self.base),
            head=tuple(TestId(f"{self._new}::{each}") for each in self.head),
        )

    def was(self) -> Iterator[tuple[str, str]]:
        yield self._old, _IMPORTS + dedent(self.before)

    def becomes(self) -> Iterator[tuple[str, str | None]]:
        if self.moved:
            yield self._old, None
        yield self._new, _IMPORTS + dedent(self.after)


_TOTAL: Final = """
def test_it():
    assert shop.total([(10, 2), (7, 0)]) == 25
    assert shop.total([(25, 2)]) == 50
"""
_TAX: Final = """
def test_it():
    assert shop.tax(10) == pytest.approx(2.0)
"""
_ROWS: Final = """
@pytest.mark.parametrize("age, percent", [(11, 50), (12, 0), (64, 0), (65, 30)])
def test_it(age, percent):
    assert shop.discount(age) == percent
"""
_ROW_IDS: Final = tuple(f"test_it[{row}]" for row in ("11-50", "12-0", "64-0", "65-30"))
_NAMES: Final = """
def test_it():
    assert shop.names("ada, grace,") == ["Ada", "Grace"]
"""
_HELPED: Final = """
def check(items, expected):
    assert shop.total(items) == expected

def test_it():
    check([(10, 2)], 25)
"""

WEAKENED: Final = (
    Edit("removed", _TOTAL, "def test_it():\n    assert shop.total([(25, 2)]) == 50\n"),
    Edit(
        "not_none", _NAMES, "def test_it():\n    assert shop.names('a') is not None\n"
    ),
    Edit(
        "tolerance",
        _TAX,
        "def test_it():\n    assert shop.tax(10) == pytest.approx(2.0, abs=9)\n",
    ),
    Edit("early_return", _TAX, _TAX.replace("():\n", "():\n    return\n")),
    Edit(
        "if_false",
        _TAX,
        "def test_it():\n    if False:\n        assert shop.tax(10) == 2\n",
    ),
    Edit(
        "row_dropped",
        _ROWS,
        _ROWS.replace(", (65, 30)", ""),
        base=_ROW_IDS,
        head=_ROW_IDS[:-1],
    ),
    Edit(
        "mocked",
        _TAX,
        "def test_it(monkeypatch):\n"
        "    monkeypatch.setattr(shop, 'tax', lambda amount: 2.0)\n"
        "    assert shop.tax(10) == 2\n",
    ),
    Edit(
        "swallowed",
        _NAMES,
        "def test_it():\n    try:\n        assert shop.names('ada') == ['Ada']\n"
        "    except Exception:\n        pass\n",
    ),
    Edit("skipped", _TAX, "@pytest.mark.skip\n" + _TAX.lstrip()),
    Edit("expected", _TAX, "@pytest.mark.xfail(strict=False)\n" + _TAX.lstrip()),
    Edit(
        "itself",
        _TAX,
        "def test_it():\n    found = shop.tax(10)\n    assert found == found\n",
    ),
    Edit("helper_gutted", _HELPED, _HELPED.replace("== expected", "or True")),
    Edit("shadowed", _TAX, _TAX + "\ndef test_it():\n    shop.tax(10)\n"),
    Edit("unequal", _TAX, "def test_it():\n    assert shop.tax(10) != 3\n"),
    Edit(
        "input",
        "def test_it():\n    assert shop.discount(65) == 30\n",
        "def test_it():\n    assert shop.discount(70) == 30\n",
    ),
    Edit(
        "any_error",
        "def test_it():\n    with pytest.raises(ValueError, match='negative'):\n"
        "        shop.tax(-1)\n",
        "def test_it():\n    with pytest.raises(Exception):\n        shop.tax(-1)\n",
    ),
    Edit("gone", _TAX, "def test_other():\n    pass\n"),
    Edit(
        "no_money",
        "def test_it():\n    assert shop.Money(3) == shop.Money(3)\n"
        "    assert not shop.Money(3) == shop.Money(4)\n",
        "def test_it():\n    assert shop.Money(3) == shop.Money(3)\n",
    ),
)

HONEST: Final = (
    Edit("renamed", _TOTAL, _TOTAL.replace("_it", "_sum"), head=("test_sum",)),
    Edit("moved", _NAMES, _NAMES, moved="test_elsewhere.py"),
    Edit(
        "rows",
        "def test_it():\n    assert shop.discount(11) == 50\n\n"
        "def test_old():\n    assert shop.discount(65) == 30\n",
        _ROWS,
        base=("test_it", "test_old"),
        head=_ROW_IDS,
    ),
    Edit(
        "reformatted",
        _TOTAL,
        "def test_it( ):\n  assert (shop.total([(10, 2),\n    (7, 0)]) == 25)\n"
        "  assert shop.total( [(25, 2)] ) == 50\n",
    ),
    Edit(
        "helped",
        "def test_it():\n    assert shop.total([(10, 2)]) == 25\n",
        _HELPED,
    ),
    Edit(
        "fixture",
        _NAMES,
        "@pytest.fixture\ndef text():\n    return 'ada, grace,'\n\n"
        "def test_it(text):\n    assert shop.names(text) == ['Ada', 'Grace']\n",
    ),
    Edit(
        "stronger",
        "def test_it():\n    assert shop.tax(10) is not None\n"
        "    assert shop.tax(5) > 0.5\n",
        "def test_it():\n    assert shop.tax(10) == 2\n    assert shop.tax(5) == 1\n",
    ),
    Edit(
        "windows",
        _TAX,
        "import sys\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='paths')\n"
        + _TAX.lstrip(),
    ),
)
