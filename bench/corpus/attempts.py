"""One case through `fairtrial`: what the gate, or `alone` and `polluter`, say of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from cases import Case, agrees
from rows import Left, Row
from sources import NotThere, change_of


def attempt(case: Case, folder: Path, mirror: Path | None, *, search: bool) -> Row:
    """What came of a case, with all its files in `folder`.

    `search`: a victim is not judged, only its polluters are looked for.
    """
    if not _is_there(case.python):
        return Row(id=case.id, right=None, seen=f"no Python {case.python} here")
    try:
        change = change_of(case, folder / "case", mirror)
    except NotThere as missing:
        return Row(id=case.id, right=None, seen=str(missing))
    configuration = _configuration(case, folder)
    where = (
        *("--repo", str(change.path), "--base", change.base, "--head", change.head),
        *("--bench", "here", "--config", str(configuration)),
    )
    if case.alone:
        return _alone(case, where)
    if search and case.polluters:
        return _search(case, where)
    return _gate(case, where, folder / "report")


def _gate(case: Case, where: tuple[str, ...], report_dir: Path) -> Row:
    begun = time.monotonic()
    code, _, _ = _fairtrial("gate", *where, "--report-dir", str(report_dir))
    seconds = time.monotonic() - begun
    path = report_dir / "report.json"
    report = json.loads(path.read_text()) if path.exists() else {}
    found = [each for each in report.get("verdicts", ()) if each["test"] == case.test]
    told = _told(report, code)
    trials = report.get("cost", {}).get("trials", 0)
    through = case.truth.get("decision") == "block" and code in {0, 10}
    if not found:
        seen = f"exit {code}, no verdict on the test{told}"
        return Row(
            id=case.id,
            right=False,
            seen=seen,
            seconds=seconds,
            trials=trials,
            let_through=through,
        )
    (verdict,) = found
    right = agrees(case.truth, verdict)
    seen = f"{verdict['category']}, {verdict['side']}, {verdict['decision']}"
    if not right:
        seen += f": {verdict['because']}{told}"
    return Row(
        id=case.id,
        right=right,
        seen=seen,
        seconds=seconds,
        let_through=through,
        named=tuple(verdict.get("polluters") or verdict.get("setters") or ()),
        left=tuple(_left(each) for each in verdict.get("leftovers") or ()),
        trials=trials,
    )


def _left(fields: Mapping[str, Any]) -> Left:
    return Left(
        resource=fields["resource"],
        name=fields["name"],
        proven=bool(fields.get("proven")),
        say=fields.get("say", ""),
    )


def _told(report: Mapping[str, Any], code: int) -> str:
    heavy = [
        f"{each['rule']}: {each['because'][:200]}"
        for each in report.get("findings", ())
        if each["decision"] != "pass"
    ]
    return f" (exit {code}; {'; '.join(heavy)})" if heavy else ""


def _alone(case: Case, where: tuple[str, ...]) -> Row:
    """A brittle test: alone it fails, and behind the state-setter found it passes."""
    begun = time.monotonic()
    alone, _, _ = _fairtrial("alone", *where, case.test)
    row = _polluter(case, where, "setter")
    return replace(
        row,
        right=bool(row.right) and alone == 10,
        seen=f"alone exits {alone}, {row.seen}",
        seconds=time.monotonic() - begun,
    )


def _search(case: Case, where: tuple[str, ...]) -> Row:
    """A victim whose polluters are looked for in its order, without a verdict."""
    order = () if case.order is None else ("--order", str(case.order))
    return _polluter(case, (*where, *order), "polluter")


def _polluter(case: Case, where: tuple[str, ...], role: str) -> Row:
    begun = time.monotonic()
    code, printed, said = _fairtrial("polluter", "--json", *where, case.test)
    found = json.loads(printed) if code in {0, 11} and printed.strip() else {}
    first = tuple((found.get("sets") or [()])[0])
    seen = f"polluter exits {code}: {found.get('role') or 'nothing found'}"
    if found.get("why"):
        seen += f" ({found['why']})"
    if not found:
        seen += f": {said.strip()[-300:]}"
    return Row(
        id=case.id,
        right=code == 0 and found.get("role") == role and bool(first),
        seen=seen,
        seconds=time.monotonic() - begun,
        named=first,
        trials=found.get("trials", 0),
        judged=False,
    )


def _fairtrial(command: str, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", command, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=1800,
    )
    return done.returncode, done.stdout, done.stderr


def _is_there(python: str) -> bool:
    """Whether it runs: what chooses among several may know the name and have none."""
    program = shutil.which(f"python{python}")
    if program is None:
        return False
    done = subprocess.run([program, "--version"], check=False, capture_output=True)
    return done.returncode == 0


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
