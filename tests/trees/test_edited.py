"""Which tests a change edited, by their own syntax trees."""

from __future__ import annotations

import pytest

from fairtrial.trees.edited import is_edited

BASE = b"""
import a

LIMIT = 3


class TestCart:
    def test_one(self):
        assert a.one() == 1


def test_two():
    assert a.two() == 2
"""


@pytest.mark.parametrize(
    ("head", "names", "edited"),
    [
        (BASE, ["test_two"], False),
        (BASE + b"\n\ndef test_new():\n    assert True\n", ["test_two"], False),
        (BASE.replace(b"== 2", b"== 3"), ["test_two"], True),
        (BASE.replace(b"== 2", b"== 3"), ["TestCart", "test_one"], False),
        (BASE.replace(b"== 1", b"== 3"), ["TestCart", "test_one"], True),
        (BASE.replace(b"import a", b"import a, b"), ["test_two"], False),
        (BASE.replace(b"LIMIT = 3", b"LIMIT = 4"), ["test_two"], True),
        (
            BASE.replace(b"    assert a.two()", b"    assert  a.two()"),
            ["test_two"],
            False,
        ),
        (BASE + b"\n\ndef test_two():\n    pass\n", ["test_two"], True),
        (b"def test_two(:", ["test_two"], True),
        (None, ["test_two"], True),
    ],
)
def test_a_test_is_edited_when_its_own_text_or_the_files_state_differs(
    head: bytes | None, names: list[str], edited: bool
) -> None:
    assert edited is is_edited(BASE, head, names)


def test_a_file_that_base_lacks_holds_only_edited_tests() -> None:
    assert is_edited(None, BASE, ["test_two"])
