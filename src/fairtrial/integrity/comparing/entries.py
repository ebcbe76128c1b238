"""Which entries a file of snapshots holds, by the names of their tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath

#: Longest text of snapshots that is taken apart.
_LONGEST: Final = 5_000_000
_JEST: Final = re.compile(r"^exports\[`((?:[^`\\]|\\.)*)`\] = ", re.MULTILINE)
_SYRUPY: Final = re.compile(r"^# name: (.+)$", re.MULTILINE)
_NUMBER: Final = re.compile(r"(?:\[[^\]]*\])?(?:[. ]\d+)?$")
#: `[name]`, `[name.1]`: rows and further snapshots of one test.
_ENDS: Final = re.compile(r"[\[. ].*$", re.DOTALL)


def owner(path: RepoPath) -> str | None:
    """The test file that a file of snapshots belongs to; None: it belongs to none.

    Jest, Vitest: `__snapshots__/<file>.snap`; syrupy: `__snapshots__/<stem>.ambr`.
    """
    pure = PurePosixPath(path)
    if pure.parent.name != "__snapshots__":
        return None
    folder = pure.parent.parent
    if pure.suffix == ".snap":
        return str(folder / pure.stem)
    if pure.suffix == ".ambr":
        return str(folder / f"{pure.stem}.py")
    return None


def entries(path: RepoPath, data: bytes | None) -> Mapping[str, str]:
    """Each entry's name with its text; empty for what is no file of entries."""
    if data is None:
        return {}
    text = data[:_LONGEST].decode("utf-8", "replace")
    pattern = _JEST if path.endswith(".snap") else _SYRUPY
    starts = list(pattern.finditer(text))
    ends = [each.start() for each in starts[1:]] + [len(text)]
    return {
        start[1]: text[start.end() : end].strip()
        for start, end in zip(starts, ends, strict=True)
    }


def belongs(entry: str, names: tuple[str, ...]) -> bool:
    """Whether an entry is a test's, by the test's names inside its file."""
    for joined in (".".join(names), " ".join(names), " > ".join(names)):
        if entry == joined:
            return True
        if entry.startswith(joined) and _ENDS.fullmatch(entry[len(joined) :]):
            return True
    return False
