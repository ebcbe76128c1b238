"""A merge of main into the branch: what main broke is not held against the branch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from specimens import build, commit, git


@pytest.mark.slow
def test_what_came_with_a_merge_of_main_was_here_before(tmp_path: Path) -> None:
    built = build("clean", tmp_path)
    git(built.path, "checkout", "--quiet", "main")
    broken = {"other.py": "ONE = 2\n", "test_other.py": OTHER}
    commit(built.path, broken, "Main breaks by itself")
    git(built.path, "checkout", "--quiet", "change")
    git(built.path, "merge", "--quiet", "--no-edit", "main")

    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", "gate", "--bench=here"],
        check=False,
        capture_output=True,
        text=True,
        cwd=built.path,
        timeout=280,
    )

    path = built.path / "fairtrial-report" / "report.json"
    report = json.loads(path.read_text())
    (verdict,) = report["verdicts"]
    assert 0 == done.returncode, done.stdout + done.stderr
    assert git(built.path, "rev-parse", "main") == report["subject"]["base"]
    assert ("pre-existing", False) == (verdict["category"], verdict["introduced"])
    assert ["calc.py"] == report["subject"]["changed"]["production"]


OTHER = """\
from other import ONE


def test_one():
    assert ONE == 1
"""
