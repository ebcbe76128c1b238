"""Each part that the polluters changed is put back in a fork: which one cures?"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.runners.specimen import Specimen
from tests.runners.test_pytest_state import SHOP

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.traces import EACH, Resource, Trace
from fairtrial.runners import Selection, SuiteResult

#: What is run before the victim, what the victim demands, the part, and whether a
#: value of it can be taken into a fresh process.
CASES = {
    "variable": ("os.environ['A'] = '1'", "'A' not in os.environ", "A", True),
    "list": ("shop.ITEMS.append(1)", "shop.ITEMS == []", "shop.ITEMS", True),
    "object": (
        "shop.STORE.things['a'] = 1",
        "not shop.STORE.things",
        "shop.STORE.things",
        True,
    ),
    "class": (
        "shop.Store.limit = 2",
        "shop.Store.limit == 1",
        "shop.Store.limit",
        True,
    ),
    "default": ("shop.add(1)", "shop.add(2) == [2]", "shop.add.(default 0)", True),
    "closure": ("shop.kept(1)", "shop.kept(2) == 2", "shop.kept.(closure seen)", True),
    "cell": ("shop.count()", "shop.count() == 1", "shop.count.(closure total)", True),
    "cache": (
        "shop.look(1)",
        "shop.look.cache_info().currsize == 0",
        "shop.look",
        False,
    ),
    "mock": (
        "sys.modules['colorsys'] = object()",
        "__import__('colorsys').rgb_to_hsv",
        "sys.modules['colorsys']",
        False,
    ),
    "clock": ("time.time = lambda: 1.0", "time.time() > 5", "time.time", False),
    "dice": (
        "random.seed(1)",
        "random.random() != random.Random(1).random()",
        "random.getstate()",
        True,
    ),
    "folder": ("os.chdir('/')", "os.path.exists('shop.py')", "os.getcwd()", True),
    "zone": (
        "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()",
        "time.localtime(0).tm_hour == 0",
        "time.tzname",
        True,
    ),
    "umask": (
        "os.umask(0o77)",
        "[os.umask(0o22)] == [0o22]",
        "os.umask()",
        True,
    ),
}
DEFAULT_TIER = ("closure", "variable", "object", "dice", "mock")


def tried(
    specimen: Specimen, pollute: str, demand: str, undo: tuple[Trace, ...] = (EACH,)
) -> SuiteResult:
    tests = f"""
import os, random, sys, threading, time
import shop

def test_pollutes():
    {pollute}

def test_victim():
    assert {demand}
"""
    specimen.write({"shop.py": SHOP})
    (specimen.workspace / "test_a.py").write_text(tests)
    selection = Selection(
        shape=Shape.LISTED,
        tests=(TestId("test_a.py::test_pollutes"), TestId("test_a.py::test_victim")),
        test_timeout=60,
        watched=True,
        undo=undo,
    )
    return specimen.perform(selection, "python -m pytest -q", env={})


def asked(result: SuiteResult, *, fresh: bool) -> dict[tuple[str, ...], Outcome]:
    return {
        tuple(part.name for part in each.parts): each.outcome
        for each in result.undone
        if each.fresh is fresh
    }


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(name, marks=[] if name in DEFAULT_TIER else [pytest.mark.slow])
        for name in CASES
    ],
)
def test_the_part_that_cures_is_found(specimen: Specimen, case: str) -> None:
    pollute, demand, part, fresh = CASES[case]
    result = tried(specimen, pollute, demand)

    victim = result.results[TestId("test_a.py::test_victim")]
    assert Outcome.FAILED is victim.outcome, specimen.output
    behind = asked(result, fresh=False)
    assert Outcome.FAILED is behind[()]
    assert Outcome.PASSED is behind[(part,)], behind
    assert victim.failure is not None
    assert {victim.failure.signature} == {
        each.signature for each in result.undone if each.outcome is Outcome.FAILED
    }
    alone = asked(result, fresh=True)
    assert Outcome.PASSED is alone[()]
    assert (Outcome.FAILED if fresh else None) is alone.get((part,))


def test_two_parts_that_each_are_enough_cure_only_together(tmp_path: Path) -> None:
    result = tried(
        Specimen(folder=tmp_path),
        "os.environ['A'] = '1'; shop.MODE = 'x'; shop.ITEMS.append(1)",
        "'A' not in os.environ and shop.MODE != 'x'",
    )
    cures = {
        names
        for names, outcome in asked(result, fresh=False).items()
        if outcome is Outcome.PASSED
    }
    assert ("A", "shop.MODE") == min(cures, key=len)


def test_a_file_that_is_loaded_already_is_found(tmp_path: Path) -> None:
    specimen = Specimen(folder=tmp_path)
    specimen.write({"late/__init__.py": "", "other.py": ""})
    specimen.write({"late/sub.py": "import shop\nshop.ITEMS.append(1)\n"})
    result = tried(
        specimen,
        "import late.sub, other; shop.ITEMS.clear()",
        "__import__('late.sub') and shop.ITEMS == [1]",
    )
    behind = asked(result, fresh=False)
    assert Outcome.FAILED is behind[()]
    assert Outcome.PASSED is behind[("sys.modules['late.sub']",)], behind
    assert Outcome.FAILED is behind[("sys.modules['other']",)]
    # It can't be carried into a fresh process, so nobody says that it is enough.
    assert {(): Outcome.PASSED} == asked(result, fresh=True)


def test_a_fork_that_cures_the_disk_for_all_others_shows_nothing(
    tmp_path: Path,
) -> None:
    specimen = Specimen(folder=tmp_path)
    specimen.write({"test_a.py": SHARED})
    result = shared(specimen, "test_uses", "test_wants")
    controls = [
        each.outcome for each in result.undone if not each.parts and not each.fresh
    ]

    assert Outcome.FAILED is controls[0]
    assert Outcome.PASSED is controls[-1]


def shared(specimen: Specimen, *names: str) -> SuiteResult:
    selection = Selection(
        shape=Shape.LISTED,
        tests=tuple(TestId(f"test_a.py::{name}") for name in names),
        test_timeout=60,
        watched=True,
        undo=(EACH,),
    )
    return specimen.perform(selection, "python -m pytest -q", env={})


SHARED = """
import unittest
import pytest

@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    yield tmp_path_factory.mktemp("data")
    raise RuntimeError("nobody may tear this down while others use it")

@pytest.fixture(scope="module")
def file(folder, tmp_path_factory):
    found = tmp_path_factory.mktemp("file") / "a"
    found.write_text("new")
    return found

@pytest.fixture(scope="module")
def same(folder):
    (folder / "a").write_text("new")
    return folder / "a"

@pytest.fixture(scope="module")
def other():
    return []

def test_pollutes(file, other):
    file.write_text("used")

def test_victim(file, other):
    assert file.read_text() == "new"

def test_uses(same):
    same.write_text("used")

def test_wants(same):
    assert same.read_text() == "new"

class TestClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.open = cls.__new__(cls)._fresh()

    def _fresh(self):
        return iter([1])

    def test_a(self):
        next(self.open)

    def test_b(self):
        assert list(self.open) == [1]
"""


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (
            ("test_pollutes", "test_victim"),
            {"fixture file (module)"},
        ),
        (("TestClass::test_a", "TestClass::test_b"), {"setUpClass (class)"}),
    ],
)
def test_a_fixture_that_tests_share_is_found(
    tmp_path: Path, names: tuple[str, str], parts: set[str]
) -> None:
    specimen = Specimen(folder=tmp_path)
    specimen.write({"test_a.py": SHARED})
    result = shared(specimen, *names)
    behind = asked(result, fresh=False)

    assert Outcome.FAILED is behind[()]
    cures = {
        names[0]
        for names, outcome in behind.items()
        if len(names) == 1 and outcome is Outcome.PASSED
    }
    assert parts == cures, behind


def test_what_does_not_cure_is_not_asked_for_bit_by_bit(tmp_path: Path) -> None:
    result = tried(
        Specimen(folder=tmp_path),
        "open('x', 'w').close(); shop.ITEMS.append(1)",
        "not os.path.exists('x')",
    )
    assert {
        (): Outcome.FAILED,
        ("shop.ITEMS",): Outcome.FAILED,
    } == asked(result, fresh=False)


def test_a_process_with_threads_is_not_forked(tmp_path: Path) -> None:
    result = tried(
        Specimen(folder=tmp_path),
        "shop.ITEMS.append(1); threading.Thread(target=time.sleep, args=(3,),"
        " daemon=True).start()",
        "shop.ITEMS == []",
    )
    assert () == result.undone
    assert any("can't be forked: a thread" in each for each in result.blind)
    assert Outcome.FAILED is result.results[TestId("test_a.py::test_victim")].outcome


def test_named_parts_are_put_back_in_the_process_itself(tmp_path: Path) -> None:
    part = Trace(resource=Resource.MODULE, name="shop.ITEMS")
    result = tried(
        Specimen(folder=tmp_path),
        "shop.ITEMS.append(1); shop.MODE = 'x'",
        "shop.ITEMS == [] and shop.MODE == 'x'",
        undo=(part,),
    )
    assert Outcome.PASSED is result.results[TestId("test_a.py::test_victim")].outcome
    assert () == result.undone


def test_a_victim_that_ends_its_process_shows_nothing(tmp_path: Path) -> None:
    result = tried(
        Specimen(folder=tmp_path),
        "shop.ITEMS.append(1)",
        "shop.ITEMS == [] or os._exit(3)",
    )
    assert {(): Outcome.ERRORED} == asked(result, fresh=False)
    assert Outcome.CRASHED is result.results[TestId("test_a.py::test_victim")].outcome
