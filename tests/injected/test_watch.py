from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairtrial import injected

SCRIPT = Path(injected.__path__[0], "fairtrial_watch.py")


def watch(folder: Path, line: str, idle: float = 1.0) -> int:
    plan = folder / "plan.json"
    plan.write_text(
        json.dumps(
            {
                "argv": ["sh", "-c", line],
                "idle": idle,
                "files": [str(folder / "report-*.jsonl")],
                "told": str(folder / "watch.json"),
                "signal": 3,
            }
        )
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(plan)], check=False, cwd=folder
    )
    return done.returncode


@pytest.mark.parametrize(("line", "code"), [("exit 0", 0), ("exit 7", 7)])
def test_the_commands_own_exit_code_is_handed_on(
    tmp_path: Path, line: str, code: int
) -> None:
    assert code == watch(tmp_path, line)
    assert not (tmp_path / "watch.json").exists()


def test_a_command_that_a_signal_ends_is_told_as_a_shell_does(tmp_path: Path) -> None:
    assert 128 + 9 == watch(tmp_path, "kill -9 $$")


def test_a_test_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    line = "trap 'echo stacks > stacks' QUIT; sleep 300 & wait; wait"
    begun = time.monotonic()

    code = watch(tmp_path, line)

    assert 0 != code or (tmp_path / "watch.json").exists()
    assert "test_timeout" == json.loads((tmp_path / "watch.json").read_text())["cause"]
    assert "stacks\n" == (tmp_path / "stacks").read_text()
    assert 60 > time.monotonic() - begun


def test_as_long_as_reports_grow_nothing_is_ended(tmp_path: Path) -> None:
    line = "for i in 1 2 3 4 5 6; do echo $i >> report-a.jsonl; sleep 0.4; done"

    assert 0 == watch(tmp_path, line)
