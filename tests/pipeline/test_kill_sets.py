"""Which edits of tests lose kills, on real trials of one small project.

All edits are one change: a module of tests for each edit at base, and the same module
edited at head. The bench stands once, and one call answers for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from tests.pipeline.edits_of_tests import HONEST, SHOP, WEAKENED, Edit
from tests.subject.repositories import repository

from fairtrial.cli.world import real_world
from fairtrial.domain.names import TestId
from fairtrial.domain.request import Request
from fairtrial.domain.settings import BenchKind
from fairtrial.domain.trees import Revision
from fairtrial.integrity.mutation.kills import KillQuestion, Kills
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.kill_sets import kill_sets, kills_anything
from fairtrial.pipeline.single import standing_one
from fairtrial.pipeline.stand import Stand

#: Tests of no edit, each for one way in which nothing can be measured.
UNMEASURED: Final = {
    "test_red.py": "import shop\n\ndef test_red():\n    assert shop.total([]) == 1\n",
    "test_none.py": "def test_none():\n    assert [] == []\n",
    "test_trace.py": (
        "import sys, shop\n\n"
        "def test_trace():\n"
        "    sys.settrace(None)\n"
        "    monitoring = getattr(sys, 'monitoring', None)\n"
        "    for tool in (3, 4) if monitoring else ():\n"
        "        monitoring.free_tool_id(tool)\n"
        "    assert shop.total([]) == 5\n"
    ),
    "test_wish.py": "import shop\n\ndef test_wish():\n    assert shop.tax(10) == 2\n",
    "test_base.py": (
        "import pytest, shop\n\n"
        "@pytest.mark.skip\n"
        "def test_base():\n    assert shop.tax(10) == 2\n"
    ),
}
WISH: Final = "import shop\n\ndef test_wish():\n    assert shop.tax(10) == 3\n"
NEW: Final = (
    "import shop\n\n"
    "def test_some():\n    assert shop.discount(70) == 30\n\n"
    "def test_idle():\n    shop.discount(70)\n\n"
    "def test_away():\n    assert 1 + 1 == 2\n"
)


@dataclass(frozen=True)
class Tried:
    stand: Stand
    brief: Brief
    kills: Mapping[KillQuestion, Kills]

    def of(self, edit: Edit) -> Kills:
        return self.kills[edit.question]


def same(name: str) -> KillQuestion:
    test = TestId(f"test_{name}.py::test_{name}")
    return KillQuestion(base=(test,), head=(test,))


@contextmanager
def tried(folder: Path, edits: Sequence[Edit]) -> Iterator[Tried]:
    made = repository(folder)
    files = {"shop.py": SHOP, "conftest.py": "", **UNMEASURED}
    base = made.commit(files | {path: text for e in edits for path, text in e.was()})
    head = made.commit(
        {path: text for edit in edits for path, text in edit.becomes()}
        | {"test_wish.py": WISH, "test_new.py": NEW}
    )
    request = Request(repo=made.path, base=base, head=head, bench=BenchKind.HERE)
    with standing_one(request, real_world(), *Revision) as (brief, stand):
        questions = [each.question for each in edits]
        questions += map(same, ("red", "none", "trace", "wish", "base"))
        found = kill_sets(stand, brief, questions, 300)
        yield Tried(stand=stand, brief=brief, kills=found)


#: What the default tier tries; the others cost minutes.
FEW: Final = ("row_dropped", "skipped", "fixture")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    edits = [each for each in (*WEAKENED, *HONEST) if each.name in FEW]
    with tried(tmp_path_factory.mktemp("few"), edits) as found:
        yield found


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    edits = [each for each in (*WEAKENED, *HONEST) if each.name not in FEW]
    with tried(tmp_path_factory.mktemp("rest"), edits) as found:
        yield found


def by_tier(edits: Sequence[Edit]) -> list[ParameterSet]:
    slow = pytest.mark.slow
    return [
        pytest.param("few", each, id=each.name)
        if each.name in FEW
        else pytest.param("rest", each, id=each.name, marks=slow)
        for each in edits
    ]


@pytest.mark.parametrize(("of", "edit"), by_tier(WEAKENED))
def test_a_weakened_test_loses_kills(
    of: str, edit: Edit, request: pytest.FixtureRequest
) -> None:
    kills = request.getfixturevalue(of).of(edit)

    assert kills.measured, kills.why
    assert kills.lost, kills
    assert {"shop.py"} == {each.path for each in kills.lost}
    assert not kills.kept


@pytest.mark.parametrize(("of", "edit"), by_tier(HONEST))
def test_an_honest_edit_keeps_all_kills(
    of: str, edit: Edit, request: pytest.FixtureRequest
) -> None:
    kills = request.getfixturevalue(of).of(edit)

    assert kills.measured, kills.why
    assert () == kills.lost
    assert kills.killed_by_base >= 3
    assert kills.kept


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("red", "base's version of it does not pass there (test_red.py::test_red: f"),
        ("none", "it runs no production in its own process"),
        ("trace", "the lines that it runs could not be measured"),
        ("wish", "head's version of it does not pass there"),
        ("base", "base's version of it runs nothing"),
    ],
)
def test_what_is_not_measured_is_never_kept(name: str, why: str, few: Tried) -> None:
    kills = few.kills[same(name)]

    assert not kills.measured
    assert not kills.kept
    assert kills.why.startswith(why)


def test_without_time_nothing_is_measured_and_nothing_kept(few: Tried) -> None:
    question = next(iter(few.kills))
    kills = kill_sets(few.stand, few.brief, [question], 0)[question]

    assert not kills.measured
    assert not kills.kept


def test_a_new_test_is_asked_whether_it_notices_anything(few: Tried) -> None:
    tests = [TestId(f"test_new.py::test_{name}") for name in ("some", "idle", "away")]

    some, idle, away = kills_anything(few.stand, few.brief, tests, 60).values()

    assert some.measured
    assert some.killed_by_base > 0
    assert idle.measured
    assert (0, True) == (idle.killed_by_base, idle.tried > 3)
    assert not away.measured
