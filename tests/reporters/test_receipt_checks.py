"""A receipt that was changed anywhere no longer agrees with itself or its report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.reporters.receipts import BLOCKED, UNIT
from tests.reporters.sample import REPORT

from fairtrial.domain.decisions import Decision
from fairtrial.domain.names import SuiteName
from fairtrial.domain.receipts import Receipt, Result
from fairtrial.reporters import receipt, report_json
from fairtrial.reporters.receipt_checks import (
    Check,
    Holds,
    agrees_with_itself,
    agrees_with_report,
    all_of,
)
from fairtrial.reporters.receipt_reader import GivenReceipt, read

PASSED = replace(
    BLOCKED,
    suites=(replace(UNIT, failed=(), acquitted=()),),
    result=Result.PASSED,
    decision=Decision.PASS,
    exit_code=0,
)
DATA = report_json.dump(REPORT).encode()


def given(one: Receipt) -> GivenReceipt:
    return read(receipt.dump(one).encode())


@pytest.mark.parametrize("one", [BLOCKED, PASSED])
def test_an_honest_receipt_agrees_with_itself(one: Receipt) -> None:
    assert Holds.YES is agrees_with_itself(given(one)).holds


def test_an_honest_receipt_agrees_with_its_report() -> None:
    assert Holds.YES is agrees_with_report(given(BLOCKED), DATA, REPORT).holds


def edited(one: Receipt, edit: Callable[[Any], None]) -> GivenReceipt:
    document = receipt.statement(one)
    edit(document["predicate"])
    return read(json.dumps(document).encode())


def change(**fields: Any) -> Callable[[Any], None]:
    return lambda predicate: predicate.update(fields)


def change_more(**fields: Any) -> Callable[[Any], None]:
    return lambda predicate: predicate["fairtrial"].update(fields)


@pytest.mark.parametrize(
    ("one", "edit"),
    [
        (BLOCKED, change(result="PASSED")),
        (BLOCKED, change(result="WARNED")),
        (BLOCKED, change(failedTests=[])),
        (BLOCKED, change_more(decision="pass")),
        (BLOCKED, change_more(exit_code=0)),
        (BLOCKED, change_more(decision=None)),
        (PASSED, change(passedTests=[])),
        (PASSED, change(passedTests=["unit a::b"])),
        (PASSED, change(warnedTests=["unit a::b"])),
        (
            PASSED,
            change_more(
                suites=receipt.statement(PASSED)["predicate"]["fairtrial"]["suites"] * 2
            ),
        ),
    ],
    ids=range(10),
)
def test_an_edited_receipt_contradicts_itself(
    one: Receipt, edit: Callable[[Any], None]
) -> None:
    assert Holds.NO is agrees_with_itself(edited(one, edit)).holds


def test_a_result_beside_a_suite_that_is_not_sound_is_no_pass() -> None:
    def edit(predicate: Any) -> None:
        predicate["fairtrial"]["suites"][0]["sound"] = False

    assert Holds.NO is agrees_with_itself(edited(PASSED, edit)).holds


def test_a_receipt_of_another_report_does_not_hold() -> None:
    other = report_json.dump(replace(REPORT, notices=("else",)))

    assert Holds.NO is agrees_with_report(given(BLOCKED), other.encode(), REPORT).holds
    assert (
        Holds.NO
        is agrees_with_report(given(replace(BLOCKED, report=None)), DATA, REPORT).holds
    )


@pytest.mark.parametrize(
    "one",
    [
        replace(BLOCKED, decision=Decision.INCONCLUSIVE, exit_code=11),
        replace(BLOCKED, suites=(replace(UNIT, passed=UNIT.passed[1:]),)),
        replace(BLOCKED, suites=(replace(UNIT, name=SuiteName("e2e")),)),
    ],
    ids=range(3),
)
def test_a_receipt_that_tells_another_story_than_its_report_does_not_hold(
    one: Receipt,
) -> None:
    assert Holds.NO is agrees_with_report(given(one), DATA, REPORT).holds


@pytest.mark.parametrize("what", ["gitTree", "gitCommit"])
def test_a_receipt_about_more_than_one_tree_or_commit_does_not_hold(what: str) -> None:
    document = receipt.statement(PASSED)
    document["subject"].append({"name": "another", "digest": {what: "1" * 40}})

    check = agrees_with_itself(read(json.dumps(document).encode()))

    assert Holds.NO is check.holds
    assert "several subjects" in check.say


def test_nothing_checked_is_nothing_known() -> None:
    def check(holds: Holds) -> Check:
        return Check(what="it", holds=holds, say="so")

    assert Holds.UNKNOWN is all_of([])
    assert Holds.YES is all_of([check(Holds.YES)])
    assert Holds.UNKNOWN is all_of([check(Holds.YES), check(Holds.UNKNOWN)])
    assert Holds.NO is all_of([check(Holds.UNKNOWN), check(Holds.NO)])
