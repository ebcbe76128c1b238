"""Five small pull requests, their five verdicts, and reports to open."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from specimens import build  # noqa: E402 - the folder above has to be found first

OUT: Final = ROOT / "demo" / "out"

#: Each with what it shows.
PULLS: Final = {
    "regression": "production drops a discount",
    "old_contamination": "the suite was red before, and not by this change",
    "new_contamination": "a new test leaves something behind",
    "production_leak": "production leaks; every test passes alone",
    "leaked_rows": "an import leaves rows in PostgreSQL that another test trips over",
}


def main() -> int:
    """0 when each pull request got the verdict that it is named for."""
    shutil.rmtree(OUT, ignore_errors=True)
    wrong = 0
    rows = []
    for number, (name, what) in enumerate(PULLS.items(), start=1):
        print(f"\n[{number}/{len(PULLS)}] {name}: {what}", flush=True)
        built = build(name, OUT / "repositories")
        reports = OUT / "reports" / name
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "fairtrial",
                "gate",
                f"--repo={built.path}",
                f"--base={built.base}",
                f"--head={built.head}",
                f"--report-dir={reports}",
                "--bench=here",
            ],
            check=False,
        )
        report = json.loads((reports / "report.json").read_text())
        expected = built.specimen.expected["exit"]
        wrong += done.returncode != expected
        rows.append(f"{done.returncode:>4}  {name:<18} {_verdict(report)}")
    print("\nexit  pull request       verdict")
    print("\n".join(rows))
    print(f"\nReports to open: {OUT.relative_to(ROOT)}/reports/*/report.md")
    return 1 if wrong else 0


def _verdict(report: Mapping[str, Any]) -> str:
    verdict = report["verdicts"][0]
    brought = "brought by this change" if verdict["introduced"] else "here before"
    who = ", ".join(verdict["polluters"])
    where = ", ".join(f"{one['path']}:{one['lines']}" for one in verdict["culprit"])
    told = (
        verdict["category"],
        brought,
        f"has to change: {verdict['side']}" if verdict["introduced"] else "",
        f"polluter {who}" if who else "",
        f"culprit {where}" if where else "",
        *(one["say"] for one in verdict["leftovers"] if one["proven"]),
    )
    return "; ".join(text for text in told if text)


if __name__ == "__main__":
    raise SystemExit(main())
