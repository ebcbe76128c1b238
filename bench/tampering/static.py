"""Patterns of other languages, as differences of their sources.

A page holds cases: `=== name change`, then `--- base PATH`, `--- head PATH` and
`--- head-delete PATH` sections.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.domain.demands import HEAVINESS, Change, Match
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.compare import Side, compare

FOLDER: Final = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One change of sources, and what it does to what they demand."""

    name: str
    change: Change
    base: Mapping[str, str]
    head: Mapping[str, str]

    @property
    def honest(self) -> bool:
        """Whether nothing is demanded less or otherwise."""
        return self.change in {Change.EQUAL, Change.STRONGER}


def pages() -> tuple[str, ...]:
    """The languages that have a page."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


def cases(page: str) -> Iterator[Case]:
    """All cases of a page, in its order."""
    text = "\n" + (FOLDER / f"{page}.txt").read_text(encoding="utf-8")
    for section in text.split("\n=== ")[1:]:
        title, _, body = section.partition("\n")
        name, _, change = title.rpartition(" ")
        base: dict[str, str] = {}
        head: dict[str, str] = {}
        gone = set()
        for piece in ("\n" + body).split("\n--- ")[1:]:
            action, _, content = piece.partition("\n")
            kind, _, path = action.partition(" ")
            if kind == "head-delete":
                gone.add(path)
            else:
                {"base": base, "head": head}[kind][path] = content.rstrip("\n") + "\n"
        kept = {path: text for path, text in base.items() if path not in gone}
        yield Case(
            name=name.strip(), change=Change(change), base=base, head={**kept, **head}
        )


def label(case: Case) -> Change:
    """What the comparison says that a case does to what its tests demand."""
    old = {RepoPath(path): text.encode() for path, text in case.base.items()}
    new = {RepoPath(path): text.encode() for path, text in case.head.items()}
    paths = frozenset(
        path for path in old.keys() | new.keys() if old.get(path) != new.get(path)
    )
    # The pages hold test code only, but for files under src/ or lib/.
    production = frozenset(path for path in paths if _is_production(path))
    comparison = compare(
        _side(old),
        _side(new),
        changed=paths - production,
        changed_production=production,
    )
    if comparison.unread:
        raise ValueError(f"{case.name}: {dict(comparison.unread)}")
    found = [
        Change.WEAKENED if each.match is Match.GONE else each.change
        for each in comparison.tests
        if each.match is not Match.NEW
    ]
    added = any(each.match is Match.NEW for each in comparison.tests)
    heaviest = max(found, key=HEAVINESS.__getitem__, default=Change.EQUAL)
    return Change.STRONGER if added and heaviest is Change.EQUAL else heaviest


def _side(files: Mapping[RepoPath, bytes]) -> Side:
    return Side(
        files={path: each for path, each in files.items() if not _is_production(path)},
        production={path: each for path, each in files.items() if _is_production(path)},
    )


def _is_production(path: str) -> bool:
    parts = path.split("/")
    return parts[0] in {"src", "lib", "app"} and "test" not in parts
