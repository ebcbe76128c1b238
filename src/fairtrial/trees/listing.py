"""Which file stands at each path of a tree, by its git object."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent

#: git's mode of a submodule: a commit of another repository.
SUBMODULE: Final = 0o160000
LINK: Final = 0o120000

#: The first line of what git LFS puts in the place of a large file.
LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/v1\n"
#: No pointer is longer than this.
LFS_POINTER_SIZE: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One path's file; `data` is there where a file was composed from two."""

    mode: int
    blob: str
    data: bytes | None = None

    @property
    def is_file(self) -> bool:
        """A regular file, not a link and not a submodule."""
        return self.mode not in {SUBMODULE, LINK}


Listing = Mapping[RepoPath, Entry]

#: The bytes of a blob, by its object id.
Read = Callable[[str], bytes]


def composed(mode: int, data: bytes, like: str) -> Entry:
    """An entry for bytes that no git object holds, named as git would name them.

    `like` is any object id of the repository: its length tells SHA-1 from SHA-256.
    """
    content = b"blob %d\0" % len(data) + data
    sha1 = len(like) == hashlib.sha1(usedforsecurity=False).digest_size * 2
    digest = (
        hashlib.sha1(content, usedforsecurity=False)
        if sha1
        else hashlib.sha256(content)
    )
    return Entry(mode=mode, blob=digest.hexdigest(), data=data)


def bytes_of(entry: Entry, read: Read) -> bytes:
    """What the file holds; a submodule holds nothing."""
    if entry.mode == SUBMODULE:
        return b""
    return read(entry.blob) if entry.data is None else entry.data


def contents(listing: Listing, read: Read) -> Mapping[RepoPath, FileContent]:
    """All files of a tree with their bytes; submodules are left out."""
    return {
        path: FileContent(mode=entry.mode, data=bytes_of(entry, read))
        for path, entry in listing.items()
        if entry.mode != SUBMODULE
    }


def submodules(listing: Listing) -> tuple[RepoPath, ...]:
    """The paths whose content is another repository's, and is not tried."""
    return tuple(path for path, entry in listing.items() if entry.mode == SUBMODULE)


def is_lfs_pointer(data: bytes) -> bool:
    """Whether this is what git LFS keeps in the repository instead of the file."""
    return len(data) <= LFS_POINTER_SIZE and data.startswith(LFS_POINTER)


def overlaid(listing: Listing, files: Mapping[RepoPath, bytes | None]) -> Listing:
    """A listing with some files in the place of its own; None removes one.

    A file keeps the mode of the one that it replaces.
    """
    found = dict(listing)
    like = next(iter(listing.values()), None)
    for path, data in files.items():
        old = found.pop(path, None)
        if data is not None:
            blob = like.blob if like is not None else "0" * 40
            found[path] = composed(old.mode if old else 0o100644, data, blob)
    return found
