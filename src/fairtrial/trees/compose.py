"""Which files a tried tree holds: base's or head's for each class, never a checkout.

Restoring a class to base means base's objects for what was changed and the removal of
what only head has. Files that no commit holds are in no listing, so they are in no
tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from fairtrial.domain.names import HunkId, RepoPath
from fairtrial.domain.paths import ChangedPath, PathClass, Strictness
from fairtrial.domain.trees import Revision, Tree
from fairtrial.domain.trials import Delta, FileContent
from fairtrial.trees.hunks import FileChange, revert
from fairtrial.trees.listing import (
    SUBMODULE,
    Entry,
    Listing,
    Read,
    bytes_of,
    composed,
)
from fairtrial.trees.splitters import Splitter, splitter_of
from fairtrial.trees.splitters.tables import CannotSplit

Classes = Mapping[RepoPath, frozenset[PathClass]]


def classes_of(changes: Iterable[ChangedPath]) -> Classes:
    """The classes of each changed path; several where a mixed file's parts differ."""
    found: dict[RepoPath, set[PathClass]] = {}
    for change in changes:
        found.setdefault(change.path, set()).add(change.path_class)
    return {path: frozenset(classes) for path, classes in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The two revisions that all trees of a run are composed from."""

    base: Listing
    head: Listing
    #: Every path in which the two differ; one that it lacks counts as production.
    classes: Classes
    read: Read
    #: The hunks that a tree's `reverted` may name.
    changes: Mapping[RepoPath, FileChange] = field(default_factory=dict)

    def of(self, path: RepoPath) -> Mapping[Revision, Entry | None]:
        """What stands at a path, by side."""
        return {
            Revision.BASE: self.base.get(path),
            Revision.HEAD: self.head.get(path),
        }

    def kinds(self, path: RepoPath) -> frozenset[PathClass]:
        """The classes of a changed path."""
        return self.classes.get(path, frozenset({PathClass.PRODUCTION}))


def compose(sides: Sides, tree: Tree) -> Listing:
    """The files of a tree."""
    found: dict[RepoPath, Entry] = {}
    origin: dict[RepoPath, PathClass] = {}
    for path in sorted(sides.base.keys() | sides.head.keys()):
        same = sides.base.get(path)
        if same is not None and same == sides.head.get(path):
            found[path] = same
            continue
        entry = _entry(sides, tree, path)
        if entry is not None:
            found[path] = entry
            origin[path] = max(sides.kinds(path), key=Strictness.of)
    for path, change in sides.changes.items():
        mine = {hunk.id for hunk in change.hunks} & tree.reverted
        if mine and Revision.HEAD in map(tree.revision_of, sides.kinds(path)):
            found.pop(path, None)
            entry = _partly_reverted(sides, tree, change, mine)
            if entry is not None:
                found[path] = entry
    return _without_clashes(found, origin)


def _entry(sides: Sides, tree: Tree, path: RepoPath) -> Entry | None:
    kinds, pair = sides.kinds(path), sides.of(path)
    splitter = splitter_of(path)
    # A mixed file of one class differs in that part only, or was given to the class
    # as a whole; either way the class has it.
    if splitter is None or len(kinds) == 1 or not kinds <= held_by(splitter):
        return pair[tree.revision_of(max(kinds, key=Strictness.of))]
    mixed = recombine(splitter, pair, tree, sides.read)
    if mixed is not None:
        return mixed.entry
    # Where the parts can't be put together, control hooks never slip in with tests,
    # and a manifest is production's.
    unsplit = max(splitter.OWNER, PathClass.CONTROL, key=_unsplit)
    return pair[tree.revision_of(unsplit)]


def _partly_reverted(
    sides: Sides, tree: Tree, change: FileChange, hunks: AbstractSet[HunkId]
) -> Entry | None:
    """A file of the tree with these hunks taken back."""
    if len(hunks) == len(change.hunks):
        back = replace(tree, production=Revision.BASE, migration=Revision.BASE)
        return _entry(sides, back, change.path)
    data = revert(change, hunks)
    now = sides.head[change.path]
    return None if data is None else composed(now.mode, data, now.blob)


def _unsplit(path_class: PathClass) -> int:
    """Production before control before test: who has a mixed file that stays whole."""
    return {PathClass.PRODUCTION: 2, PathClass.CONTROL: 1}.get(path_class, 0)


def held_by(splitter: Splitter) -> frozenset[PathClass]:
    """The classes that files of this kind can hold."""
    return frozenset(splitter.parts(""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recombined:
    """A mixed file with its parts from where the tree wants them, or no file."""

    entry: Entry | None


def recombine(
    splitter: Splitter,
    pair: Mapping[Revision, Entry | None],
    tree: Tree,
    read: Read,
) -> Recombined | None:
    """A mixed file for a tree; None where it can't be split.

    It exists where its owner's side has it, and where a part of another side is to
    be kept although the owner's side deleted the file.
    """
    if any(entry is not None and not entry.is_file for entry in pair.values()):
        return None
    owner = pair[tree.revision_of(splitter.OWNER)]
    wanted = {tree.revision_of(path_class) for path_class in held_by(splitter)}
    if len(wanted) == 1:
        return Recombined(entry=owner)
    try:
        texts = {
            side: "" if entry is None else bytes_of(entry, read).decode("utf-8")
            for side, entry in pair.items()
        }
        text = splitter.compose(lambda each: texts[tree.revision_of(each)])
    except (CannotSplit, UnicodeDecodeError):
        return None
    if owner is not None and text == texts[tree.revision_of(splitter.OWNER)]:
        return Recombined(entry=owner)
    if owner is None and not text.strip():
        return Recombined(entry=None)
    like = next(entry for entry in pair.values() if entry is not None)
    mode = like.mode if owner is None else owner.mode
    return Recombined(entry=composed(mode, text.encode("utf-8"), like.blob))


def _without_clashes(
    found: Mapping[RepoPath, Entry], origin: Mapping[RepoPath, PathClass]
) -> Listing:
    """The listing without files that stand where another file needs a folder.

    That happens when a file became a folder and the two sides are of different
    classes; the stricter class keeps its place.
    """
    dropped: set[RepoPath] = set()
    for path in found:
        for folder in PurePosixPath(path).parents:
            above = RepoPath(str(folder))
            if above in found:
                pair = (above, path)
                dropped.add(min(pair, key=lambda each: _weight(origin.get(each))))
    return {path: entry for path, entry in found.items() if path not in dropped}


def _weight(path_class: PathClass | None) -> int:
    return -1 if path_class is None else int(Strictness.of(path_class))


def delta(frozen: Listing, wanted: Listing, read: Read) -> Delta:
    """What turns a frozen tree into the wanted one; submodules are in neither."""
    writes = {
        path: FileContent(mode=entry.mode, data=bytes_of(entry, read))
        for path, entry in wanted.items()
        if entry.mode != SUBMODULE and frozen.get(path) != entry
    }
    gone = frozenset(
        path
        for path, entry in frozen.items()
        if entry.mode != SUBMODULE
        and (path not in wanted or wanted[path].mode == SUBMODULE)
    )
    return Delta(writes=writes, deletes=gone)
