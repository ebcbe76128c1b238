"""Real cases through the gate: `python bench/corpus --corpus DIR [CASE]…`.

The verdict on each case's own test is held against what is known to be true of it. A
case whose test fails alone and passes in its suite has nothing for a gate to judge: it
goes through `fairtrial alone` and `fairtrial polluter`, and is not in the percentage.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from cases import Case, agrees, read
from sources import Change, NotThere, change_of
from tables import markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one case; `right` is None where it could not be tried."""

    case: Case
    right: bool | None
    seen: str
    seconds: float
    #: The gate let a real regression pass.
    let_through: bool = False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--mirror", type=Path, help="clone from OWNER+NAME folders")
    parser.add_argument("--json", type=Path, help="a line for each case, appended")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    rows = []
    for row in _rows(options):
        rows.append(row)
        print(_line(row), file=sys.stderr, flush=True)
        if options.json is not None:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"id": row.case.id, "line": _line(row)}) + "\n")
    print(table(rows))
    return 1 if any(row.let_through for row in rows) else 0


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    for case in read(options.corpus.resolve()):
        if options.cases and case.id not in options.cases:
            continue
        if shutil.which(f"python{case.python}") is None:
            why = f"left out: no Python {case.python} here"
            yield Row(case=case, right=None, seen=why, seconds=0)
            continue
        with tempfile.TemporaryDirectory(prefix="fairtrial-corpus-") as folder:
            yield _row(case, Path(folder), options.mirror)


def _row(case: Case, folder: Path, mirror: Path | None) -> Row:
    try:
        change = change_of(case, folder / "case", mirror)
    except NotThere as missing:
        return Row(case=case, right=None, seen=f"left out: {missing}", seconds=0)
    configuration = _configuration(case, folder)
    begun = time.monotonic()
    if case.alone:
        right, seen = _alone(case, change, configuration)
        return Row(case=case, right=right, seen=seen, seconds=time.monotonic() - begun)
    report_dir = folder / "report"
    code, _ = _fairtrial(
        "gate",
        *("--repo", str(change.path), "--base", change.base, "--head", change.head),
        *("--bench", "here", "--config", str(configuration)),
        *("--report-dir", str(report_dir)),
    )
    seconds = time.monotonic() - begun
    path = report_dir / "report.json"
    report = json.loads(path.read_text()) if path.exists() else {"verdicts": []}
    found = [each for each in report["verdicts"] if each["test"] == case.test]
    told = _told(report, code)
    if not found:
        seen = f"exit {code}, no verdict on the test{told}"
        right = False
    else:
        (verdict,) = found
        right = agrees(case.truth, verdict)
        seen = f"{verdict['category']}, {verdict['side']}, {verdict['decision']}"
        if not right:
            seen += f": {verdict['because']}{told}"
    regression = case.truth.get("decision") == "block"
    through = regression and code in {0, 10}
    return Row(case=case, right=right, seen=seen, seconds=seconds, let_through=through)


def _told(report: dict[str, Any], code: int) -> str:
    heavy = [
        f"{each['rule']}: {each['because'][:200]}"
        for each in report.get("findings", ())
        if each["decision"] != "pass"
    ]
    return f" (exit {code}; {'; '.join(heavy)})" if heavy else ""


def _alone(case: Case, change: Change, configuration: Path) -> tuple[bool, str]:
    """A brittle test: alone it fails, and behind the state-setter found it passes."""
    where = ("--repo", str(change.path), "--base", change.base, "--head", change.head)
    common = (*where, "--bench", "here", "--config", str(configuration))
    alone, _ = _fairtrial("alone", *common, case.test)
    found, printed = _fairtrial("polluter", *common, case.test)
    named = [setter for setter in case.setters if setter in printed]
    seen = f"alone exits {alone}, polluter {found}, known setters named: {len(named)}"
    return (alone, found) == (10, 0) and bool(named), seen


def _fairtrial(command: str, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", command, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=1800,
    )
    return done.returncode, done.stdout + done.stderr


def _configuration(case: Case, folder: Path) -> Path:
    suite: dict[str, Any] = {
        "runner": "pytest",
        "python": case.python,
        "command": case.command,
        "prepare": [
            "pip install --no-deps 'setuptools<70' wheel packaging",
            f"pip install --no-deps -r {case.requirements}",
        ],
    }
    if case.install:
        suite["build"] = [case.install]
    if case.env:
        suite["env"] = dict(case.env)
    if case.order is not None:
        shutil.copy(case.order, folder / "order.txt")
        suite["order"] = {"file": "order.txt", "only": True}
    path = folder / "configuration.yml"
    path.write_text(yaml.safe_dump({"suites": {"unit": suite}}))
    return path


def _line(row: Row) -> str:
    word = {True: "right", False: "WRONG", None: "-"}[row.right]
    return f"{row.case.id}  {word}  {row.seconds:.0f} s  {row.seen}"


def table(rows: Sequence[Row]) -> str:
    """One row a kind, then each case that is wrong or was left out."""
    kinds = list(dict.fromkeys((row.case.kind, row.case.alone) for row in rows))
    lines = []
    for kind, alone in kinds:
        mine = [r for r in rows if (r.case.kind, r.case.alone) == (kind, alone)]
        tried = [row for row in mine if row.right is not None]
        lines.append(
            (
                f"{kind} (`alone` and `polluter`)" if alone else kind,
                str(len(mine)),
                str(len(tried)),
                str(sum(bool(row.right) for row in tried)),
                str(sum(row.let_through for row in tried)),
                f"{sum(row.seconds for row in tried):.0f}",
            )
        )
    heads = ("kind", "cases", "tried", "right", "regressions let through", "seconds")
    judged = [r for r in rows if r.right is not None and not r.case.alone]
    right = sum(bool(row.right) for row in judged)
    share = f"{right} of {len(judged)}" + (
        f" ({100 * right / len(judged):.1f} %)" if judged else ""
    )
    odd = [f"- `{row.case.id}`: {row.seen}" for row in rows if not row.right]
    return "\n".join([markdown("Corpus", heads, lines), f"Right: {share}.", "", *odd])


if __name__ == "__main__":
    raise SystemExit(main())
