"""Where no overlay may be mounted: one copy of each frozen tree, restored in place."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.benches.here.files import copy_entry, copy_tree, remove_tree

#: Inode, size, change time and mode. Nobody but root can set a change time, so a
#: file that was touched in any way is seen.
_Mark = tuple[int, int, int, int]


@dataclass(slots=True, kw_only=True)
class Live:
    """One working copy of a frozen tree, and what it looked like when it was whole."""

    frozen: Path
    place: Path
    _marks: dict[str, _Mark] = field(default_factory=dict)
    _made: bool = False

    def restore(self) -> None:
        """Make the copy equal to the frozen tree again; what was not touched stays."""
        if not self._made:
            remove_tree(self.place)
            copy_tree(self.frozen, self.place)
            self._made = True
        else:
            self._mend()
        self._marks = _marks(self.place)

    def move(self, place: Path) -> None:
        """Put the copy somewhere else on the same file system."""
        if place != self.place:
            self.place.rename(place)
            self.place = place

    def _mend(self) -> None:
        now = _marks(self.place)
        damaged = {
            path
            for path in now.keys() | self._marks.keys()
            if not _equal(now.get(path), self._marks.get(path))
        }
        # Deepest first, so that a folder is empty when its turn comes.
        for path in sorted(damaged, reverse=True):
            was, found = self._marks.get(path), now.get(path)
            both_folders = (
                was is not None
                and found is not None
                and stat.S_ISDIR(was[3])
                and stat.S_ISDIR(found[3])
            )
            if not both_folders:
                remove_tree(self.place / path)
        for path in sorted(damaged):
            if path not in self._marks:
                continue
            source, target = self.frozen / path, self.place / path
            if not os.path.lexists(target):
                copy_entry(source, target)
            elif target.is_dir():
                status = source.stat()
                target.chmod(stat.S_IMODE(status.st_mode) | stat.S_IRWXU)
        # What stood below something that was replaced whole is missing now.
        for path in sorted(self._marks):
            if not os.path.lexists(self.place / path):
                copy_entry(self.frozen / path, self.place / path)


def _equal(one: _Mark | None, other: _Mark | None) -> bool:
    if one is None or other is None:
        return False
    if stat.S_ISDIR(one[3]) and stat.S_ISDIR(other[3]):
        # A folder changes with each entry that comes and goes; only its mode counts.
        return one[3] == other[3]
    return one == other


def _marks(top: Path) -> dict[str, _Mark]:
    found: dict[str, _Mark] = {}
    todo = [""]
    while todo:
        folder = todo.pop()
        path = top / folder if folder else top
        try:
            entries = list(os.scandir(path))
        except PermissionError:
            path.chmod(0o700)
            entries = list(os.scandir(path))
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            status = entry.stat(follow_symlinks=False)
            found[name] = (
                status.st_ino,
                status.st_size,
                status.st_ctime_ns,
                status.st_mode,
            )
            if entry.is_dir(follow_symlinks=False):
                todo.append(name)
    return found
