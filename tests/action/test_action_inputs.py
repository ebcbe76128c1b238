from __future__ import annotations

import pytest

from fairtrial.action.inputs import ActionCommand, read_inputs
from fairtrial.domain.errors import ConfigurationError


def test_without_inputs_the_gate_is_called_with_a_place_for_its_report() -> None:
    call = read_inputs({})

    assert ("gate", "--report-dir=fairtrial-report") == call.argv


def test_each_input_becomes_its_option() -> None:
    call = read_inputs(
        {
            "INPUT_CONFIG": "ci/fairtrial.yml",
            "INPUT_SUITE": "unit\n\n  slow one \n",
            "INPUT_TEST-TIMEOUT": "30",
            "INPUT_REPORT-DIR": "out",
            "INPUT_BENCH": "",
            "INPUT_VARIANT": "3.13",
        }
    )

    assert (
        "gate",
        "--config=ci/fairtrial.yml",
        "--suite=unit",
        "--suite=slow one",
        "--test-timeout=30",
        "--variant=3.13",
        "--report-dir=out",
    ) == call.argv


@pytest.mark.parametrize("value", ["--head=evil", '" --evil', "-h", "a\\"])
def test_a_value_is_never_an_option_of_its_own(value: str) -> None:
    call = read_inputs({"INPUT_BASE": value})

    assert ("gate", f"--base={value}", "--report-dir=fairtrial-report") == call.argv


def test_a_comment_reads_the_report_and_takes_no_option_of_the_gate() -> None:
    call = read_inputs(
        {"INPUT_COMMAND": "comment", "INPUT_BENCH": "here", "INPUT_GITHUB-TOKEN": "t"}
    )

    assert ActionCommand.COMMENT is call.command
    assert ("comment", "--", "fairtrial-report/report.json") == call.argv
    assert "t" == call.token


def test_a_token_is_not_in_what_a_call_shows_of_itself() -> None:
    call = read_inputs({"INPUT_GITHUB-TOKEN": "ghs_secret"})

    assert "ghs_secret" not in repr(call)


def test_an_unknown_command_names_those_there_are() -> None:
    with pytest.raises(ConfigurationError) as wrong:
        read_inputs({"INPUT_COMMAND": "gat"})

    assert "`gate`, `comment`" in wrong.value.diagnostics()
