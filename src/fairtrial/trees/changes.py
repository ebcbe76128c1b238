"""What a change did, path by path: from two listings, with each path's class.

A rename is a deletion and an addition, and both sides count. A file that mixes
classes appears once for each class in which its part differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import (
    ChangedPath,
    ChangeKind,
    Classified,
    PathClass,
)
from fairtrial.domain.trials import FileContent
from fairtrial.policy.paths import Patterns, classify
from fairtrial.trees.compose import Classes, held_by
from fairtrial.trees.hunks import FileChange, split, whole
from fairtrial.trees.listing import SUBMODULE, Entry, Listing, Read, bytes_of
from fairtrial.trees.splitters import Splitter, splitter_of
from fairtrial.trees.splitters.tables import CannotSplit

#: Classes whose hunks can be the culprit; dependencies are installed, not patched.
CULPRIT_CLASSES = frozenset(
    {PathClass.PRODUCTION, PathClass.MIGRATION, PathClass.NEUTRAL}
)

_BINDING = frozenset({PathClass.CONTROL, PathClass.MIGRATION})


def differing(base: Listing, head: Listing) -> tuple[RepoPath, ...]:
    """The paths in which two listings differ, sorted."""
    return tuple(
        sorted(
            path
            for path in base.keys() | head.keys()
            if base.get(path) != head.get(path)
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides a path's class besides the path."""

    #: The base's `paths:`.
    overrides: Patterns = field(default_factory=dict)
    #: What the overrides are called in reasons.
    source: str = "configuration"
    #: Modules and data under test paths that production uses, with a user each.
    imported: Mapping[RepoPath, RepoPath] = field(default_factory=dict)
    #: Modules that are tests by their name and hold none.
    testless: frozenset[RepoPath] = frozenset()

    def classify(self, path: RepoPath) -> Classified:
        """The class of a path as a whole."""
        found = classify(path, self.overrides, self.source)
        if found.path_class is PathClass.TEST and path in self.testless:
            return Classified(
                path=path,
                path_class=PathClass.PRODUCTION,
                reason="a test by its name, but it holds none",
            )
        importer = self.imported.get(path)
        if found.path_class is PathClass.TEST and importer is not None:
            return Classified(
                path=path,
                path_class=PathClass.PRODUCTION,
                reason=f"production uses it, by way of {importer}",
            )
        return found


def read_changes(
    base: Listing, head: Listing, rules: Rules, read: Read
) -> tuple[ChangedPath, ...]:
    """Every changed path with its class and the reason, sorted by path."""
    return tuple(
        ChangedPath(
            path=path,
            kind=_kind(base.get(path), head.get(path)),
            path_class=found.path_class,
            reason=found.reason,
        )
        for path in differing(base, head)
        for found in _classified(path, base.get(path), head.get(path), rules, read)
    )


def _kind(base: Entry | None, head: Entry | None) -> ChangeKind:
    if base is None:
        return ChangeKind.ADDED
    return ChangeKind.DELETED if head is None else ChangeKind.MODIFIED


def _classified(
    path: RepoPath, base: Entry | None, head: Entry | None, rules: Rules, read: Read
) -> Iterator[Classified]:
    whole = rules.classify(path)
    if SUBMODULE in {entry.mode for entry in (base, head) if entry is not None}:
        yield _submodule(whole)
        return
    splitter = splitter_of(path)
    if splitter is None or not _splits(splitter, whole):
        yield whole
        return
    if any(entry is not None and not entry.is_file for entry in (base, head)):
        yield _whole(path, splitter, "a link")
        return
    try:
        parts = [
            splitter.parts("" if entry is None else bytes_of(entry, read).decode())
            for entry in (base, head)
        ]
    except (CannotSplit, UnicodeDecodeError) as why:
        yield _whole(path, splitter, str(why))
        return
    old, new = parts
    changed = [one for one in PathClass if one in old and old[one] != new[one]]
    for path_class in changed:
        reason = f"its {path_class.value} part differs"
        yield Classified(path=path, path_class=path_class, reason=reason)
    if not changed:
        owner = splitter.OWNER
        reason = f"only comments or layout differ: {owner.value}"
        yield Classified(path=path, path_class=owner, reason=reason)


def _splits(splitter: Splitter, whole: Classified) -> bool:
    """Whether the path's own class leaves the file to the splitter."""
    if splitter.OWNER is PathClass.TEST:
        return whole.path_class is PathClass.TEST
    return whole.path_class not in _BINDING


def _whole(path: RepoPath, splitter: Splitter, why: str) -> Classified:
    """An unreadable mixed file: its owner's, or control where hooks may hide in it."""
    owner = splitter.OWNER
    path_class = PathClass.CONTROL if owner is PathClass.TEST else owner
    return Classified(
        path=path, path_class=path_class, reason=f"it can't be split: {why}"
    )


def _submodule(whole: Classified) -> Classified:
    """Nobody can see here what changed inside a submodule."""
    if whole.path_class in _BINDING:
        return whole
    return Classified(
        path=whole.path,
        path_class=PathClass.PRODUCTION,
        reason="a submodule: what changed in it can't be seen, so production",
    )


def culprit_hunks(
    base: Listing, head: Listing, classes: Classes, read: Read
) -> Mapping[RepoPath, FileChange]:
    """The hunks of all changed files that can be a culprit, by path.

    A mixed file is one hunk, "pyproject.toml:whole", and a submodule none. Documents
    and the like come last: a search that runs out of trials has tried the rest.
    """
    found: dict[RepoPath, FileChange] = {}
    for path in differing(base, head):
        kinds = classes.get(path, frozenset({PathClass.PRODUCTION}))
        sides = [entry for entry in (base.get(path), head.get(path)) if entry]
        if not kinds & CULPRIT_CLASSES or any(one.mode == SUBMODULE for one in sides):
            continue
        old, new = (
            bytes_of(side[path], read) if path in side else None
            for side in (base, head)
        )
        parted = splitter_of(path) is None and all(one.is_file for one in sides)
        found[path] = split(path, old, new) if parted else whole(path, old, new)
    neutral = frozenset({PathClass.NEUTRAL})
    return dict(sorted(found.items(), key=lambda item: classes.get(item[0]) == neutral))


def dependency_files(
    listing: Listing, rules: Rules, read: Read
) -> Mapping[RepoPath, FileContent]:
    """What the prepare step depends on: manifests, lock files, mixed files.

    `setup.py` is production and counts here too: it can name dependencies.
    """
    found: dict[RepoPath, FileContent] = {}
    for path, entry in listing.items():
        if not entry.is_file:
            continue
        splitter = splitter_of(path)
        mixed = splitter is not None and PathClass.DEPENDENCIES in held_by(splitter)
        if (
            mixed
            or PurePosixPath(path).name == "setup.py"
            or rules.classify(path).path_class is PathClass.DEPENDENCIES
        ):
            found[path] = FileContent(mode=entry.mode, data=bytes_of(entry, read))
    return found
