"""One change through `fairtrial gate` on the bench here, as its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Seconds that a gate may take before it is ended, and its row says so.
PATIENCE = 3600.0

#: Words for the exit codes that are a decision.
DECISIONS = {0: "pass", 10: "repair", 11: "inconclusive", 12: "block"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """What a gate said; `report` is empty where it wrote none."""

    code: int
    report: Mapping[str, Any]
    printed: str
    seconds: float

    @property
    def decision(self) -> str:
        return DECISIONS.get(self.code, f"exit {self.code}")

    @property
    def trials(self) -> int:
        return int(self.report.get("cost", {}).get("trials", 0))


def gated(
    repo: Path,
    base: str,
    head: str,
    report_dir: Path,
    *more: str,
    patience: float = PATIENCE,
) -> Gated:
    begun = time.monotonic()
    code, printed = fairtrial(
        "gate",
        *("--repo", str(repo), "--base", base, "--head", head, "--bench", "here"),
        *("--report-dir", str(report_dir), *more),
        patience=patience,
    )
    path = report_dir / "report.json"
    return Gated(
        code=code,
        report=json.loads(path.read_text("utf-8")) if path.exists() else {},
        printed=printed,
        seconds=time.monotonic() - begun,
    )


def fairtrial(
    command: str, *arguments: str, patience: float = PATIENCE
) -> tuple[int, str]:
    """Exit code and everything printed; one that takes too long is interrupted."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fairtrial", command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "NO_COLOR": "1"},
    )
    try:
        printed, _ = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        # It ends its trials and takes its mounts away by itself.
        process.terminate()
        printed, _ = process.communicate(timeout=120)
        printed += f"\nended after {patience:.0f} s"
    return process.returncode, printed
