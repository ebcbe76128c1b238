"""The action's audit is a call of the command line, and its exit code the step's."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from fairtrial.action.entry import main
from fairtrial.action.inputs import ActionCommand, read_inputs


def test_the_inputs_that_an_audit_takes_are_its_options() -> None:
    call = read_inputs(
        {
            "INPUT_COMMAND": "audit",
            "INPUT_BUDGET": "60",
            "INPUT_SUITE": "unit\ne2e",
            "INPUT_BASE": "main",
            "INPUT_PRIOR": "audit.json",
        }
    )

    assert ActionCommand.AUDIT is call.command
    assert call.argv == (
        "audit",
        "--suite=unit",
        "--suite=e2e",
        "--budget=60",
        "--report-dir=fairtrial-report",
    )


def test_a_gate_takes_a_prior() -> None:
    call = read_inputs({"INPUT_PRIOR": "fairtrial-report/audit.json"})

    assert "--prior=fairtrial-report/audit.json" in call.argv


def test_an_audits_exit_code_is_the_steps_and_no_test_speaks_to_the_runner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called: list[Sequence[str]] = []

    def command_line(argv: Sequence[str]) -> int:
        called.append(argv)
        sys.stdout.write("::error::a test said this\n")
        return 10

    old = tmp_path / "fairtrial-report"
    old.mkdir()
    (old / "report.json").write_text("{}")
    environ = {"INPUT_COMMAND": "audit", "GITHUB_WORKSPACE": str(tmp_path)}

    assert 10 == main(environ, command_line)

    (argv,) = called
    assert argv[0] == "audit"
    assert not (old / "report.json").exists()
    first, said, last = capsys.readouterr().out.split("\n", 2)
    token = first.removeprefix("::stop-commands::")
    assert token != first
    assert said == "::error::a test said this"
    assert last.strip() == f"::{token}::"
