"""What base's production offers that head's production does not offer any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.integrity import CannotRead
from fairtrial.integrity.restoration.contracts import (
    Contracts,
    Offers,
    Side,
    defined_names,
    offers,
)
from fairtrial.pipeline.brief import Brief
from fairtrial.trees.listing import Entry, Listing, bytes_of


def contracts(brief: Brief) -> Contracts:
    """What the change removed, worked out when it is asked for."""
    if "contracts" not in brief.memo:
        brief.memo["contracts"] = _contracts(brief)
    found: Contracts = brief.memo["contracts"]
    return found


def removed_names(brief: Brief) -> frozenset[str]:
    """Functions, classes, methods, attributes, constants and modules that are gone.

    Empty where a source of head can't be read: what it defines is not known then.
    """
    if "removed names" not in brief.memo:
        brief.memo["removed names"] = _removed(brief)
    found: frozenset[str] = brief.memo["removed names"]
    return found


def lost_import(brief: Brief) -> Callable[[str], bool]:
    """Whether an import, as "module" or "module:name", asks for what is gone."""
    removed, found = removed_names(brief), contracts(brief)

    def is_lost(source: str) -> bool:
        flat = not removed.isdisjoint(re.split("[.:]", source))
        return flat or not found.has_import(source)

    return is_lost


def _contracts(brief: Brief) -> Contracts:
    sides = brief.subject.sides
    changed = _changed(brief)
    return Contracts(
        base=_side(brief, sides.base),
        head=_side(brief, sides.head),
        everything=frozenset(sides.head),
        changed=[path for path in changed if path in sides.head],
        nowhere=removed_names(brief),
    )


def _side(brief: Brief, listing: Listing) -> Side:
    paths = _production(brief, listing)
    sources = _Sources(brief=brief, listing=listing, paths=paths)
    return Side(
        paths=frozenset(paths),
        read=sources.offers,
        mentioning=sources.mentioning,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """The sources of one side; each is parsed once, when it is asked for."""

    brief: Brief
    listing: Listing
    paths: Sequence[RepoPath]
    _offers: dict[RepoPath, Offers] = field(default_factory=dict)
    _classes: dict[str, list[RepoPath]] = field(default_factory=dict)

    def offers(self, path: RepoPath) -> Offers:
        """What a file offers; raises CannotRead."""
        if path not in self._offers:
            self._offers[path] = offers(_text(self.brief, self.listing[path]))
        return self._offers[path]

    def mentioning(self, name: str) -> Iterable[RepoPath]:
        """The files that have the beginning of a class of that name."""
        if name not in self._classes:
            self._classes[name] = list(self._found(name))
        return self._classes[name]

    def _found(self, name: str) -> Iterator[RepoPath]:
        begun = re.compile(rf"\bclass\b[\s\\]+{re.escape(name)}\b".encode())
        for path in self.paths:
            data = bytes_of(self.listing[path], self.brief.subject.sides.read)
            if begun.search(data):
                yield path


def _changed(brief: Brief) -> list[RepoPath]:
    return [path for path in brief.paths(PathClass.PRODUCTION) if path.endswith(".py")]


def _removed(brief: Brief) -> frozenset[str]:
    sides = brief.subject.sides
    changed = _changed(brief)
    before: set[str] = set()
    for path in changed:
        if path in sides.base:
            before |= _modules([path])
            try:
                before |= _defined(brief, sides.base[path])
            except CannotRead:
                continue
    gone = before - _modules(_production(brief, sides.head))
    try:
        for path in changed:
            if path in sides.head and gone:
                gone -= _defined(brief, sides.head[path])
        unchanged = frozenset(sides.head) - frozenset(changed)
        for path in _production(brief, sides.head):
            if path in unchanged and gone:
                gone -= _defined(brief, sides.head[path], among=gone)
    except CannotRead:
        return frozenset()
    return frozenset(gone)


def _production(brief: Brief, listing: Listing) -> list[RepoPath]:
    classify = brief.subject.rules.classify
    return [
        path
        for path, entry in listing.items()
        if path.endswith(".py")
        and entry.is_file
        and classify(path).path_class is PathClass.PRODUCTION
    ]


def _modules(paths: Iterable[RepoPath]) -> set[str]:
    """The names under which files are imported: their own and their folders'."""
    found: set[str] = set()
    for path in paths:
        pure = PurePosixPath(path)
        found |= {*pure.parts[:-1], pure.stem}
    return found


def _defined(
    brief: Brief, entry: Entry, among: Iterable[str] | None = None
) -> frozenset[str]:
    """What a file defines; a file that mentions none of `among` is not parsed."""
    if among is not None:
        words = "|".join(map(re.escape, among))
        data = bytes_of(entry, brief.subject.sides.read)
        if re.search(rf"\b(?:{words})\b".encode(), data) is None:
            return frozenset()
    return defined_names(_text(brief, entry))


def _text(brief: Brief, entry: Entry) -> str:
    """The source of a file; raises CannotRead."""
    try:
        return bytes_of(entry, brief.subject.sides.read).decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise CannotRead("it is not written in UTF-8") from wrong
