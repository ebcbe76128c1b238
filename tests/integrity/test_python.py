from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, AssertionKind
from fairtrial.integrity import LANGUAGES, python
from fairtrial.integrity.errors import CannotRead

SOURCE = """
import pytest
from shop.cart import total


@pytest.mark.parametrize("items, expected", [([1], 1), ([1, 2], 3)])
def test_total(items, expected):
    assert total(items) == expected


class TestCart:
    def test_empty(self):
        assert total([]) == 0
"""


def test_a_file_is_read_by_the_registered_module() -> None:
    assert LANGUAGES["python"] is python


def test_each_test_has_its_names_and_lines() -> None:
    found = python.read(SOURCE).tests

    assert [
        (("test_total",), 6, 8),
        (("TestCart", "test_empty"), 12, 13),
    ] == [(each.names, each.line, each.last_line) for each in found]


def test_rows_and_assertions_are_told_apart() -> None:
    first, second = python.read(SOURCE).tests

    assert [Aspect.ROW, Aspect.ROW, Aspect.ASSERTION] == [
        each.aspect for each in first.demands
    ]
    (only,) = second.demands
    assert (AssertionKind.EQUAL, "shop.cart.total(_)", "[]", "0") == (
        only.kind,
        only.subject,
        only.inputs,
        only.expected,
    )


@pytest.mark.parametrize("text", ["def f(:\n", "class\n", "x = (\n"])
def test_what_is_no_python_is_said_with_its_line(text: str) -> None:
    with pytest.raises(CannotRead, match="line 1"):
        python.read(text)


def test_an_empty_file_demands_nothing() -> None:
    found = python.read("")

    assert ((), {}, {}) == (found.tests, found.support, found.imports)
