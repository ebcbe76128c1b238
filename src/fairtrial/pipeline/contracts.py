"""Which names base's production defines that head's production defines nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.integrity import CannotRead
from fairtrial.integrity.contracts import defined_names
from fairtrial.pipeline.brief import Brief
from fairtrial.trees.listing import Entry, Listing, bytes_of


def removed_names(brief: Brief) -> frozenset[str]:
    """Functions, classes, methods, attributes, constants and modules that are gone.

    Empty where a source of head can't be read: what it defines is not known then.
    """
    if "removed names" not in brief.memo:
        brief.memo["removed names"] = _removed(brief)
    found: frozenset[str] = brief.memo["removed names"]
    return found


def _removed(brief: Brief) -> frozenset[str]:
    sides = brief.subject.sides
    changed = [
        path for path in brief.paths(PathClass.PRODUCTION) if path.endswith(".py")
    ]
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
    data = bytes_of(entry, brief.subject.sides.read)
    if among is not None:
        words = "|".join(map(re.escape, among))
        if re.search(rf"\b(?:{words})\b".encode(), data) is None:
            return frozenset()
    try:
        return defined_names(data.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise CannotRead("it is not written in UTF-8") from wrong
