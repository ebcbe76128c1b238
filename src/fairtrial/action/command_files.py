"""Which files the runner reads after this step, and who has written to them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Variables that name a file command; the runner makes each file empty.
COMMAND_FILES: Final = (
    "GITHUB_OUTPUT",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_ENV",
    "GITHUB_PATH",
    "GITHUB_STATE",
    "GITHUB_ARTIFACTS",
)


@dataclass(frozen=True, slots=True)
class CommandFiles:
    """The runner's files for this step, as they were when it began."""

    paths: Mapping[str, Path]
    sizes: Mapping[str, int]

    @classmethod
    def at_start(cls, environ: Mapping[str, str]) -> CommandFiles:
        """The files that the environment names, with their sizes now."""
        paths = {
            name: Path(environ[name]) for name in COMMAND_FILES if environ.get(name)
        }
        return cls(paths, {name: _size(path) for name, path in paths.items()})

    def take_back(self) -> tuple[str, ...]:
        """The names of files that somebody else wrote to, cut back to what they were.

        Fairtrial writes to them only after this, when all trials are dead.
        """
        grown = tuple(
            name for name, path in self.paths.items() if _size(path) != self.sizes[name]
        )
        for name in grown:
            path = self.paths[name]
            if path.is_symlink():
                path.unlink()
            with path.open("ab") as file:
                file.truncate(self.sizes[name])
        return grown

    def append(self, name: str, text: str) -> None:
        """Adds text to the file of that name; without such a file, nothing."""
        if path := self.paths.get(name):
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(text)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0


def give_to_owner_of(workspace: Path, written: Path) -> None:
    """Lets whoever owns the workspace clean it up: root's files there are in the way.

    A self-hosted runner is not root, and can't delete what a container left as root.
    """
    if os.geteuid() != 0 or not written.is_relative_to(workspace):
        return
    owner = workspace.stat()
    for path in _with_parents(workspace, written):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _with_parents(workspace: Path, written: Path) -> Iterator[Path]:
    if not written.exists():
        return
    above = (one for one in written.parents if one.is_relative_to(workspace))
    yield from (one for one in above if one != workspace)
    yield written
    for folder, names, files in os.walk(written):
        yield from (Path(folder) / name for name in (*names, *files))
