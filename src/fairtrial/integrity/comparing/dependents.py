"""Which tests in unchanged files use something of test code that changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import FileDemands, Match, Place, Support
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.graph import Graph, is_everywhere
from fairtrial.integrity.comparing.matching import Matched
from fairtrial.integrity.comparing.names import acts_alone, last_name, names_in
from fairtrial.integrity.comparing.sites import Located

#: Rounds in which what uses a changed support counts as changed, too.
_MOST_ROUNDS: Final = 10
#: Names that are looked for at once; a change of more is looked for file by file.
_MOST_NAMES: Final = 2_000


@dataclass(slots=True, kw_only=True)
class _Touched:
    """What changed in test code, as others would mention it."""

    #: Files that have something changed, and those that hand it on.
    carriers: set[RepoPath] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    #: Files whose automatic hooks and fixtures changed.
    automatic: set[RepoPath] = field(default_factory=set)


def dependents(
    base: Graph, head: Graph, changed: Iterable[RepoPath]
) -> Iterator[Matched]:
    """Tests of files that are the same on both sides, and may not be the same tests.

    A file is read only when it mentions a changed name, and lies where it can see it.
    """
    edited = frozenset(changed)
    touched = _Touched()
    for path in sorted(edited):
        _touch(touched, path, base.reading.demands(path), head.reading.demands(path))
    if not touched.names and not touched.automatic:
        return
    others = [
        path
        for path in sorted(head.modules.paths & base.modules.paths)
        if path not in edited and head.reading.is_code(path)
    ]
    for path in sorted(_reached(touched, others, head)):
        file = head.reading.demands(path)
        for test in () if file is None else file.tests:
            located = Located(place=Place(path=path, names=test.names), test=test)
            yield Matched(match=Match.SAME, base=located, head=located)


def _reached(
    touched: _Touched, others: Sequence[RepoPath], head: Graph
) -> set[RepoPath]:
    """Files that may use what changed, directly or through other unchanged files."""
    found: set[RepoPath] = set()
    for _ in range(_MOST_ROUNDS):
        before = len(touched.names)
        mention = _mentions(touched.names)
        seen, applied = _Reach(touched.carriers), _Reach(touched.automatic)
        for path in others:
            if applied.is_above(path):
                found.add(path)
            if not seen.may_reach(path):
                continue
            data = head.reading.files[path]
            if mention.search(data) and seen.reaches(path, data):
                found.add(path)
                _hand_on(touched, path, head.reading.demands(path))
        if len(touched.names) == before:
            break
    return found


def _touch(
    touched: _Touched,
    path: RepoPath,
    old: FileDemands | None,
    new: FileDemands | None,
) -> None:
    """Adds what differs between two versions of one file."""
    olds = {} if old is None else old.support
    news = {} if new is None else new.support
    names = {
        name for name in {*olds, *news} if not _same(olds.get(name), news.get(name))
    }
    if not any(file is not None and file.tests for file in (old, new)):
        # What a file of helpers imports, it may hand on.
        was = {} if old is None else old.imports
        now = {} if new is None else new.imports
        names |= {name for name in {*was, *now} if was.get(name) != now.get(name)}
    names |= _importing(old, new)
    for file in (old, new):
        if file is not None:
            names |= _users(file, names)
    if not names:
        return
    touched.carriers.add(path)
    touched.names |= names
    both = [side[name] for side in (olds, news) for name in names if name in side]
    if any(acts_alone(support) for support in both):
        touched.automatic.add(path)
        touched.names.add("*")


def _importing(old: FileDemands | None, new: FileDemands | None) -> set[str]:
    """Supports that use an imported name which means something else now."""
    if old is None or new is None:
        return set()
    other = {
        name
        for name in {*old.imports, *new.imports}
        if old.imports.get(name) != new.imports.get(name)
    }
    return {
        name
        for file in (old, new)
        for name, support in file.support.items()
        if not other.isdisjoint(support.uses | names_in(support.text))
    }


def _same(old: Support | None, new: Support | None) -> bool:
    if old is None or new is None:
        return False
    return (old.digest, old.automatic, [each.key for each in old.demands]) == (
        new.digest,
        new.automatic,
        [each.key for each in new.demands],
    )


def _users(file: FileDemands, names: set[str]) -> set[str]:
    """Supports of a file that use changed names, directly or not."""
    found = set(names)
    for _ in range(len(file.support)):
        more = {
            name
            for name, support in file.support.items()
            if name not in found
            and not found.isdisjoint(support.uses | names_in(support.text))
        }
        if not more:
            break
        found |= more
    return found


def _hand_on(touched: _Touched, path: RepoPath, file: FileDemands | None) -> None:
    """Adds the supports of an unchanged file that use what changed."""
    if file is None or not file.support:
        return
    more = _users(file, touched.names) - touched.names
    handed = {name for name in file.imports if name in touched.names}
    if more or handed:
        touched.carriers.add(path)
        touched.names |= more
    if any(file.support[name].automatic for name in more if name in file.support):
        touched.automatic.add(path)


def _mentions(names: Iterable[str]) -> re.Pattern[bytes]:
    told = sorted({last_name(name) for name in names} - {"*", ""})
    if not told or len(told) > _MOST_NAMES or "*" in names:
        return re.compile(b"")
    joined = b"|".join(re.escape(name.encode()) for name in told)
    return re.compile(rb"(?<!\w)(?:" + joined + rb")(?!\w)")


class _Reach:
    """Where the names of some files can be seen."""

    def __init__(self, carriers: Iterable[RepoPath]) -> None:
        pures = [PurePosixPath(carrier) for carrier in sorted(carriers)]
        self._everywhere = any(is_everywhere(RepoPath(str(it))) for it in pures)
        conftests = [it for it in pures if it.name == "conftest.py"]
        modules = [it for it in pures if it.name != "conftest.py"]
        self._above = {str(it.parent) for it in conftests}
        self._beside = {(str(it.parent), it.suffix) for it in modules} - {
            (str(it.parent), ".py") for it in modules
        }
        stems = {
            (it.parent.name if it.stem in {"__init__", "index"} else it.stem)
            for it in modules
        }
        told = sorted(stem.partition(".")[0].encode() for stem in stems)
        self._stems = re.compile(b"|".join(map(re.escape, told))) if told else None

    def is_above(self, path: RepoPath) -> bool:
        """Whether what they have applies to a file without being imported."""
        if self._everywhere:
            return True
        return bool(self._above) and any(
            str(folder) in self._above for folder in PurePosixPath(path).parents
        )

    def may_reach(self, path: RepoPath) -> bool:
        """Whether a file has to be read to tell."""
        return self._stems is not None or self.is_above(path)

    def reaches(self, path: RepoPath, data: bytes) -> bool:
        """Whether one of the files lends its names to a file, or is imported there."""
        if self.is_above(path):
            return True
        pure = PurePosixPath(path)
        if (str(pure.parent), pure.suffix) in self._beside:
            return True
        if self._stems is None or self._stems.search(data) is None:
            return False
        return pure.suffix != ".py" or any(
            self._stems.search(line)
            for line in data.split(b"\n")
            if b"import" in line or b"pytest_plugins" in line
        )
