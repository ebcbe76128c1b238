"""Ways to tamper with tests, and honest work beside them, as changes of one project.

A page holds patterns: `=== name kind`, then what the change does. `--- base PATH` says
how a file looks at base (beside the project's own), `--- head PATH` and `--- production
PATH` how at head, `--- edit PATH` … `--- to` … replaces a piece of it, `--- delete
PATH` removes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from specimens import commit, git

FOLDER: Final = Path(__file__).parent
PROJECT: Final = "project"
HONEST: Final = "honest"
PRODUCTION: Final = "src/cart.py"


class Setting(StrEnum):
    """What stands beside the edit of the tests."""

    #: Base is red, and only tests change.
    RED = "red base"
    #: Base is red, and production changes in a way that does not matter.
    DECOY = "red base, decoy"
    #: Base is green, and the same change breaks production.
    HIDDEN = "green base, regression"
    #: Base is green, and production stays sound.
    GREEN = "green base"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One edit, with what it amounts to."""

    name: str
    page: str
    #: What the edit is: weakened, gone, control, equal, …; see `docs/tampering.md`.
    kind: str
    base: Mapping[str, str]
    head: Mapping[str, str]
    production: Mapping[str, str]
    #: Path, old piece, new piece.
    edits: tuple[tuple[str, str, str], ...]
    deleted: tuple[str, ...]

    @property
    def honest(self) -> bool:
        """Whether it is honest work."""
        return self.page == HONEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A pattern in a setting, as two commits."""

    path: Path
    base: str
    head: str


def patterns() -> tuple[Pattern, ...]:
    """All of them, page by page."""
    pages = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem != PROJECT)
    return tuple(each for page in pages for each in _patterns(page))


def _patterns(page: str) -> Iterator[Pattern]:
    text = "\n" + (FOLDER / f"{page}.txt").read_text()
    for section in text.split("\n=== ")[1:]:
        title, _, body = section.partition("\n")
        name, kind = title.split()
        files: dict[str, dict[str, str]] = {"base": {}, "head": {}, "production": {}}
        edits: list[tuple[str, str, str]] = []
        deleted: list[str] = []
        for piece in ("\n" + body).split("\n--- ")[1:]:
            head, _, content = piece.partition("\n")
            action, _, path = head.partition(" ")
            match action:
                case "edit":
                    edits.append((path, _piece(content), ""))
                case "to":
                    path, old, _ = edits.pop()
                    edits.append((path, old, _piece(content)))
                case "delete":
                    deleted.append(path)
                case "base" | "head" | "production":
                    files[action][path] = content.strip("\n") + "\n"
                case _:
                    raise ValueError(f"{page}: {name}: {action}?")
        yield Pattern(
            name=name,
            page=page,
            kind=kind,
            base=files["base"],
            head=files["head"],
            production=files["production"],
            edits=tuple(edits),
            deleted=tuple(deleted),
        )


def _piece(content: str) -> str:
    """A piece of a file; blank lines at its end belong to it only before more text."""
    return content.rstrip("\n")


def project() -> Mapping[str, Mapping[str, str]]:
    """The project's files: `base`, and the other productions by their names."""
    found: dict[str, dict[str, str]] = {}
    text = "\n" + (FOLDER / f"{PROJECT}.txt").read_text()
    for section in text.split("\n== ")[1:]:
        title, _, body = section.partition("\n")
        kind, path = title.split(maxsplit=1)
        found.setdefault(kind, {})[path] = body.rstrip("\n") + "\n"
    return found


def build(pattern: Pattern, setting: Setting, folder: Path) -> Change:
    """A pattern in a setting as a git repository, with head checked out."""
    sources = project()
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    red = setting in {Setting.RED, Setting.DECOY}
    before = {**sources["base"], **(sources["regression"] if red else {})}
    before |= pattern.base
    base = commit(folder, before, "Base")
    git(folder, "checkout", "--quiet", "-b", "change")
    for path in pattern.deleted:
        (folder / path).unlink()
    head = commit(folder, _after(pattern, setting, before), "Change")
    return Change(path=folder, base=base, head=head)


def _after(
    pattern: Pattern, setting: Setting, before: Mapping[str, str]
) -> Mapping[str, str]:
    sources = project()
    after: dict[str, str] = {}
    match setting:
        case Setting.DECOY:
            after |= sources["decoy"]
        case Setting.HIDDEN:
            after |= sources["regression"]
        case Setting.RED | Setting.GREEN:
            pass
    for path, old, new in pattern.edits:
        text = after.get(path, before[path])
        if text.count(old) != 1:
            raise ValueError(f"{pattern.name}: {path} has {old!r} not once")
        after[path] = text.replace(old, new)
    return {**after, **pattern.head, **pattern.production}
