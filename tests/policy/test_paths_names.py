"""What is a test by its name only."""

from __future__ import annotations

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.policy.paths_names import named_by_production, ships_as_module

TEST = b"def test_a():\n    assert True\n"


@pytest.mark.parametrize(
    ("path", "sources", "ships"),
    [
        ("app/commands/load_test.py", [b"def run(): pass"], True),
        ("app/test_mode.py", [b"X = 1", b"X = 2"], True),
        ("app/test_mode.py", [b"X = 1", TEST], True),
        ("app/test_mode.py", [TEST, TEST], False),
        ("app/cart_test.py", [b"class CartTest(Base):\n    pass"], False),
        ("app/cart_test.py", [b"import unittest"], False),
        ("app/cart_test.py", [b"class A:\n    async def test_a(self): pass"], False),
        ("tests/test_data.py", [b"X = 1"], False),
        ("app/tests/test_data.py", [b"X = 1"], False),
        ("app/conftest.py", [b"X = 1"], False),
        ("app/testdata/a.json", [b"{}"], False),
    ],
)
def test_a_module_that_holds_no_test_is_none(
    path: str, sources: list[bytes], ships: bool
) -> None:
    assert ships is ships_as_module(RepoPath(path), sources)


@pytest.mark.parametrize(
    ("path", "text", "user"),
    [
        ("app/testdata/a.json", b'HERE / "testdata" / "a.json"', "app/main.py"),
        ("app/testdata/a.json", b'open("testdata/a.json")', "app/main.py"),
        ("app/testdata/a.json", b'open("data/a.json")', None),
        ("app/testdata/a.json", b"", None),
        ("tests/testdata/a.json", b'open("testdata/a.json")', None),
        ("a.feature", b'open("a.feature")', None),
    ],
)
def test_data_counts_as_used_where_production_names_it_with_its_folder(
    path: str, text: bytes, user: str | None
) -> None:
    assert user == named_by_production(RepoPath(path), {RepoPath("app/main.py"): text})
