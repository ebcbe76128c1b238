"""Which files a tree holds, and what turns a frozen tree into it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import BASE, HEAD, Revision, Tree
from fairtrial.domain.trials import Delta, FileContent

Files = Mapping[RepoPath, FileContent]


@dataclass(slots=True, kw_only=True)
class TreeSource:
    """All trees of a run, composed once each and kept.

    `compose` answers which files a tree holds; contents that two trees share are
    the same bytes objects, so that keeping both costs little.
    """

    compose: Callable[[Tree], Files]
    #: What is frozen as head; head under head's control where that was found additive.
    head: Tree = HEAD
    _files: dict[Tree, Files] = field(default_factory=dict)
    _digests: dict[Tree, Mapping[RepoPath, str]] = field(default_factory=dict)
    _digest_of: dict[int, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def files(self, tree: Tree) -> Files:
        """Everything that a tree holds."""
        with self._lock:
            if tree not in self._files:
                self._files[tree] = self.compose(tree)
            return self._files[tree]

    def frozen(self, revision: Revision) -> Tree:
        """The tree that is built and kept for a revision."""
        match revision:
            case Revision.BASE:
                return BASE
            case Revision.HEAD:
                return self.head

    def delta(self, tree: Tree) -> Delta:
        """What turns the frozen tree that `tree` starts from into `tree`."""
        frozen = self.files(self.frozen(tree.frozen_from))
        wanted = self.files(tree)
        return Delta(
            writes={
                path: content
                for path, content in wanted.items()
                if frozen.get(path) != content
            },
            deletes=frozenset(frozen.keys() - wanted.keys()),
        )

    def digests(self, tree: Tree) -> Mapping[RepoPath, str]:
        """The SHA-256 of each file, to hold against what a trial says it loaded."""
        files = self.files(tree)
        with self._lock:
            if tree not in self._digests:
                self._digests[tree] = {
                    path: self._digest(content.data) for path, content in files.items()
                }
            return self._digests[tree]

    def _digest(self, data: bytes) -> str:
        # The bytes live as long as the trees that hold them, so their identity is
        # a safe key, and 20,000 files are not hashed again for each composed tree.
        known = self._digest_of.get(id(data))
        if known is None:
            known = self._digest_of[id(data)] = hashlib.sha256(data).hexdigest()
        return known
