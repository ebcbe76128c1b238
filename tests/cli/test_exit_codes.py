"""Each exit code, by a run that ends with it, and the report that it leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from specimens import build, commit, git

from fairtrial import gate as gate_module
from fairtrial.cli import main
from fairtrial.domain.errors import ExitCode

README = Path(__file__).parents[2] / "README.md"


def repository(folder: Path, files: dict[str, str]) -> Path:
    path = folder / "repository"
    path.mkdir()
    git(path, "init", "--quiet", "--initial-branch=main")
    commit(path, files, "Base")
    return path


def run(
    repo: Path, folder: Path, *more: str, env: dict[str, str] | None = None
) -> tuple[int, dict[str, Any], str]:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "gate",
            f"--repo={repo}",
            f"--report-dir={folder / 'report'}",
            *more,
        ],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **(env or {})},
        timeout=200,
    )
    report = json.loads((folder / "report" / "report.json").read_text())
    return done.returncode, report, done.stdout + done.stderr


def test_every_exit_code_is_unique_and_documented() -> None:
    table = re.findall(r"^\| (\d+) \|", README.read_text(), flags=re.MULTILINE)

    assert sorted(int(code) for code in table) == sorted(set(ExitCode))


def test_equal_trees_pass_with_a_sentence(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"test_one.py": "def test_one():\n    assert True\n"})

    code, report, printed = run(repo, tmp_path, "--base=main", "--head=main")

    assert (ExitCode.PASS, 0) == (code, report["exit_code"]), printed
    assert any("nothing to judge" in notice for notice in report["notices"])


def test_a_wrong_configuration_names_file_line_and_what_was_meant(
    tmp_path: Path,
) -> None:
    text = "version: 1\nsuites:\n  unit:\n    runner: pytest\n    comand: pytest\n"
    repo = repository(tmp_path, {".fairtrial.yml": text})
    commit(repo, {"x.py": ""}, "Change")

    code, report, printed = run(repo, tmp_path, "--base=HEAD^", "--head=HEAD")

    assert (ExitCode.CONFIGURATION, "inconclusive") == (code, report["decision"])
    assert ".fairtrial.yml:5" in printed
    assert "command" in printed
    assert report["stopped"]


def test_an_option_that_there_is_not_is_a_usage_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", "gate", "--bnech=here"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == ExitCode.CONFIGURATION
    assert "--bench" in done.stderr


def test_no_engine_is_no_bench(tmp_path: Path) -> None:
    built = build("clean", tmp_path)

    code, report, printed = run(
        built.path,
        tmp_path,
        "--base=main",
        "--bench=image",
        env={"DOCKER_HOST": f"unix://{tmp_path}/nobody.sock"},
    )

    assert (ExitCode.NO_BENCH, ExitCode.NO_BENCH) == (code, report["exit_code"])
    assert "--bench here" in printed


def test_a_project_without_a_test_at_either_side_is_nothing_to_judge(
    tmp_path: Path,
) -> None:
    repo = repository(tmp_path, {"conftest.py": "", "x.py": ""})
    commit(repo, {"x.py": "X = 1\n"}, "Change")

    code, report, printed = run(repo, tmp_path, "--base=HEAD^", "--head=HEAD")

    assert code == ExitCode.NOTHING_TO_JUDGE, printed
    assert report["decision"] == "inconclusive"


def test_a_bug_is_told_and_never_passes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(gate_module, "run", broken)

    code = main(["gate", f"--report-dir={tmp_path}", f"--repo={tmp_path}"])

    report = json.loads((tmp_path / "report.json").read_text())
    assert (ExitCode.BUG, "inconclusive") == (code, report["decision"])
    assert "ZeroDivisionError: ours" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_so_and_leaves_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    waits = "import time\n\ndef test_waits():\n    time.sleep(100)\n"
    repo = repository(tmp_path, {"test_waits.py": waits, "x.py": ""})
    commit(repo, {"x.py": "X = 1\n"}, "Change")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "fairtrial",
            "gate",
            f"--repo={repo}",
            f"--report-dir={tmp_path / 'report'}",
            "--base=HEAD^",
            "--bench=here",
        ],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "inventory" in line:
            break
    time.sleep(1)
    process.send_signal(number)

    assert process.wait(timeout=30) == ExitCode.INTERRUPTED
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert report["exit_code"] == ExitCode.INTERRUPTED
    assert list(scratch.iterdir()) == []
    process.stderr.close()
