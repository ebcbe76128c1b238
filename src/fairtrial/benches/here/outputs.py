"""What a trial left in its outputs: regular files only, capped, never followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
#: Deeper folders are nobody's report.
_DEEPEST: Final = 32
#: Sentences about what was not taken; a trial may make any number of such things.
_TOLD: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Files by relative name, and a sentence for each thing that was not taken."""

    files: Mapping[str, bytes]
    refused: tuple[str, ...]


def collect(folder: Path, *, size: int, count: int) -> Collected:
    """At most `count` files with at most `size` bytes together.

    Read after every process of the trial is dead. A file that no longer fits is left
    out whole: half a report would read like another report.
    """
    found: dict[str, bytes] = {}
    refused: list[str] = []
    left = size
    top = os.open(folder, _FOLDER)
    try:
        for name, descriptor in _regular(top, "", 0, refused):
            try:
                length = os.fstat(descriptor).st_size
                if length > left or len(found) >= count:
                    refused.append(f"{name!a}: it is more than is taken")
                    continue
                content = _read(descriptor, length)
            finally:
                os.close(descriptor)
            found[name] = content
            left -= len(content)
    finally:
        os.close(top)
    return Collected(files=found, refused=_told(refused))


def _told(refused: list[str]) -> tuple[str, ...]:
    more = len(refused) - _TOLD
    if more > 0:
        return (*refused[:_TOLD], f"and {more} more")
    return tuple(refused)


def _regular(
    folder: int, prefix: str, depth: int, refused: list[str]
) -> Iterator[tuple[str, int]]:
    """Relative names and open descriptors of all regular files, in order of name."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        # A file with a second name may be somebody else's.
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
            try:
                descriptor = os.open(name, _FILE, dir_fd=folder)
            except PermissionError:
                refused.append(f"{prefix + name!a}: it can't be read")
                continue
            yield prefix + name, descriptor
        elif stat.S_ISDIR(status.st_mode) and depth < _DEEPEST:
            try:
                inner = os.open(name, _FOLDER, dir_fd=folder)
            except PermissionError:
                refused.append(f"{prefix + name!a}: it can't be read")
                continue
            try:
                yield from _regular(inner, f"{prefix}{name}/", depth + 1, refused)
            finally:
                os.close(inner)
        else:
            refused.append(f"{prefix + name!a}: it is no regular file of its own")


def _read(descriptor: int, length: int) -> bytes:
    chunks = []
    while length and (chunk := os.read(descriptor, length)):
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)
