from __future__ import annotations

import json
from typing import Any

import pytest
from tests.runners.reports.told import A, B, FakeTree

from fairtrial.domain.results import Outcome
from fairtrial.domain.trials import Ending, TrialOutput
from fairtrial.runners.reports.lines import read_lines
from fairtrial.runners.reports.plain import Account

START = {"event": "start", "token": "t", "epoch": 100.0}
BEGIN = {"event": "begin", "id": A, "at": 101.5}
END = {
    "event": "end",
    "id": A,
    "outcome": "failed",
    "seconds": 0.5,
    "type": "Error",
    "message": "no",
    "expected": "1",
    "actual": "2",
    "frames": [["t/a.x", "a", 2], ["/lib/x.js", "f", 9]],
}
DONE = {"event": "done"}


def read(*events: object, more: bytes = b"") -> Account:
    data = b"".join(json.dumps(each).encode() + b"\n" for each in events) + more
    output = TrialOutput(
        ending=Ending.EXITED, code=0, files={"report-main.jsonl": data}
    )
    account = read_lines(output, FakeTree(), "t")
    assert account is not None
    return account


def test_a_report_is_read_as_it_was_written() -> None:
    listed = {"event": "listed", "ids": [A, B]}
    account = read(START, listed, BEGIN, END, DONE)

    assert (True, (A, B), (), 100.0) == (
        account.complete,
        account.listed,
        account.faults,
        account.epoch,
    )
    (one,) = account.told
    assert (A, Outcome.FAILED, 1.5, 0.5, "main") == (
        one.test,
        one.outcome,
        one.started,
        one.seconds,
        one.worker,
    )
    assert ("Error", "no", "1", "2") == (
        one.detail.type,
        one.detail.message,
        one.detail.expected,
        one.detail.actual,
    )
    ours, theirs = one.detail.frames
    assert (True, 12, False, "") == (
        ours.ours,
        len(ours.digest),
        theirs.ours,
        theirs.digest,
    )


def test_a_test_that_never_ended_was_running() -> None:
    account = read(START, BEGIN, more=b'{"event": "end", "id": "t/a')

    assert (A, False, ()) == (account.running, account.complete, account.faults)


def test_without_any_report_there_is_no_account() -> None:
    output = TrialOutput(ending=Ending.EXITED, code=0, files={"other.jsonl": b""})

    assert read_lines(output, FakeTree(), "t") is None


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([{**START, "token": "x"}, DONE], "another trial's"),
        ([DONE], "no beginning"),
        ([START, START], "begins twice"),
        ([START, {"event": "cheer"}], "can't be read"),
        ([START, ["end"]], "no object"),
        ([START, {**END, "outcome": "great"}], "an outcome is none"),
        ([START, {**END, "phase": "nap"}], "a phase is none"),
        ([START, {**END, "frames": [["a", "b", "c"]]}], "wrong parts"),
        ([START, {**BEGIN, "at": float("inf")}], "out of range"),
        ([START, {"event": "listed", "ids": [1]}], "no name"),
    ],
)
def test_what_is_not_of_the_form_is_a_fault(events: list[Any], said: str) -> None:
    assert said in read(*events).faults[0]


def test_binary_rubbish_and_deep_nests_are_faults_and_no_crash() -> None:
    for rubbish in (b"\xff\x00\n", b"[" * 100_000 + b"\n", b"\n"):
        assert read(START, more=rubbish).faults
