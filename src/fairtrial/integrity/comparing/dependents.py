"""Which tests in unchanged files use something of test code that changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import FileDemands, Match, Place, Support
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.graph import Graph, is_everywhere, names_in
from fairtrial.integrity.comparing.matching import Matched
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
    found: set[RepoPath] = set()
    others = [
        path
        for path in sorted(head.modules.paths & base.modules.paths)
        if path not in edited and head.reading.is_code(path)
    ]
    for _ in range(_MOST_ROUNDS):
        before = len(touched.names)
        mention = _mentions(touched.names)
        for path in others:
            if _applies(touched.automatic, path):
                found.add(path)
            if _sees(touched.carriers, path, head) and mention.search(
                head.reading.files[path]
            ):
                found.add(path)
                _hand_on(touched, path, head.reading.demands(path))
        if len(touched.names) == before:
            break
    for path in sorted(found):
        file = head.reading.demands(path)
        for test in () if file is None else file.tests:
            located = Located(place=Place(path=path, names=test.names), test=test)
            yield Matched(match=Match.SAME, base=located, head=located)


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
    was = {} if old is None else old.imports
    now = {} if new is None else new.imports
    names |= {name for name in {*was, *now} if was.get(name) != now.get(name)}
    for file in (old, new):
        if file is not None:
            names |= _users(file, names)
    if not names:
        return
    touched.carriers.add(path)
    touched.names |= names
    both = [side[name] for side in (olds, news) for name in names if name in side]
    if any(support.automatic for support in both):
        touched.automatic.add(path)


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
    told = sorted({name.rpartition(".")[2] for name in names if name} - {"*", ""})
    if not told or len(told) > _MOST_NAMES or "*" in names:
        return re.compile(b"")
    joined = b"|".join(re.escape(name.encode()) for name in told)
    return re.compile(rb"(?<!\w)(?:" + joined + rb")(?!\w)")


def _applies(carriers: Iterable[RepoPath], path: RepoPath) -> bool:
    return any(
        is_everywhere(carrier) or _is_over(carrier, path) for carrier in carriers
    )


def _is_over(carrier: RepoPath, path: RepoPath) -> bool:
    pure = PurePosixPath(carrier)
    return pure.name == "conftest.py" and pure.parent in PurePosixPath(path).parents


def _sees(carriers: Iterable[RepoPath], path: RepoPath, graph: Graph) -> bool:
    """Whether one of the carriers lends its names to a file, or is mentioned there."""
    data: bytes | None = None
    for carrier in carriers:
        pure = PurePosixPath(carrier)
        if carrier == path or is_everywhere(carrier) or _is_over(carrier, path):
            return True
        if pure.name == "conftest.py":
            continue
        if pure.suffix != ".py" and pure.parent == PurePosixPath(path).parent:
            return True
        data = graph.reading.files[path] if data is None else data
        stem = pure.parent.name if pure.stem in {"__init__", "index"} else pure.stem
        if stem.partition(".")[0].encode() in data:
            return True
    return False
