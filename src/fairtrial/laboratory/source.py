"""Which files a tree holds, and what turns a frozen tree into it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from fairtrial.domain.names import OverlayId, RepoPath
from fairtrial.domain.trees import BASE, HEAD, Revision, Tree
from fairtrial.domain.trials import Delta, FileContent
from fairtrial.runners import TriedTree
from fairtrial.trees import Listing, Read, Sides, compose, contents, delta
from fairtrial.trees.listing import bytes_of, overlaid


@dataclass(slots=True, kw_only=True)
class TreeSource:
    """All trees of a run, each composed once, from git's objects alone."""

    sides: Sides
    _overlays: dict[OverlayId, Mapping[RepoPath, bytes | None]] = field(
        default_factory=dict
    )
    _listings: dict[Tree, Listing] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def lay(self, overlay: OverlayId, files: Mapping[RepoPath, bytes | None]) -> None:
        """Name files that a tree's `overlay` puts over the others; None removes one."""
        with self._lock:
            self._overlays[overlay] = files

    def lift(self, overlay: OverlayId) -> None:
        """Forget an overlay, with the trees that have it; others stay."""
        with self._lock:
            self._overlays.pop(overlay, None)
            for tree in [each for each in self._listings if each.overlay == overlay]:
                del self._listings[tree]

    def listing(self, tree: Tree) -> Listing:
        """What stands at each path of a tree; KeyError for an unnamed overlay."""
        with self._lock:
            if tree not in self._listings:
                self._listings[tree] = self._composed(tree)
            return self._listings[tree]

    def _composed(self, tree: Tree) -> Listing:
        if tree.overlay is None:
            return compose(self.sides, tree)
        under = replace(tree, overlay=None)
        if under not in self._listings:
            self._listings[under] = compose(self.sides, under)
        return overlaid(self._listings[under], self._overlays[tree.overlay])

    def files(self, tree: Tree) -> Mapping[RepoPath, FileContent]:
        """All files of a tree with their bytes."""
        return contents(self.listing(tree), self.sides.read)

    def delta(self, tree: Tree) -> Delta:
        """What turns the frozen tree that `tree` starts from into `tree`."""
        frozen = frozen_tree(tree.frozen_from)
        return delta(self.listing(frozen), self.listing(tree), self.sides.read)

    def digests(self, tree: Tree) -> TriedTree:
        """The SHA-256 of each file, to hold against what a trial says it loaded."""
        return Digests(listing=self.listing(tree), read=self.sides.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests(TriedTree):
    """Digests made when they are asked for: a trial loads few of a tree's files."""

    listing: Listing
    read: Read

    def __getitem__(self, path: RepoPath) -> str:
        """The digest of one file; KeyError when the tree has none."""
        return hashlib.sha256(bytes_of(self.listing[path], self.read)).hexdigest()

    def text(self, path: RepoPath) -> str:
        """What a file holds; empty where the tree has no such file."""
        entry = self.listing.get(path)
        if entry is None or not entry.is_file:
            return ""
        return bytes_of(entry, self.read).decode("utf-8", "replace")

    def __iter__(self) -> Iterator[RepoPath]:
        """All paths of the tree."""
        return iter(self.listing)

    def __len__(self) -> int:
        """How many files the tree holds."""
        return len(self.listing)


def frozen_tree(revision: Revision) -> Tree:
    """The tree that is built and kept for a revision; its control is base's."""
    match revision:
        case Revision.BASE:
            return BASE
        case Revision.HEAD:
            return HEAD
