"""What each test leaves in its process is told, and what is no leftover is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.runners.specimen import Specimen, outcomes
from tests.runners.test_pytest_receipts import WHOLE, complete, read

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Resource, Trace
from fairtrial.runners import Selection, SuiteResult

SHOP = """
    import functools

    ITEMS = []
    MODE = "sale"

    class Store:
        limit = 1

        def __init__(self):
            self.things = {}

    def keeping():
        seen, total = {}, 0

        def kept(number):
            return seen.setdefault("first", number)

        def count():
            nonlocal total
            total += 1
            return total

        return kept, count

    kept, count = keeping()

    STORE = Store()

    class Evil:
        def __eq__(self, other):
            raise RuntimeError("nobody may compare me")

        __hash__ = None

        @property
        def __dict__(self):
            raise RuntimeError("nobody may look into me")

        def __getattribute__(self, name):
            raise RuntimeError("nobody may ask me")

    EVIL = [Evil(), {"k": Evil()}]
    CYCLE = []
    CYCLE.append(CYCLE)

    def add(thing, to=[]):
        to.append(thing)
        return to

    @functools.lru_cache(None)
    def look(thing):
        return thing
"""
LEAVES = """
    import decimal, locale, logging, os, random, signal, sys, time, types
    import shop

    def test_variables():
        os.environ["DEBUG"] = "1"
        os.environ["API_TOKEN"] = "hush"
        os.environ["DATABASE"] = "postgres://me:hush@here/db"

    def test_modules():
        shop.ITEMS.append("tea")
        shop.STORE.things["tea"] = 1
        shop.Store.limit = 2
        shop.MODE = "test"
        shop.add(1)
        shop.look(1)
        sys.modules["nowhere"] = types.ModuleType("nowhere")
        time.time = lambda: 1.0

    def test_process():
        os.chdir("/")
        os.umask(0o77)
        decimal.getcontext().prec = 3
        logging.disable(50)
        signal.signal(signal.SIGUSR1, lambda *_: None)
        random.seed(1)
        sys.path.insert(0, "/nowhere")
        os.environ["TZ"] = "Asia/Tokyo"
        time.tzset()

    def test_takes_back(monkeypatch, tmp_path):
        monkeypatch.setenv("ONE", "1")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(shop, "ITEMS", [1])
        import colorsys
        shop.EVIL.append(1)
        shop.EVIL.pop()

    def test_nothing():
        pass
"""
TESTS = ("variables", "modules", "process", "takes_back", "nothing")


def watched(specimen: Specimen, shape: Shape, *names: str) -> SuiteResult:
    selection = Selection(
        shape=shape,
        tests=tuple(TestId(f"test_a.py::test_{name}") for name in names),
        test_timeout=60,
        watched=True,
    )
    return specimen.perform(selection, "python -m pytest -q", env={})


def names(result: SuiteResult, test: str | None) -> dict[str, Trace]:
    by = None if test is None else TestId(f"test_a.py::test_{test}")
    return {each.name: each for each in result.traces if each.by == by}


def test_each_test_is_told_with_what_it_left(specimen: Specimen) -> None:
    specimen.write({"shop.py": SHOP, "test_a.py": LEAVES})
    result = watched(specimen, Shape.LISTED, *TESTS)

    assert {"passed"} == {*outcomes(result).values()}
    assert () == result.blind
    variables = names(result, "variables")
    assert {
        "DEBUG": ("(absent)", "1"),
        "API_TOKEN": ("(absent)", "(hidden)"),
    } == {
        name: (variables[name].was, variables[name].now)
        for name in ("DEBUG", "API_TOKEN")
    }
    assert variables["DATABASE"].now.startswith("sha256:")
    assert {
        "shop.ITEMS",
        "shop.STORE.things",
        "shop.Store.limit",
        "shop.MODE",
        "shop.add.(default 0)",
        "shop.look",
        "sys.modules['nowhere']",
        "time.time",
    } == {*names(result, "modules")}
    assert {
        Resource.DIRECTORY,
        Resource.RANDOM,
        Resource.PATH,
        Resource.TIME_ZONE,
        Resource.ENVIRONMENT,
        Resource.PROCESS,
    } == {each.resource for each in names(result, "process").values()}
    assert {} == names(result, "takes_back")
    assert {} == names(result, "nothing")
    assert "hush" not in repr(result.traces)


def test_a_whole_suite_is_watched_within_its_time(specimen: Specimen) -> None:
    specimen.write({"shop.py": SHOP, "test_a.py": LEAVES})
    result = watched(specimen, Shape.WHOLE)

    assert {"passed"} == {*outcomes(result).values()}
    found = {each.name for each in result.traces}
    assert {"DEBUG", "shop.ITEMS", "shop.STORE.things", "shop.MODE"} <= found


def test_objects_die_when_a_suite_lets_go_of_them(tmp_path: Path) -> None:
    specimen = Specimen(folder=tmp_path)
    specimen.write(
        {
            "shop.py": "class Thing: pass\nTHINGS = [Thing()]\nONE = Thing()\n",
            "test_a.py": """
                import gc, weakref, shop

                def test_first():
                    pass

                def test_dies():
                    things = [weakref.ref(shop.THINGS[0]), weakref.ref(shop.ONE)]
                    shop.THINGS.clear()
                    shop.ONE = None
                    gc.collect()
                    assert [None, None] == [each() for each in things]
            """,
        }
    )
    assert {"passed"} == {*outcomes(watched(specimen, Shape.WHOLE)).values()}


@pytest.mark.parametrize(
    "event",
    [
        {"e": "left", "resource": "nonsense", "name": "x", "was": "", "now": ""},
        {"e": "left", "resource": ["process"], "name": {}, "was": 1},
        {"e": "left"},
        {"e": "undone", "id": "x", "parts": [[1, 2, 3, 4]], "phases": []},
        {"e": "undone", "id": "x", "parts": [], "phases": [{"id": "y"}]},
        {"e": "undone", "parts": 1},
        {"e": "blind", "why": 5},
    ],
)
def test_what_the_plugin_cannot_have_said_is_not_taken(
    event: dict[str, object],
) -> None:
    events = complete()
    events.insert(3, json.loads(json.dumps(event)))
    result = read(events, WHOLE)

    assert Trust.SOUND is result.trust
    assert ((), (), ()) == (result.traces, result.undone, result.blind)


def test_what_is_told_is_bounded() -> None:
    left = {"e": "left", "id": "t", "resource": "process", "was": "", "now": ""}
    events = complete()
    events[3:3] = [{**left, "name": f"{number}" * 1000} for number in range(7000)]
    result = read(events, WHOLE)

    assert 5000 == len(result.traces)
    assert 500 == max(len(each.name) for each in result.traces)
