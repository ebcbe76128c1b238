"""In which file of a tree a case of a JUnit report is written, as far as it tells.

Tools name a file in an attribute, or use it as the class name, or name a class after
it. What leads to no file, or to several alike, has none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from fairtrial.domain.names import RepoPath
from fairtrial.runners.junit import Case

#: What stands in an id for a file that nothing tells.
UNKNOWN = RepoPath("(no file)")


class TestFiles:
    """Looks files up by what reports call them."""

    def __init__(self, paths: Iterable[RepoPath], workspace: str) -> None:
        self.paths = frozenset(paths)
        self.workspace = f"{workspace}/"
        self.by_stem: dict[str, list[RepoPath]] = defaultdict(list)
        for path in sorted(self.paths):
            self.by_stem[_stem(path)].append(path)

    def of(self, case: Case) -> RepoPath:
        """The file of a case; UNKNOWN where nothing tells it."""
        for said in (case.file, case.classname, case.suite):
            path = self._named(said)
            if path is not None:
                return path
        return self._by_class(case.classname) or UNKNOWN

    def _named(self, said: str) -> RepoPath | None:
        if not said or len(said) > 4096:  # noqa: PLR2004 - no path is longer
            return None
        path = said.replace("\\", "/").removeprefix(self.workspace).removeprefix("./")
        if path in self.paths:
            return RepoPath(path)
        if "/" not in path and "." not in path:
            return None
        # A tool that runs in a folder names its files from there.
        ends = [each for each in self.paths if each.endswith(f"/{path}")]
        return ends[0] if len(ends) == 1 else None

    def _by_class(self, classname: str) -> RepoPath | None:
        """The one file that the longest beginning of a class's name leads to."""
        parts = [each for each in re.split(r"[.\\/]|::", classname) if each][:50]
        # Of an inner class, the outer one names the file.
        parts = [part.partition("$")[0] for part in parts]
        for count in range(len(parts), 0, -1):
            tail = "/".join(parts[:count])
            found = [
                path
                for path in self.by_stem.get(parts[count - 1], ())
                if f"/{path}".rpartition(".")[0].endswith(f"/{tail}")
            ]
            if len(found) == 1:
                return found[0]
        return None


def _stem(path: RepoPath) -> str:
    return path.rpartition("/")[2].partition(".")[0]
