from __future__ import annotations

import dataclasses

import pytest
from tests.action.reports import REPORT
from tests.emulator.file_commands import parse_pairs

from fairtrial.action.outputs import OUTPUTS, as_file_commands, outputs_of
from fairtrial.domain.decisions import Decision


def test_outputs_say_what_the_report_says() -> None:
    assert {
        "decision": "block",
        "requires-production-change": "true",
        "report": "out/report.json",
        "passed": "11",
        "failed": "3",
        "skipped": "1",
        "verdicts": "3",
        "blocked": "2",
        "inconclusive": "1",
        "repairs": "1",
        "acquitted": "1",
    } == outputs_of(REPORT, exit_code=12, path="out/report.json")


def test_every_output_is_there_without_a_report() -> None:
    outputs = outputs_of(None, exit_code=1, path="x")

    assert OUTPUTS == tuple(outputs)
    assert "inconclusive" == outputs["decision"]
    assert not outputs["report"]


def test_whoever_did_not_judge_does_not_say_that_production_is_well() -> None:
    stopped = dataclasses.replace(
        REPORT, stopped="No bench.", requires_production_change=False
    )

    for report in (None, stopped):
        outputs = outputs_of(report, exit_code=3, path="x")
        assert not outputs["requires-production-change"]


@pytest.mark.parametrize(
    ("said", "exit_code", "decision"),
    [
        (Decision.PASS, 0, "pass"),
        (Decision.PASS, 1, "inconclusive"),
        (Decision.PASS, 130, "inconclusive"),
        (Decision.PASS, 12, "block"),
        (Decision.REPAIR, 10, "repair"),
        (Decision.BLOCK, 0, "block"),
    ],
)
def test_the_heavier_of_report_and_exit_code_is_the_decision(
    said: Decision, exit_code: int, decision: str
) -> None:
    report = dataclasses.replace(REPORT, decision=said)

    outputs = outputs_of(report, exit_code=exit_code, path="x")

    assert decision == outputs["decision"]


def test_no_value_can_close_its_own_block() -> None:
    outputs = {"a": "x\nEOF\ndecision=pass", "b": ""}

    assert list(outputs.items()) == parse_pairs(
        as_file_commands(outputs, delimiter="0f1e")
    )


def test_a_value_with_the_delimiter_is_refused() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        as_file_commands({"a": "0f1e"}, delimiter="0f1e")
