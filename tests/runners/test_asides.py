"""What processes tell beside results is hostile: read in part, and never believed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.names import TestId
from fairtrial.runners.reports.aside import told
from fairtrial.runners.reports.reached import reached, unseen
from fairtrial.runners.reports.waits import by_fault, waits

STREAM = "aside-main-1.jsonl"
WAIT = {"e": "waited", "id": "t", "call": "a.b", "where": "a.py:1", "seconds": 2.5}
REACH = {"e": "reached", "id": None, "host": "kafka", "port": 9092}


def stream(*events: object) -> dict[str, bytes]:
    lines = (json.dumps(event) + "\n" for event in events)
    return {STREAM: "".join(lines).encode()}


def test_what_is_told_again_takes_the_place_of_what_was_told_before() -> None:
    files = stream(WAIT, {**WAIT, "seconds": 60.0, "stack": ["a.py:1 f"]})

    (one,) = waits(files, (), "/w")

    assert (TestId("t"), "a.b", 60.0) == (one.test, one.call, one.seconds)
    assert ("a.py:1 f",) == one.stack


def test_a_test_has_at_most_four_waits() -> None:
    files = stream(*({**WAIT, "call": f"c{number}"} for number in range(9)))

    assert 4 == len(waits(files, (), "/w"))


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": "long"},
        {"seconds": -1},
        {"seconds": float("inf")},
        {"call": None},
        {"id": 3},
        {"stack": "no list"},
    ],
)
def test_a_wait_that_makes_no_sense_is_left_out(change: dict[str, object]) -> None:
    files = stream({**WAIT, **change}, {**WAIT, "id": "other"})

    assert [TestId("other")] == [one.test for one in waits(files, (), "/w")]


@pytest.mark.parametrize("port", [None, "80", -1, 65536, True, 1.5])
def test_a_port_that_is_none_is_unknown(port: object) -> None:
    (one,) = reached(stream({**REACH, "port": port}))

    assert ("kafka", None, None) == (one.host, one.port, one.test)


def test_a_host_that_is_none_is_left_out_and_one_place_is_told_once() -> None:
    events = [{**REACH, "host": 5}, REACH, {**REACH, "where": "else.py:1"}]

    assert 1 == len(reached(stream(*events)))


def test_what_could_not_be_seen_is_said_once() -> None:
    assert 1 == len(unseen(stream({"e": "unseen"}, {"e": "unseen"})))
    assert () == unseen(stream(WAIT))


def test_a_line_that_is_none_of_the_plugins_ends_its_stream_and_no_other() -> None:
    files = {
        "aside-gw0-1.jsonl": b"[" * 100_000 + b"\n" + json.dumps(WAIT).encode() + b"\n",
        "aside-gw1-2.jsonl": json.dumps(REACH).encode() + b"\n{half",
        "aside-gw2.jsonl": json.dumps(REACH).encode() + b"\n",
    }

    assert [REACH] == list(told(files))


@given(st.binary(max_size=300))
def test_no_bytes_break_it(data: bytes) -> None:
    files = {STREAM: data + b"\n"}

    assert isinstance(waits(files, (), "/w"), tuple)
    assert isinstance(reached(files), tuple)


FAULT = """Timeout (0:01:15)!
Thread 0x00007f1 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 5 in run

Thread 0x00007f2 (most recent call first):
  File "/usr/lib/python3.11/site-packages/fast/codec.py", line 9 in encode
  File "/usr/lib/python3.11/site-packages/fast/api.py", line 3 in pack
  File "/w/shop/bus.py", line 31 in send
  File "/w/test_a.py", line 2 in test_a
  File "/usr/lib/python3.11/site-packages/_pytest/python.py", line 1 in runtest
"""


def test_the_fault_handlers_dump_tells_the_call_below_the_projects_last_line() -> None:
    found = by_fault("t", FAULT, "/w")

    assert found is not None
    assert "pack (fast/api.py), native code that held the interpreter's lock" == (
        found.call
    )
    assert ("shop/bus.py:31", 75.0) == (found.where, found.seconds)
    assert "shop/bus.py:31 send" in found.stack


@pytest.mark.parametrize(
    "text",
    ["", "Fatal Python error: Aborted\n" + FAULT, FAULT.replace('"/w/', '"/other/')],
)
def test_a_dump_that_tells_no_line_of_the_project_tells_nothing(text: str) -> None:
    assert None is by_fault("t", text, "/w")
