"""What came of a case, and how it is kept from one call to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """One thing that a polluter left, as the report has it."""

    resource: str
    name: str
    proven: bool
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one case; `right` is None where it could not be tried."""

    id: str
    right: bool | None
    seen: str
    seconds: float = 0.0
    #: The gate let a real regression pass.
    let_through: bool = False
    #: Polluters or setters, and what was left behind.
    named: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()
    trials: int = 0
    #: A gate has given a verdict; else only other tests were looked for.
    judged: bool = True


def line(row: Row) -> str:
    """A row for a person who waits."""
    word = {True: "right", False: "WRONG", None: "-"}[row.right]
    return f"{row.id}  {word}  {row.seconds:.0f} s  {row.seen}"


def kept(file: Path | None) -> dict[str, Row]:
    """The last row of each case in a file of JSON lines; none where there is none."""
    if file is None or not file.exists():
        return {}
    found = (_row(json.loads(each)) for each in file.read_text("utf-8").splitlines())
    return {row.id: row for row in found}


def keep(file: Path, rows: Iterable[Row]) -> None:
    """Append rows to such a file."""
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(asdict(row)) + "\n" for row in rows)


def _row(fields: dict[str, Any]) -> Row:
    left = tuple(Left(**each) for each in fields.pop("left"))
    return Row(**fields | {"named": tuple(fields["named"]), "left": left})
