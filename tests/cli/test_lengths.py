"""A length of time is a number with an end; a configuration has one, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from specimens import build

from fairtrial.cli import main


@pytest.mark.parametrize("option", ["--test-timeout", "--budget"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1", "x"])
def test_a_length_without_an_end_is_refused(option: str, value: str) -> None:
    done = CliRunner().invoke(main, ["gate", option, value])

    assert 2 == done.exit_code
    assert option in done.output


def test_a_configuration_without_an_end_is_refused(tmp_path: Path) -> None:
    built = build("regression", tmp_path)
    arguments = [
        "gate",
        f"--repo={built.path}",
        f"--base={built.base}",
        "--config=/dev/zero",
        f"--report-dir={tmp_path / 'report'}",
    ]

    done = CliRunner().invoke(main, arguments)

    assert 2 == done.exit_code
    assert "/dev/zero" in done.output
