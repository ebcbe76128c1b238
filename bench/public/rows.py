"""What came of an entry, held against what has to come of it, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.public.entries import Entry
from bench.tables import markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry's run; `right` is None where it could not be tried."""

    runner: str
    repository: str
    commit: str
    expected: str
    seen: str
    right: bool | None
    trials: int = 0
    seconds: float = 0.0


def judged(
    entry: Entry, decision: str, report: Mapping[str, Any], seconds: float
) -> Row:
    """Right: blocked, each named test among what blocks, and exactly its culprit."""
    blocked = {
        each["test"]: each
        for each in report.get("verdicts", ())
        if each["decision"] == "block"
    }
    wanted = [blocked[test] for test in entry.tests if test in blocked]
    culprits = {
        one["path"] for each in wanted for one in each.get("culprit") or () if one
    }
    missing = [test for test in entry.tests if test not in blocked]
    more = sorted(blocked.keys() - set(entry.tests))
    told = [decision]
    told += [f"{len(wanted)} of {len(entry.tests)} tests" if missing else "its tests"]
    told += [f"not blocked: {_listed(missing)}"] if missing else []
    told += [f"also {_listed(more)}"] if more else []
    told += [f"culprit {_listed(sorted(culprits)) or 'none'}"]
    if report.get("stopped"):
        told.append(str(report["stopped"])[:200])
    return Row(
        runner=entry.runner,
        repository=entry.repository,
        commit=entry.commit[:12],
        expected=expected(entry),
        seen="; ".join(told),
        right=decision == "block" and not missing and culprits == set(entry.culprit),
        trials=int(report.get("cost", {}).get("trials", 0)),
        seconds=round(seconds, 1),
    )


def untried(entry: Entry, why: str) -> Row:
    return Row(
        runner=entry.runner,
        repository=entry.repository,
        commit=entry.commit[:12],
        expected=expected(entry),
        seen=f"not tried: {why}",
        right=None,
    )


def expected(entry: Entry) -> str:
    return f"block; {_listed(entry.tests)}; culprit {_listed(entry.culprit)}"


def keep(file: Path, row: Row) -> None:
    """Append a row to a file of JSON lines."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(row)) + "\n")


def kept(file: Path) -> tuple[Row, ...]:
    """The last row of each runner and repository."""
    lines = file.read_text("utf-8").splitlines()
    found = (Row(**json.loads(each)) for each in lines if each.strip())
    return tuple(
        {(row.runner, row.repository, row.commit): row for row in found}.values()
    )


def table(rows: Iterable[Row]) -> str:
    heads = ("runner", "project", "commit", "expected", "seen", "trials", "seconds")
    words = {True: "", False: "WRONG: ", None: ""}
    lines = [
        (
            row.runner,
            row.repository,
            row.commit,
            _cell(row.expected),
            words[row.right] + _cell(row.seen),
            str(row.trials),
            f"{row.seconds:.0f}",
        )
        for row in rows
    ]
    return markdown("Regressions of public projects, put back", heads, lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _listed(names: Sequence[str], most: int = 3) -> str:
    shown = ", ".join(f"`{each}`" for each in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
