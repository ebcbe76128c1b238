from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import pytest
from tests.integrity.sources import PRODUCTION, told
from tests.integrity.written import asserted, equal, file_of, language
from tests.integrity.written import test_of as written_test

from fairtrial.domain.demands import Aspect, AssertionKind, Change, Demand
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.compare import Side, compare

CONFTEST = """\
import pytest

@pytest.fixture
def prices():
    return [1]

@pytest.fixture
def rare():
    return [2]
"""
TEST = (
    "from cart import total\n\ndef test_total(prices):\n    assert total(prices) == 1\n"
)


class Counted(Mapping[RepoPath, bytes]):
    """Files that tell which of them were read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = {RepoPath(path): text.encode() for path, text in files.items()}
        self.read: list[RepoPath] = []

    def __getitem__(self, path: RepoPath) -> bytes:
        data = self._files[path]
        self.read.append(path)
        return data

    def __iter__(self) -> Iterator[RepoPath]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, path: object) -> bool:
        return path in self._files


def reads(base: Mapping[str, str], head: Mapping[str, str]) -> tuple[int, int, int]:
    """How often a file of base, of head and of production was read."""
    old, new, production = Counted(base), Counted(head), Counted(PRODUCTION)
    compare(
        Side(files=old, production=production),
        Side(files=new, production=production),
        changed=frozenset(
            RepoPath(path)
            for path in {*base, *head}
            if base.get(path) != head.get(path)
        ),
    )
    return len(old.read), len(new.read), len(production.read)


def test_an_edit_of_one_file_reads_that_file_and_the_conftests_above_it() -> None:
    base = {f"tests/test_{number}.py": TEST for number in range(200)}
    base["tests/conftest.py"] = CONFTEST

    head = base | {"tests/test_7.py": TEST.replace("== 1", "== 2")}

    assert (2, 2, 0) == reads(base, head)


def test_a_changed_fixture_takes_apart_no_file_that_does_not_mention_it() -> None:
    base = {f"tests/test_{number}.py": TEST for number in range(200)}
    base["tests/conftest.py"] = CONFTEST
    base["tests/test_7.py"] = TEST.replace("prices", "rare")

    head = base | {"tests/conftest.py": CONFTEST.replace("[2]", "[3]")}

    at_base, at_head, _ = reads(base, head)
    assert 2 == at_base
    assert 201 == at_head


DEEP = 3_000
HOSTILE = [
    "(" * DEEP,
    "assert " + "a and " * DEEP + "b\n",
    "def test_a():\n" + "    assert f(" * 200,
    "x = '" + "a" * 100_000,
    "\0" * 1_000,
    "@" * 5_000,
    "import " * 5_000,
    "def test_a():\n    assert " + "-" * DEEP + "1 == 2\n",
    "class TestA(TestA):\n    def test_a(self):\n        assert self.a() == TestA\n",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sources_end_in_good_time(text: str) -> None:
    started = time.monotonic()

    for old, new in ((TEST, text), (text, TEST), (text, text + "\n# more\n")):
        compare(
            Side(files={RepoPath("test_a.py"): old.encode()}, production={}),
            Side(files={RepoPath("test_a.py"): new.encode()}, production={}),
            changed=frozenset({RepoPath("test_a.py")}),
        )

    assert 20 > time.monotonic() - started


def test_what_is_no_text_is_unread_with_its_reason() -> None:
    path = RepoPath("test_a.py")

    found = compare(
        Side(files={path: TEST.encode()}, production={}),
        Side(files={path: b"\xff\xfe\xfd"}, production={}),
        changed=frozenset({path}),
    )

    assert () == found.tests
    assert {path: "it is no UTF-8 text: byte 0"} == dict(found.unread)


def test_what_can_not_be_read_on_one_side_only_is_never_silently_equal() -> None:
    path = RepoPath("test_a.py")
    for sides in ((b"{", file_of()), (file_of(), b"{")):
        found = compare(
            *(Side(files={path: data}, production={}) for data in sides),
            changed=frozenset({path}),
            language=language,
        )
        assert [path] == list(found.unread)


@pytest.mark.parametrize(
    "demands",
    [
        [equal("total(_)", str(number)) for number in range(3_000)],
        [equal("total(_)", "1")] * 3_000,
        [
            Demand(aspect=Aspect.ROW, subject="a, b", expected=f"({number}, 1)")
            for number in range(3_000)
        ],
        [asserted(AssertionKind.MATCHES, expected="(" * 50_000)],
        [equal("(" * 50_000, "1", tolerance="1" * 50_000)],
    ],
    ids=["many", "one", "rows", "deep", "long"],
)
def test_very_many_or_very_long_demands_end_in_good_time(
    demands: list[Demand],
) -> None:
    path = RepoPath("test_a.py")
    was = file_of(written_test("a", *demands), written_test("b", *demands[1:]))
    now = file_of(written_test("c", *demands[::-1][:-1], equal("x", "y" * 50_000)))
    started = time.monotonic()

    found = compare(
        Side(files={path: was}, production={}),
        Side(files={path: now}, production={}),
        changed=frozenset({path}),
        language=language,
    )

    assert 20 > time.monotonic() - started
    assert Change.WEAKENED in {each.change for each in found.tests}
    assert all(200 >= len(each.differences) for each in found.tests)


def test_supports_that_use_each_other_end() -> None:
    helpers = "def a():\n    return b()\n\ndef b():\n    return a()\n"
    base = {
        "tests/helpers.py": helpers,
        "tests/test_a.py": (
            "from helpers import a\n\ndef test_a():\n    assert a() == 1\n"
        ),
    }

    (only,) = told(
        base, base | {"tests/helpers.py": helpers.replace("return a()", "return 1")}
    ).values()

    assert ["fixture-changed"] == [each.rule for each in only.differences]


def test_a_changed_file_that_neither_side_holds_is_unread() -> None:
    path = RepoPath("tests/conftest.py")
    nothing = Side(files={}, production={})

    found = compare(nothing, nothing, changed=frozenset({path}))

    assert [path] == list(found.unread)
