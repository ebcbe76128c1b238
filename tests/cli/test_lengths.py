"""A length of time is a number with an end; a configuration has one, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from specimens import build


def gate(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairtrial", "gate", *options],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("option", ["--test-timeout", "--budget"])
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_length_without_an_end_is_refused(option: str, value: str) -> None:
    done = gate(option, value)

    assert 2 == done.returncode
    assert option in done.stderr


def test_a_configuration_without_an_end_is_refused(tmp_path: Path) -> None:
    built = build("regression", tmp_path)
    arguments = [
        f"--repo={built.path}",
        f"--base={built.base}",
        "--config=/dev/zero",
        f"--report-dir={tmp_path / 'report'}",
    ]

    done = gate(*arguments)

    assert 2 == done.returncode
    assert "/dev/zero" in done.stderr
