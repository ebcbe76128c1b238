"""The commands that a report prints show what the report says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from specimens import build


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    assert words[0] == "fairtrial"
    return subprocess.run(
        [sys.executable, "-m", *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=280,
    )


@pytest.mark.parametrize(
    ("name", "exit_code", "shows"),
    [
        ("regression", 10, "failed: AssertionError"),
        pytest.param(
            "production_leak",
            0,
            "tests/test_a_orders.py::test_price",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_replay_of_a_verdict_shows_it_again(
    name: str, exit_code: int, shows: str, tmp_path: Path
) -> None:
    built = build(name, tmp_path)
    run(["fairtrial", "gate", "--base", built.base, "--head", built.head], built.path)
    folder = built.path / "fairtrial-report"
    report = json.loads((folder / "report.json").read_text())
    command = report["verdicts"][0]["replay"]
    pasted = re.findall(
        r"^fairtrial .*", (folder / "report.md").read_text(), re.MULTILINE
    )

    assert command in pasted
    for line in {command, *pasted}:
        done = run(shlex.split(line), built.path)
        assert exit_code == done.returncode, done.stdout + done.stderr
        assert shows in done.stdout


def test_explain_shows_a_report_again_in_each_form(tmp_path: Path) -> None:
    built = build("clean", tmp_path)
    done = run(
        ["fairtrial", "gate", "--base", built.base, "--head", built.head], built.path
    )
    last = done.stdout.splitlines()[-1]
    folder = built.path / "fairtrial-report"

    text = run(["fairtrial", "explain"], built.path).stdout
    path = str(folder / "report.json")
    shown = run(["fairtrial", "explain", "--format", "markdown", path], built.path)
    again = run(["fairtrial", "explain", "--format", "json", path], built.path)

    assert last == text.splitlines()[-1]
    assert (folder / "report.md").read_text() == shown.stdout
    assert (folder / "report.json").read_text() == again.stdout
