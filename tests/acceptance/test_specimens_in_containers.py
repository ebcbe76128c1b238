"""Specimens judged on the bench of containers: the same verdicts as here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from specimens import build

from .test_specimens import compare, gate

pytestmark = [pytest.mark.engine, pytest.mark.slow]

IMAGE = os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"

CONFIGURATION = f"""\
version: 1
suites:
  unit:
    runner: pytest
    image: {IMAGE}
    prepare: [python3 -m pip install pytest]
    command: python3 -m pytest
"""


@pytest.mark.parametrize(
    "name",
    [
        "clean",
        "crash",
        "left_in_files",
        "left_running",
        "new_contamination",
        "old_contamination",
        "production_leak",
        "regression",
    ],
)
def test_a_container_gives_the_same_verdict(name: str, tmp_path: Path) -> None:
    config = tmp_path / "fairtrial.yml"
    config.write_text(CONFIGURATION)
    built = build(name, tmp_path)

    exit_code, report, printed = gate(
        built, tmp_path / "report", f"--config={config}", bench="image"
    )

    compare(name, report, exit_code, printed)
    assert "container" == report["conditions"]["files"]
    assert "none" == report["conditions"]["network"]
