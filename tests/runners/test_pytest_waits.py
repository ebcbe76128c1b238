"""What a test waits for is told by the name of the call, whatever the test does."""

from __future__ import annotations

import pytest
from tests.runners.specimen import Specimen, the

from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.traces import Wait
from fairtrial.runners import SuiteResult

BUS = """
    import asyncio, queue, threading, time
    from concurrent.futures import ThreadPoolExecutor
    from time import sleep as nap

    SECONDS = 1.6

    def sleep():
        nap(SECONDS)

    def take():
        try:
            queue.Queue().get(timeout=SECONDS)
        except queue.Empty:
            pass

    def result():
        with ThreadPoolExecutor() as pool:
            pool.submit(sleep).result()

    def compute():
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS:
            pass

    async def ask():
        await asyncio.sleep(SECONDS)
"""
TESTS = """
    import asyncio, time
    import pytest
    from shop import bus

    @pytest.mark.parametrize("name", ["sleep", "take", "result", "compute"])
    def test_bus(name):
        getattr(bus, name)()

    def test_loop():
        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(bus.ask())

    def test_clocks_of_its_own(monkeypatch):
        monkeypatch.setattr(time, "monotonic", lambda: 0.0)
        monkeypatch.setattr(time, "time", lambda: 0.0)
        bus.sleep()

    @pytest.fixture
    def slow():
        bus.sleep()

    def test_fixture(slow):
        pass

    def test_quick():
        pass
"""


def waits(result: SuiteResult) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for one in result.waits:
        name = one.test.rpartition("::")[2]
        found.setdefault(name, []).append((one.call, one.where))
    return found


def only(result: SuiteResult) -> Wait:
    (one,) = result.waits
    return one


def test_each_wait_is_told_by_the_call_that_waits_and_the_line_that_calls(
    specimen: Specimen,
) -> None:
    specimen.write({"shop/__init__.py": "", "shop/bus.py": BUS, "test_a.py": TESTS})

    result = specimen.whole("python -m pytest -q -p no:randomly -n 4")

    assert {"passed"} == {each.outcome.value for each in result.results.values()}
    assert {
        "test_bus[sleep]": [("time.sleep", "shop/bus.py:9")],
        "test_bus[take]": [("queue.Queue.get", "shop/bus.py:13")],
        "test_bus[result]": [
            ("concurrent.futures.Future.result", "shop/bus.py:19"),
            ("time.sleep", "shop/bus.py:9"),
        ],
        "test_loop": [("asyncio.sleep", "shop/bus.py:27")],
        "test_clocks_of_its_own": [("time.sleep", "shop/bus.py:9")],
        "test_fixture": [("time.sleep", "shop/bus.py:9")],
    } == waits(result)
    for one in result.waits:
        assert 1.0 < one.seconds < 2.5
        assert any(line.startswith(one.where) for line in one.stack)


def test_a_test_that_ran_out_of_its_time_tells_what_it_waited_for(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "bus.py": "import queue\ndef take():\n    queue.Queue().get()\n",
            "test_a.py": "import bus\ndef test_order():\n    bus.take()\n",
        }
    )

    result = specimen.whole(timeout=2.0)

    the(result, "test_a.py::test_order", Outcome.TIMED_OUT)
    found = only(result)
    assert ("queue.Queue.get", "bus.py:3") == (found.call, found.where)
    assert 1.4 < found.seconds < 3


def test_native_code_that_lets_nobody_else_run_is_told_by_the_fault_handler(
    specimen: Specimen,
) -> None:
    body = "import ctypes\ndef test_order():\n    ctypes.PyDLL(None).sleep(60)\n"
    specimen.write({"test_a.py": body})

    result = specimen.whole(timeout=1.0)

    found = only(result)
    assert TestId("test_a.py::test_order") == found.test
    assert "test_a.py:3" == found.where
    assert "native code that held the interpreter's lock" in found.call
    assert 1.25 == found.seconds


@pytest.mark.slow
def test_a_wait_is_told_while_it_lasts_since_the_trial_may_be_killed(
    specimen: Specimen,
) -> None:
    body = "import time\ndef test_order():\n    time.sleep(60)\n"
    specimen.write({"test_a.py": body})

    result = specimen.whole("timeout -s KILL 9 python -m pytest -q")

    found = only(result)
    assert ("time.sleep", "test_a.py:3") == (found.call, found.where)
    assert 5 <= found.seconds < 9
