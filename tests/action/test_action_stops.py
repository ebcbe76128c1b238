"""A step that can't judge still leaves a report for the comment job."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from specimens import commit, git


def step(workspace: Path, folder: Path) -> tuple[int, str]:
    event = folder / "event.json"
    event.write_text("{}")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "fairtrial.action"],
        check=False,
        capture_output=True,
        text=True,
        cwd=workspace,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "GITHUB_WORKSPACE": str(workspace),
        },
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("filled", [False, True])
def test_a_workspace_without_a_checkout_names_the_cause(
    filled: bool, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    if filled:
        (workspace / "file").touch()

    code, printed = step(workspace, tmp_path)

    report = json.loads((workspace / "fairtrial-report/report.json").read_text())
    assert (2, 2, "inconclusive") == (code, report["exit_code"], report["decision"])
    assert ("no git repository" if filled else "is empty") in report["stopped"]
    assert "actions/checkout" in printed
    assert "decision<<" in (tmp_path / "output").read_text()


def test_a_token_left_by_checkout_is_refused_with_the_remedy(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    git(workspace, "init", "--quiet")
    commit(workspace, {"test_a.py": ""}, "Base")
    key = "http.https://github.com/.extraheader"
    git(workspace, "config", key, "AUTHORIZATION: basic c2VjcmV0")

    code, printed = step(workspace, tmp_path)

    report = json.loads((workspace / "fairtrial-report/report.json").read_text())
    assert 2 == code
    assert "persist-credentials: false" in report["stopped"]
    assert "c2VjcmV0" not in printed
