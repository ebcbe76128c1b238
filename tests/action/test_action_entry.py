from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.action.reports import CLEAN, REPORT
from tests.emulator.file_commands import parse_pairs

from fairtrial.action.entry import main
from fairtrial.domain.report import Report
from fairtrial.reporters import markdown, report_json


@dataclass
class Step:
    """A step in a workspace with a repository, and what it leaves behind."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.workspace.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=self.workspace, check=True)
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV"):
            self.file(name).touch()
            self.environ[name] = str(self.file(name))
        self.environ["GITHUB_WORKSPACE"] = str(self.workspace)

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def report(self) -> Path:
        return self.workspace / "fairtrial-report"

    def file(self, name: str) -> Path:
        return self.folder / name

    def outputs(self) -> dict[str, str]:
        return dict(parse_pairs(self.file("GITHUB_OUTPUT").read_text()))

    def summary(self) -> str:
        return self.file("GITHUB_STEP_SUMMARY").read_text()

    def gate(
        self, exit_code: int, report: Report | None = REPORT
    ) -> Callable[[Sequence[str]], int]:
        """A command line that writes this report and exits so."""

        def command_line(_argv: Sequence[str]) -> int:
            if report is not None:
                self.report.mkdir(exist_ok=True)
                for written in report_json.render(report):
                    (self.report / written.name).write_text(written.content)
            return exit_code

        return command_line


@pytest.fixture
def step(tmp_path: Path) -> Step:
    return Step(tmp_path)


def test_the_gates_exit_code_outputs_and_summary_are_the_steps(step: Step) -> None:
    assert 12 == main(step.environ, step.gate(12))

    outputs = step.outputs()
    assert "block" == outputs["decision"]
    assert "fairtrial-report/report.json" == outputs["report"]
    assert markdown.summary(REPORT) == step.summary()


def test_the_gate_finds_its_token_and_no_other_secret(step: Step) -> None:
    step.environ |= {
        "INPUT_GITHUB-TOKEN": "ghs_1",
        "ACTIONS_RUNTIME_TOKEN": "runtime",
        "GITHUB_TOKEN": "ghs_2",
    }
    seen: dict[str, str] = {}

    def command_line(_argv: Sequence[str]) -> int:
        seen.update(step.environ)
        return 1

    main(step.environ, command_line)

    assert {"GITHUB_TOKEN": "ghs_1"} == {
        name: value for name, value in seen.items() if "TOKEN" in name
    }
    assert "GITHUB_OUTPUT" not in seen
    assert str(step.workspace) in seen.values()


def test_a_comment_gets_the_token_and_no_outputs_of_a_gate(step: Step) -> None:
    step.environ |= {"INPUT_GITHUB-TOKEN": "ghs_1", "INPUT_COMMAND": "comment"}
    seen: dict[str, str] = {}

    def command_line(argv: Sequence[str]) -> int:
        seen.update(token=step.environ["GITHUB_TOKEN"], argv=argv[0])
        return 0

    assert 0 == main(step.environ, command_line)
    assert {"token": "ghs_1", "argv": "comment"} == seen
    assert {} == step.outputs()


def test_annotations_are_commands_again_when_all_is_over(
    step: Step, capfd: pytest.CaptureFixture[str]
) -> None:
    main(step.environ, step.gate(12))

    lines = capfd.readouterr().out.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    after = lines[lines.index(f"::{token}::") :]
    assert any(line.startswith("::error ") for line in after)


def test_a_clean_run_passes(step: Step) -> None:
    assert 0 == main(step.environ, step.gate(0, CLEAN))

    assert "pass" == step.outputs()["decision"]
    assert "false" == step.outputs()["requires-production-change"]


def test_a_report_that_is_none_is_not_believed(step: Step) -> None:
    def command_line(argv: Sequence[str]) -> int:
        step.gate(0, CLEAN)(argv)
        (step.report / "report.json").write_text('{"decision": "pass"}')
        return 0

    assert 1 == main(step.environ, command_line)


def test_a_pass_without_a_report_is_none(step: Step) -> None:
    assert 1 == main(step.environ, step.gate(0, report=None))

    assert "inconclusive" == step.outputs()["decision"]


def test_a_report_that_the_change_brought_is_not_read(step: Step) -> None:
    step.gate(0, CLEAN)([])

    assert 1 == main(step.environ, step.gate(1, report=None))

    assert "inconclusive" == step.outputs()["decision"]
    assert "without a report (exit code 1)" in step.summary()


def test_an_exception_is_a_bug_and_not_a_pass(
    step: Step, capfd: pytest.CaptureFixture[str]
) -> None:
    def command_line(_argv: Sequence[str]) -> int:
        raise RuntimeError("of ours")

    assert 1 == main(step.environ, command_line)
    assert "RuntimeError: of ours" in capfd.readouterr().err


def test_what_a_test_prints_is_no_command(
    step: Step, capfd: pytest.CaptureFixture[str]
) -> None:
    def command_line(_argv: Sequence[str]) -> int:
        os.write(1, b"::error::forged\n")
        return 1

    main(step.environ, command_line)

    lines = capfd.readouterr().out.splitlines()
    stop = lines.index("::error::forged") - 1
    assert lines[stop].startswith("::stop-commands::")
    assert f"::{lines[stop].removeprefix('::stop-commands::')}::" in lines[stop + 2 :]


@pytest.mark.parametrize(("exit_code", "expected"), [(0, 11), (10, 10), (12, 12)])
def test_a_run_whose_files_somebody_else_wrote_to_proves_nothing(
    step: Step, exit_code: int, expected: int
) -> None:
    def command_line(argv: Sequence[str]) -> int:
        step.file("GITHUB_ENV").write_text("LD_PRELOAD=/evil\n")
        step.file("GITHUB_OUTPUT").write_text("decision=pass\n")
        return step.gate(exit_code, CLEAN)(argv)

    assert expected == main(step.environ, command_line)

    assert not step.file("GITHUB_ENV").read_text()
    assert "pass" != step.outputs()["decision"]


def test_a_wrong_input_is_told_before_anything_runs(
    step: Step, capfd: pytest.CaptureFixture[str]
) -> None:
    step.environ["INPUT_COMMAND"] = "gat"

    assert 2 == main(step.environ, lambda _argv: pytest.fail("ran"))

    assert "::error title=Fairtrial::" in capfd.readouterr().out
    assert "inconclusive" == step.outputs()["decision"]
    assert "could not start" in step.summary()
