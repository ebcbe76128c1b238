"""The gate on a pattern in a setting: what it decides, and what it tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from specimens.tampering import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One run of the gate."""

    exit_code: int
    #: Categories of verdicts and findings that are not about control alone.
    told: tuple[str, ...]
    #: What the first sentence of the finding or verdict that decided says.
    because: str

    @property
    def letter(self) -> str:
        """Blocked, inconclusive, repair, passed with a notice, passed in silence."""
        known = {12: "B", 11: "i", 10: "r", 0: "n" if self.told else "."}
        return known.get(self.exit_code, f"({self.exit_code})")


def gate(change: Change, authority: str, folder: Path) -> Seen:
    """What `fairtrial gate` says of a change made under an authority."""
    reports = folder / f"report-{authority}"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "fairtrial", "gate", "--bench=here"),
            *(f"--repo={change.path}", f"--base={change.base}"),
            *(f"--head={change.head}", f"--authority={authority}"),
            f"--report-dir={reports}",
        ],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=600,
    )
    path = reports / "report.json"
    if not path.exists():
        return Seen(exit_code=done.returncode, told=(), because=done.stderr[-300:])
    report = json.loads(path.read_text())
    answers = [*report["verdicts"], *report["findings"]]
    weights = ("pass", "repair", "inconclusive", "block")
    answers.sort(key=lambda each: -weights.index(each["decision"]))
    told = [each.get("category") or each["rule"] for each in answers]
    return Seen(
        exit_code=done.returncode,
        told=tuple(dict.fromkeys(told)),
        because=answers[0]["because"] if answers else "",
    )
