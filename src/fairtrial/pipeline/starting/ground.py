"""What a repository's working tree holds, as far as a first configuration asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from fairtrial.clients.git import Git
from fairtrial.domain.names import RepoPath
from fairtrial.settings.nodes import MAX_LENGTH
from fairtrial.trees.listing import SUBMODULE, Listing

#: Where GitHub looks for workflows.
WORKFLOWS: Final = ".github/workflows/"
OURS: Final = f"{WORKFLOWS}fairtrial.yml"
#: No workflow or compose file nests brackets deeper.
_DEEPEST: Final = 50
_BRACKET: Final = re.compile(r"[\[\]{}]")
#: Folders of other people's code, which says nothing of this project's suites.
_FOREIGN: Final = frozenset({"node_modules", "vendor", "third_party", ".venv", "venv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Paths and texts; a link and what is no text are there, and read as nothing."""

    listing: Listing
    git: Git
    _texts: dict[RepoPath, str] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[RepoPath, ...]:
        """Every path of the project's own."""
        return tuple(
            path
            for path in sorted(self.listing)
            if _FOREIGN.isdisjoint(path.split("/")[:-1])
        )

    def read(self, path: RepoPath) -> str:
        """The first 64 Ki characters of a regular file; "" where there is none."""
        if path not in self._texts:
            entry = self.listing.get(path)
            held = entry is not None and entry.is_file
            data = self.git.read(entry.blob) if entry is not None and held else b""
            self._texts[path] = data[:MAX_LENGTH].decode("utf-8", "replace")
        return self._texts[path]

    def is_submodule(self, path: RepoPath) -> bool:
        """Whether another repository stands there."""
        return self.listing[path].mode == SUBMODULE

    def nearest(self, folder: str, names: tuple[str, ...]) -> RepoPath | None:
        """The first of these files in a folder, else in those above it."""
        here = folder
        while True:
            for name in names:
                path = RepoPath(f"{here}/{name}" if here else name)
                entry = self.listing.get(path)
                if entry is not None and entry.is_file:
                    return path
            if not here:
                return None
            here = here.rpartition("/")[0]

    def named(self, *names: str) -> Iterator[RepoPath]:
        """Every file of one of these names, in any folder."""
        return (path for path in self.paths if path.rpartition("/")[2] in names)

    def workflows(self) -> Mapping[RepoPath, Any]:
        """The repository's own workflows but ours, those that can be read, as YAML."""
        found = {}
        for path in self.paths:
            if path == OURS:
                # What was written once is no reason to write it again.
                continue
            if path.startswith(WORKFLOWS) and path.endswith((".yml", ".yaml")):
                read = yaml_of(self.read(path))
                if isinstance(read, dict):
                    found[path] = read
        return found


def ground_of(git: Git) -> Ground:
    """The working tree: tracked files and those that git does not ignore."""
    return Ground(listing=git.listing(git.snapshot().tree), git=git)


def yaml_of(text: str) -> Any:
    """What a YAML text of the repository says; None where it can't be read."""
    if _depth(text) > _DEEPEST:
        return None
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return None


def _depth(text: str) -> int:
    """How deep brackets are nested; reading them takes time that grows with it."""
    depth = deepest = 0
    for one in _BRACKET.findall(text):
        depth += 1 if one in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
