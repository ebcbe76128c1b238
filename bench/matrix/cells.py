"""One specimen through the gate of one runner, and what is kept of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from bench.gating import DECISIONS

#: In the order of the table. Every runner has those whose tool knows such a thing.
NAMES = (
    "regression",
    "old_contamination",
    "new_contamination",
    "production_leak",
    "old_brittle",
    "non_deterministic",
    "hidden_regression",
    "hostile_names",
    "crash",
    "hang",
    "build_failure",
    "test_build_failure",
    "nothing_matched",
    "retries_configured",
)
#: Its specimens lie beside the folders of the other runners'.
_OWN_PLACE = "pytest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What came of one specimen; `of` is the digest of the file that was tried."""

    runner: str
    specimen: str
    expected: str
    seen: str
    ok: bool
    seconds: float
    of: str = ""


def file_of(folder: Path, runner: str, specimen: str) -> Path:
    """Where a runner's specimen is written, whether or not it is there."""
    if runner == _OWN_PLACE:
        return folder / f"{specimen}.txt"
    return folder / runner / f"{specimen}.txt"


def specimens_of(folder: Path, runner: str) -> tuple[str, ...]:
    """A runner's specimens: those of the table in its order, then others by name.

    Of pytest's, which have no folder of their own, those of the table alone.
    """
    named = tuple(each for each in NAMES if file_of(folder, runner, each).is_file())
    if runner == _OWN_PLACE:
        return named
    found = {path.stem for path in (folder / runner).glob("*.txt")}
    return (*named, *sorted(found - set(NAMES)))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def expected(path: Path) -> str:
    """What a specimen's head demands, in short."""
    head = yaml.safe_load(("\n" + path.read_text("utf-8")).partition("\n== ")[0])
    verdicts = head.get("verdicts") or {}
    if "chance" in head:
        return "pass or inconclusive"
    named = [each.get("category", "") for each in verdicts.values()]
    return told(int(head["exit"]), [*named, *(head.get("findings") or {})])


def seen(code: int, report: Mapping[str, Any]) -> str:
    """The same of what the gate said."""
    named = [each["category"] for each in report.get("verdicts", ())]
    rules = [
        each["rule"]
        for each in report.get("findings", ())
        if each["decision"] != "pass"
    ]
    return told(code, [*named, *rules])


def told(code: int, named: list[str]) -> str:
    word = DECISIONS.get(code, f"exit {code}")
    categories = ", ".join(sorted({each for each in named if each}))
    return f"{word}: {categories}" if categories else word


def keep(file: Path, cell: Cell) -> None:
    """Append a cell to a file of JSON lines."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(cell)) + "\n")


def kept(file: Path) -> dict[tuple[str, str], Cell]:
    """The last cell of each runner and specimen; none where there is no file."""
    if not file.exists():
        return {}
    lines = file.read_text("utf-8").splitlines()
    found = (Cell(**json.loads(each)) for each in lines if each.strip())
    return {(cell.runner, cell.specimen): cell for cell in found}
