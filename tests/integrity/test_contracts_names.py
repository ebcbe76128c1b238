from __future__ import annotations

import pytest

from fairtrial.integrity import CannotRead
from fairtrial.integrity.restoration.contracts import defined_names

SOURCE = """\
import imported
from elsewhere import taken

CONSTANT = OTHER = 1
first, (second, *rest) = 1, (2, 3)
annotated: int = 1
type Alias[T] = list[T]
if CONSTANT:
    def conditional(): ...


@decorated
class Cart(Base):
    attribute = 1

    def method(self, parameter):
        self.stored = local = 1

        def inner(): ...

    class Nested:
        deep = 1


async def later(): ...
"""


def test_everything_that_others_can_refer_to_is_a_name() -> None:
    assert {
        "CONSTANT",
        "OTHER",
        "first",
        "second",
        "rest",
        "annotated",
        "Alias",
        "conditional",
        "Cart",
        "attribute",
        "method",
        "stored",
        "Nested",
        "deep",
        "later",
    } == defined_names(SOURCE)


def test_what_is_no_python_can_not_be_read() -> None:
    with pytest.raises(CannotRead, match="line 2"):
        defined_names("a = 1\ndef )(: x\n")
