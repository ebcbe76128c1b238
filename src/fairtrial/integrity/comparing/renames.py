"""Which names of production the change gave another name, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import Demand
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.definitions import Definition, definitions
from fairtrial.integrity.comparing.sites import Site, normal
from fairtrial.integrity.comparing.words import renamed as with_names

#: Changed files of production that are looked at; a change of more is no renaming.
_MOST_FILES: Final = 200
#: Definitions that came or went, of which the nearly equal are looked for.
_MOST_NEAR: Final = 60
_LONGEST_BODY: Final = 1_500
_SHORTEST_BODY: Final = 12
#: How alike two bodies are that are one with another name.
_NEAR: Final = 0.85
#: Production files in which an old or new name must not be defined.
_MOST_SOURCES: Final = 5_000
_DEFINES: Final = (
    rb"\b(?:def|class|func|fun|fn|function|interface|struct|trait|enum|object|module)"
    rb"\s+(?:\([^)\n]{0,80}\)\s*|self\.)?(?:"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renames:
    """Old names of production's functions, classes and modules to their new ones."""

    names: Mapping[str, str] = field(default_factory=dict)
    #: Old to new dotted names of modules, and of what moved from one to another, as
    #: Python's tests have them.
    modules: Mapping[str, str] = field(default_factory=dict)
    #: Old file and name of what moved as it was, to the new file.
    moved: Mapping[tuple[RepoPath, str], RepoPath] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything was renamed."""
        return bool(self.names or self.modules or self.moved)

    def demand(self, demand: Demand) -> Demand:
        """A demand of base as it reads under the new names."""
        return replace(
            demand,
            subject=self._told(demand.subject),
            inputs=self._told(demand.inputs),
            expected=self._told(demand.expected),
            guard=self._told(demand.guard),
        )

    def site(self, site: Site) -> Site:
        """The same for a demand with its place."""
        told = self.demand(site.demand)
        if told.key == site.demand.key:
            return site
        return replace(site, demand=told, key=normal(told))

    def _told(self, text: str) -> str:
        for old, new in self.modules.items():
            if old in text:
                text = re.sub(rf"(?<![\w.]){re.escape(old)}(?=\.|\b)", new, text)
        return with_names(text, self.names)


NO_RENAMES: Final = Renames()


def renamed(
    base: Mapping[RepoPath, bytes],
    head: Mapping[RepoPath, bytes],
    changed: Iterable[RepoPath],
) -> Renames:
    """Names that production had at base only, and head has for the same thing.

    `base` and `head` are production's sources, `changed` the paths that differ. The
    old name must be gone from head and the new one be absent from base; a name that
    two things of production bear is left out.
    """
    paths = sorted(changed)
    if not paths or len(paths) > _MOST_FILES:
        return NO_RENAMES
    old = [each for path in paths for each in definitions(path, base.get(path))]
    new = [each for path in paths for each in definitions(path, head.get(path))]
    had, has = {each.name for each in old}, {each.name for each in new}
    found = dict(
        _pairs(
            [each for each in old if each.name not in has],
            [each for each in new if each.name not in had],
        )
    )
    moved = dict(_moved(old, new))
    modules = {
        f"{_dotted(before)[0]}.{name}": f"{_dotted(after)[0]}.{name}"
        for (before, name), after in moved.items()
        if before.endswith(".py")
    }
    modules |= dict(_modules(base, head, paths))
    if not found and not moved and not modules:
        return NO_RENAMES
    stale = _defined(head, found.keys())
    known = _defined(base, found.values())
    return Renames(
        names={
            before: after
            for before, after in found.items()
            if before not in stale and after not in known
        },
        modules=modules,
        moved=moved,
    )


def _moved(
    old: list[Definition], new: list[Definition]
) -> Iterator[tuple[tuple[RepoPath, str], RepoPath]]:
    """What left one file and stands in another as it was, where only one bore its name.

    A re-export that stays behind is no definition: what is tried then tells.
    """
    had, has = _by_name(old), _by_name(new)
    for name, (before, *others) in had.items():
        after = has.get(name, [])
        if others or len(after) != 1 or after[0].path == before.path:
            continue
        if after[0].digest == before.digest:
            yield (before.path, name), after[0].path


def _by_name(found: Iterable[Definition]) -> dict[str, list[Definition]]:
    named: dict[str, list[Definition]] = {}
    for each in found:
        named.setdefault(each.name, []).append(each)
    return named


def _pairs(gone: list[Definition], come: list[Definition]) -> Iterator[tuple[str, str]]:
    """Names of equal, then of nearly equal bodies, each name once."""
    taken: dict[str, str] = {}
    spoilt: set[str] = set()

    def take(old: str, new: str) -> None:
        if taken.get(old, new) != new or any(
            before != old for before, after in taken.items() if after == new
        ):
            spoilt.add(old)
        taken.setdefault(old, new)

    for old in gone:
        twins = {new.name for new in come if new.digest == old.digest}
        if len(twins) == 1:
            take(old.name, twins.pop())
    told = _with(gone, taken)
    for old in islice(told, _MOST_NEAR):
        if old.name in taken or len(old.body) < _SHORTEST_BODY:
            continue
        best = max(
            (
                (_likeness(old, new), new.name)
                for new in islice(come, _MOST_NEAR)
                if new.kind == old.kind and new.name not in taken.values()
            ),
            default=(0.0, ""),
        )
        if best[0] >= _NEAR:
            take(old.name, best[1])
    yield from ((old, new) for old, new in taken.items() if old not in spoilt)


def _with(found: list[Definition], names: Mapping[str, str]) -> list[Definition]:
    """Definitions that use what is known to be renamed already."""
    return [
        replace(each, body=tuple(names.get(word, word) for word in each.body))
        for each in found
    ]


def _likeness(old: Definition, new: Definition) -> float:
    if max(len(old.body), len(new.body)) > _LONGEST_BODY:
        return 0.0
    matcher = SequenceMatcher(None, old.body, new.body, autojunk=False)
    if matcher.real_quick_ratio() < _NEAR or matcher.quick_ratio() < _NEAR:
        return 0.0
    return matcher.ratio()


def _modules(
    base: Mapping[RepoPath, bytes],
    head: Mapping[RepoPath, bytes],
    paths: list[RepoPath],
) -> Iterator[tuple[str, str]]:
    """Python modules that moved, by their dotted names."""
    gone = [path for path in paths if path in base and path not in head]
    come = [path for path in paths if path in head and path not in base]
    for old in gone:
        if not old.endswith(".py"):
            continue
        twins = [
            new
            for new in come
            if new.endswith(".py") and _same_lines(base[old], head[new])
        ]
        if len(twins) == 1:
            for before, after in zip(_dotted(old), _dotted(twins[0]), strict=False):
                if before != after and before:
                    yield before, after


def _same_lines(old: bytes, new: bytes) -> bool:
    was = [line for line in old.split(b"\n") if line.strip()]
    now = [line for line in new.split(b"\n") if line.strip()]
    if was == now:
        return bool(was)
    if max(len(was), len(now)) > _LONGEST_BODY:
        return False
    matcher = SequenceMatcher(None, was, now, autojunk=False)
    return matcher.quick_ratio() >= _NEAR and matcher.ratio() >= _NEAR


def _dotted(path: RepoPath) -> list[str]:
    """How tests name a module: without the folder that is on the import path."""
    pure = PurePosixPath(path)
    parts = [*pure.parent.parts, *([] if pure.stem == "__init__" else [pure.stem])]
    shorter = parts[1:] if parts[:1] in (["src"], ["lib"], ["python"]) else parts
    return [".".join(shorter)]


def _defined(sources: Mapping[RepoPath, bytes], names: Iterable[str]) -> set[str]:
    """Which of some names production defines somewhere."""
    told = sorted(names)
    if not told:
        return set()
    words = b"|".join(re.escape(name.encode()) for name in told)
    pattern = re.compile(_DEFINES + words + rb")\b")
    quick = re.compile(words)
    found: set[str] = set()
    for path in islice(sources, _MOST_SOURCES):
        source = sources[path]
        if quick.search(source):
            found |= {
                each[0].split()[-1].rpartition(b".")[2].decode()
                for each in pattern.finditer(source)
            }
    return found
