"""Listings without a repository: an object store in a dict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Tree
from fairtrial.trees import (
    Entry,
    Listing,
    Rules,
    Sides,
    classes_of,
    compose,
    contents,
    culprit_hunks,
    read_changes,
)
from fairtrial.trees.listing import composed

SHA1 = "0" * 40


@dataclass(slots=True)
class Store:
    """Blobs by id."""

    blobs: dict[str, bytes] = field(default_factory=dict)

    def read(self, blob: str) -> bytes:
        return self.blobs[blob]

    def listing(self, files: Mapping[str, str | bytes | Entry]) -> Listing:
        return {RepoPath(path): self.entry(data) for path, data in files.items()}

    def entry(self, data: str | bytes | Entry, mode: int = 0o100644) -> Entry:
        if isinstance(data, Entry):
            return data
        content = data.encode() if isinstance(data, str) else data
        named = composed(mode, content, SHA1)
        self.blobs[named.blob] = content
        return Entry(mode=mode, blob=named.blob)


def sides(
    store: Store,
    base: Mapping[str, str | bytes | Entry],
    head: Mapping[str, str | bytes | Entry],
    rules: Rules | None = None,
) -> Sides:
    """Both sides of a change with everything that is known of it."""
    old, new = store.listing(base), store.listing(head)
    classes = classes_of(read_changes(old, new, rules or Rules(), store.read))
    changes = culprit_hunks(old, new, classes, store.read)
    return Sides(base=old, head=new, classes=classes, read=store.read, changes=changes)


def files(both: Sides, tree: Tree) -> dict[str, str]:
    """The texts of a composed tree."""
    listing = compose(both, tree)
    return {
        path: content.data.decode()
        for path, content in contents(listing, both.read).items()
    }
