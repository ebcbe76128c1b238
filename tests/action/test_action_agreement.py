"""`action.yml`, its documentation, the code and the command line say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from fairtrial.action.inputs import INPUTS, REPORT_DIR, ActionCommand
from fairtrial.action.outputs import OUTPUTS
from fairtrial.domain.errors import ExitCode

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
#: What the table shows where the action itself reads an input.
NO_OPTION = "–"  # noqa: RUF001 - as the table has it
EXAMPLES = sorted((ROOT / "examples").glob("*.yml"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def _table(heading: str) -> list[list[str]]:
    text = (ROOT / "docs/action.md").read_text()
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip().strip("`") for cell in row[1:-1].split("|")] for row in rows]


def test_the_inputs_are_the_same_everywhere() -> None:
    names = [known.name for known in INPUTS]

    assert names == list(ACTION["inputs"])
    assert names == [row[0] for row in _table("Inputs")]


def test_the_documented_options_are_those_that_inputs_become() -> None:
    documented = {row[0]: row[3] for row in _table("Inputs")}

    assert {known.name: known.option or NO_OPTION for known in INPUTS} == documented


def test_the_documented_commands_are_those_that_take_the_input() -> None:
    used_by = {
        known.name: "all"
        if known.commands == set(ActionCommand)
        else ", ".join(each for each in ActionCommand if each in known.commands)
        for known in INPUTS
    }

    assert used_by == {row[0]: row[4] for row in _table("Inputs")}


@pytest.mark.parametrize("command", list(ActionCommand))
def test_each_option_is_one_of_the_command_line(command: ActionCommand) -> None:
    from fairtrial.cli import COMMANDS  # noqa: PLC0415 - heavy, and for this test only

    taken = {
        option
        for parameter in COMMANDS[command.value].params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    # The comment's report is its argument.
    mapped = {
        known.option for known in INPUTS if known.option and command in known.commands
    } - ({"--report-dir"} if command is ActionCommand.COMMENT else set())

    assert mapped <= taken


def test_the_outputs_are_the_same_everywhere() -> None:
    assert list(OUTPUTS) == list(ACTION["outputs"])
    assert list(OUTPUTS) == [row[0] for row in _table("Outputs")]


def test_each_exit_code_is_documented_and_no_other() -> None:
    assert sorted(ExitCode) == [int(row[0]) for row in _table("Exit codes")]


def test_inputs_and_outputs_are_described_in_kebab_case() -> None:
    for kind in ("inputs", "outputs"):
        for name, entry in ACTION[kind].items():
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
            assert entry["description"].strip()


def test_defaults_are_texts_and_nothing_is_required() -> None:
    for entry in ACTION["inputs"].values():
        assert entry["required"] is False
        assert isinstance(entry["default"], str)
    assert REPORT_DIR == ACTION["inputs"]["report-dir"]["default"]


def test_no_argument_is_declared_for_what_the_runner_can_not_quote() -> None:
    assert {"using": "docker", "image": "Dockerfile"} == ACTION["runs"]


def test_the_readme_shows_the_workflow_that_the_tests_run() -> None:
    readme = (ROOT / "README.md").read_text()
    block = readme.partition("<!-- workflow:begin")[2].partition("<!-- workflow:end")[0]

    shown = block.partition("```yaml\n")[2].partition("```")[0]
    assert (ROOT / "examples/workflow.yml").read_text() == shown


def test_the_examples_upload_and_download_what_the_action_writes() -> None:
    for path in EXAMPLES:
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            for step in job["steps"]:
                if "artifact@" in step["uses"]:
                    assert REPORT_DIR == step["with"]["path"]


def test_only_the_job_that_runs_nothing_of_the_change_may_write() -> None:
    jobs = yaml.safe_load((ROOT / "examples/workflow.yml").read_text())["jobs"]

    gate, comment = jobs["fairtrial"], jobs["fairtrial-comment"]
    assert {"contents": "read", "pull-requests": "read"} == gate["permissions"]
    assert {"pull-requests": "write"} == comment["permissions"]
    assert not any("actions/checkout" in step["uses"] for step in comment["steps"])


def test_what_builds_the_wheel_is_locked_as_for_development() -> None:
    def entries(name: str) -> set[str]:
        text = (ROOT / "requirements" / name).read_text().strip()
        return set(re.split(r"\n(?=\S)", text))

    assert entries("build.txt") <= entries("dev.txt")
    assert any(entry.startswith("hatchling==") for entry in entries("build.txt"))


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-actions", [ROOT / "action.yml"]),
        ("vendor.github-workflows", EXAMPLES + WORKFLOWS),
    ],
)
def test_github_takes_these_files(schema: str, paths: list[Path]) -> None:
    _passes("check-jsonschema", "--builtin-schema", schema, *map(str, paths))


def test_zizmor_finds_nothing_in_what_we_run_or_recommend() -> None:
    _passes(
        "zizmor",
        *("--offline", "--persona", "pedantic", "--no-progress", "--strict-collection"),
        *("--config", str(ROOT / ".github/zizmor.yml")),
        *map(str, [ROOT / "action.yml", *EXAMPLES, *WORKFLOWS]),
    )


def _passes(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name(program)), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
