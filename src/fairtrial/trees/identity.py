"""Which id git would give a tree: the same files always have the same one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from fairtrial.trees.listing import Listing

_FOLDER: Final = 0o40000
_SHA1_DIGITS: Final = 40

#: A folder's content by name: a file's mode and id, or another folder.
_Folder = dict[bytes, "tuple[int, str] | _Folder"]


def tree_id(listing: Listing) -> str:
    """The id of the tree that holds exactly these files, as git computes it.

    SHA-256 where the files' own ids are, else SHA-1. See git's documentation of its
    object format; folders are sorted as if their names ended with a slash.
    """
    top: _Folder = {}
    for path, entry in listing.items():
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        here = top
        for folder in folders:
            inner = here.setdefault(folder, {})
            assert isinstance(inner, dict)
            here = inner
        here[name] = (entry.mode, entry.blob)
    long = any(len(entry.blob) > _SHA1_DIGITS for entry in listing.values())
    return _id(top, "sha256" if long else "sha1")


def _id(folder: Mapping[bytes, tuple[int, str] | _Folder], algorithm: str) -> str:
    records = []
    for name, one in folder.items():
        if isinstance(one, dict):
            mode, blob, key = _FOLDER, _id(one, algorithm), name + b"/"
        else:
            mode, blob, key = one[0], one[1], name
        records.append((key, b"%o %s\0" % (mode, name) + bytes.fromhex(blob)))
    content = b"".join(record for _, record in sorted(records))
    digest = hashlib.new(algorithm, usedforsecurity=False)
    digest.update(b"tree %d\0" % len(content) + content)
    return digest.hexdigest()
