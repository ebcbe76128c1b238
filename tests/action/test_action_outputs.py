from __future__ import annotations

from typing import Any

import pytest
from tests.emulator.file_commands import parse_pairs

from fairtrial.action.outputs import (
    OUTPUTS,
    as_file_commands,
    outputs_of,
    read_report,
    summary,
)

REPORT: dict[str, Any] = {
    "decision": "block",
    "requires_production_change": True,
    "suites": [
        {"name": "unit", "passed": 8, "failed": 2, "skipped": 1},
        {"name": "slow", "passed": 3, "failed": 1, "skipped": 0},
    ],
    "verdicts": [{"decision": "block"}, {"decision": "pass"}, {"decision": "repair"}],
    "findings": [{"decision": "block"}, {"decision": "inconclusive"}],
}


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


@pytest.mark.parametrize("report", [None, {}, {"suites": 3, "verdicts": [1, None]}])
def test_every_output_is_there_whatever_the_report_is(report: Any) -> None:
    outputs = outputs_of(report, exit_code=1, path="x")

    assert OUTPUTS == tuple(outputs)
    assert "inconclusive" == outputs["decision"]
    assert not outputs["requires-production-change"]


@pytest.mark.parametrize(
    ("said", "exit_code", "decision"),
    [
        ("pass", 0, "pass"),
        ("pass", 1, "inconclusive"),
        ("pass", 130, "inconclusive"),
        ("pass", 12, "block"),
        ("repair", 10, "repair"),
        ("block", 0, "block"),
        ("splendid", 0, "inconclusive"),
        ("", 0, "inconclusive"),
    ],
)
def test_the_heavier_of_report_and_exit_code_is_the_decision(
    said: str, exit_code: int, decision: str
) -> None:
    outputs = outputs_of({"decision": said}, exit_code=exit_code, path="x")

    assert decision == outputs["decision"]


def test_no_value_can_close_its_own_block() -> None:
    outputs = {"a": "x\nEOF\ndecision=pass", "b": ""}

    assert list(outputs.items()) == parse_pairs(
        as_file_commands(outputs, delimiter="0f1e")
    )


def test_a_value_with_the_delimiter_is_refused() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        as_file_commands({"a": "0f1e"}, delimiter="0f1e")


@pytest.mark.parametrize("text", ["", "nul", "[1]", "{", "NaN"])
def test_what_is_no_report_is_none(text: str) -> None:
    assert read_report(text) is None


def test_a_short_summary_stays_as_it_is() -> None:
    assert "# a\n" == summary("# a\n")


def test_a_long_summary_is_cut_at_a_line_with_all_that_is_open_closed() -> None:
    markdown = "# Top\n<details>\n\n````text\n" + "ünïcode line\n```\n" * 200

    cut = summary(markdown, limit=1000)

    assert len(cut.encode()) <= 1000
    assert cut.startswith("# Top\n")
    assert "\n````\n" in cut
    assert 1 == cut.count("</details>")
    assert cut.endswith("artifact.*\n")
