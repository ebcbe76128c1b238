"""Which files put one test of base on head's production, in a real repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from tests.subject.repositories import repository

from fairtrial.cli.world import real_world
from fairtrial.domain.demands import Place
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.request import Request
from fairtrial.domain.trees import BASE_TESTS, HEAD
from fairtrial.pipeline.brief import Brief, read_brief
from fairtrial.pipeline.contracts import removed_names
from fairtrial.pipeline.restoring import Restorable, restore_unit
from fairtrial.subject.workspace import open_repository
from fairtrial.trees.listing import bytes_of

Files = Mapping[str, str | bytes | None]

BASE: Final = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "LIMIT = 3\n\n\nclass Cart:\n    def total(self):\n        return 1\n\n\n"
        "def half(number):\n    return number // 2\n\n\n"
        "def double(number):\n    return number * 2\n"
    ),
    "shop/old.py": "def ancient():\n    return 1\n",
    "tests/__init__.py": "",
    "tests/conftest.py": (
        "import pytest\nfrom shop.cart import double, half\nfrom tests import made\n\n"
        "@pytest.fixture\ndef four():\n    return double(2)\n\n\n"
        "@pytest.fixture\ndef nine():\n    return half(18)\n\n\n"
        "@pytest.fixture\ndef three():\n    return made.three()\n"
    ),
    "tests/made.py": "def three():\n    return 3\n",
    "tests/helpers.py": (
        "from shop.cart import double, half\n\n\n"
        "def doubled(number):\n    return double(number)\n\n\n"
        "def halved(number):\n    return half(number)\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import double, half\n"
        "from tests.helpers import doubled, halved\n\n\n"
        "def test_double(four):\n    assert double(2) == doubled(2) == four\n\n\n"
        "def test_half(nine):\n    assert half(18) == halved(18) == nine\n\n\n"
        "def test_three(three):\n    assert three == 3\n"
    ),
}
HEAD_FILES: Final = {
    "shop/cart.py": (
        "LIMIT = 3\n\n\nclass Cart:\n    def sum(self):\n        return 1\n\n\n"
        "def half(number):\n    return number / 2\n"
    ),
    "shop/old.py": None,
    "tests/conftest.py": "",
    "tests/helpers.py": None,
    "tests/made.py": "",
    "tests/test_cart.py": None,
    "tests/test_new.py": "def test_new():\n    pass\n",
}


@contextmanager
def briefed(folder: Path, base: Files, head: Files) -> Iterator[Brief]:
    made = repository(folder / "repo")
    first, second = made.commit(base), made.commit(head)
    request = Request(repo=made.path, base=first, head=second)
    with open_repository(made.path, {}) as git, ExitStack() as closers:
        yield read_brief(git, request, real_world(), closers)


@pytest.fixture
def brief(tmp_path: Path) -> Iterator[Brief]:
    with briefed(tmp_path, BASE, HEAD_FILES) as found:
        yield found


def place(*names: str, path: str = "tests/test_cart.py") -> Place:
    return Place(path=RepoPath(path), names=names)


def files(brief: Brief, *names: str) -> dict[str, str]:
    """The texts of the tree on which a test is tried by itself."""
    overlay = restore_unit(brief, place(*names))
    assert overlay is not None
    tree = replace(BASE_TESTS, overlay=overlay)
    listing = brief.source.listing(tree)
    read = brief.subject.sides.read
    return {path: bytes_of(entry, read).decode() for path, entry in listing.items()}


def test_a_test_of_a_deleted_file_is_back_by_itself(brief: Brief) -> None:
    found = files(brief, "test_half")

    assert "def test_half(nine):" in found["tests/test_cart.py"]
    assert "from shop.cart import half\n" in found["tests/test_cart.py"]
    assert "from tests.helpers import halved\n" in found["tests/test_cart.py"]
    assert "test_double" not in found["tests/test_cart.py"]


def test_its_helpers_lose_what_production_removed(brief: Brief) -> None:
    found = files(brief, "test_half")

    for helper, kept, lost in (
        ("tests/conftest.py", "def nine():", "def four():"),
        ("tests/helpers.py", "def halved(number):", "def doubled(number):"),
    ):
        assert "from shop.cart import half\n" in found[helper]
        assert kept in found[helper]
        assert lost not in found[helper]
    assert "def three():" in found["tests/conftest.py"]


def test_what_it_needs_is_kept_although_production_removed_it(brief: Brief) -> None:
    found = files(brief, "test_double")

    assert "from shop.cart import double\n" in found["tests/test_cart.py"]
    assert "def doubled(number):" in found["tests/helpers.py"]
    assert "def four():" in found["tests/conftest.py"]


def test_the_rest_of_its_tree_is_heads_production_and_bases_tests(brief: Brief) -> None:
    found = files(brief, "test_three")

    assert HEAD_FILES["shop/cart.py"] == found["shop/cart.py"]
    assert BASE["tests/made.py"] == found["tests/made.py"]
    assert "shop/old.py" not in found
    assert "tests/test_new.py" not in found


def test_all_that_is_gone_is_found_by_name(brief: Brief) -> None:
    assert {"total", "double", "ancient", "old"} == removed_names(brief)


@pytest.mark.parametrize(
    ("more", "gone"),
    [
        ({"shop/other.py": "def double(number): ...\n"}, {"total", "ancient", "old"}),
        ({"shop/other.py": "import double\n"}, {"total", "double", "ancient", "old"}),
        ({"shop/sub/old.py": ""}, {"total", "double", "ancient"}),
        (
            {"tests/deep.py": "def double(): ...\n"},
            {"total", "double", "ancient", "old"},
        ),
        ({"shop/cart.py": "def )(: x\n"}, set()),
        ({"shop/other.py": "double )(: x\n"}, set()),
        ({"shop/other.py": b"double = '\xff'\n"}, set()),
    ],
)
def test_what_head_defines_anywhere_is_not_gone(
    tmp_path: Path, more: Files, gone: set[str]
) -> None:
    with briefed(tmp_path, BASE, {**HEAD_FILES, **more}) as brief:
        assert gone == removed_names(brief)


@pytest.mark.parametrize(
    "asked",
    [
        place("test_other"),
        place(),
        place("test_half", path="tests/test_gone.py"),
        place("test_new", path="tests/test_new.py"),
        place("a", path="README.md"),
    ],
)
def test_what_base_does_not_have_is_not_restored(brief: Brief, asked: Place) -> None:
    assert restore_unit(brief, asked) is None


def test_a_file_that_is_not_utf8_is_not_restored(tmp_path: Path) -> None:
    strange = {"tests/test_cart.py": b"def test_half(): assert '\xff'\n"}
    with briefed(tmp_path, {**BASE, **strange}, HEAD_FILES) as brief:
        assert restore_unit(brief, place("test_half")) is None


def test_a_test_that_is_all_of_its_file_is_tried_with_it(tmp_path: Path) -> None:
    alone = {
        "tests/test_cart.py": "def test_half():\n    pass\n",
        "tests/conftest.py": "",
    }
    with briefed(tmp_path, {**BASE, **alone}, {"tests/test_cart.py": None}) as brief:
        assert restore_unit(brief, place("test_half")) is None


def test_overlays_are_made_when_they_are_asked_for(brief: Brief) -> None:
    half, other = TestId("tests/test_cart.py::test_half"), TestId("x.py::y")
    tests = {half: place("test_half"), other: place("y", path="x.py")}

    found = Restorable(brief=brief, tests=tests)

    assert [half, other] == list(found)
    assert found[half] == found.get(half)
    assert found.get(other) is None
    assert found.get(TestId("z.py::z")) is None
    assert brief.source.listing(replace(HEAD, overlay=found[half]))
