"""How files go into a container: a tar stream with owners in its headers."""

from __future__ import annotations

import stat
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.errors import BenchFailed
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent

#: Two empty blocks, as POSIX has it.
END: Final = b"\0" * (2 * tarfile.BLOCKSIZE)


def folder(
    path: PurePosixPath, *, owner: int, mode: int, time: int, group: int | None = None
) -> bytes:
    """A folder; one that is there keeps what it holds, anything else gives way.

    Without a group of its own it is that of its owner's number.
    """
    return _head(path, tarfile.DIRTYPE, owner=owner, mode=mode, time=time, group=group)


def file(
    path: PurePosixPath, data: bytes, *, owner: int, mode: int, time: int
) -> Iterator[bytes]:
    """A regular file with its content."""
    yield _head(
        path, tarfile.REGTYPE, owner=owner, mode=mode, time=time, size=len(data)
    )
    yield data
    yield b"\0" * (-len(data) % tarfile.BLOCKSIZE)


def emptied(
    path: PurePosixPath, *, owner: int, mode: int, time: int
) -> Iterator[bytes]:
    """A folder that holds nothing, whatever was there.

    The engine removes a folder that a file takes the place of, and the file when the
    folder comes again: no code inside the container has a part in it.
    """
    yield from file(path, b"", owner=owner, mode=mode, time=time)
    yield folder(path, owner=owner, mode=mode, time=time)


def tree(
    root: PurePosixPath, files: Mapping[RepoPath, FileContent], *, owner: int, time: int
) -> Iterator[bytes]:
    """Files and links of a tree, each folder above them first.

    Raises BenchFailed for a path that would leave the tree.
    """
    seen: set[PurePosixPath] = set()
    for path in sorted(files):
        content = files[path]
        check(path)
        place = root / path
        for above in reversed(place.relative_to(root).parents):
            if above not in seen:
                seen.add(above)
                yield folder(root / above, owner=owner, mode=0o755, time=time)
        if stat.S_ISLNK(content.mode):
            yield _head(
                place,
                tarfile.SYMTYPE,
                owner=owner,
                mode=0o777,
                time=time,
                link=content.data.decode("utf-8", "surrogateescape"),
            )
        else:
            mode = 0o755 if content.mode & stat.S_IXUSR else 0o644
            yield from file(place, content.data, owner=owner, mode=mode, time=time)


def check(path: str) -> None:
    """Raises BenchFailed for a path that no tree of git's can hold."""
    if "\0" in path or any(part in {"", ".", ".."} for part in path.split("/")):
        raise BenchFailed(
            f"a tree holds the path {path!r}, which leads out of it",
            means="No program of git's makes such a tree; it was made by hand.",
            remedy="Look at the commit before anything else runs it.",
        )


def joined(*parts: Iterable[bytes]) -> Iterator[bytes]:
    """One archive of all parts, in pieces that are worth a write each."""
    gathered: list[bytes] = []
    size = 0
    for part in parts:
        for piece in part:
            gathered.append(piece)
            size += len(piece)
            if size >= _PIECE:
                yield b"".join(gathered)
                gathered, size = [], 0
    gathered.append(END)
    yield b"".join(gathered)


_PIECE: Final = 1 << 20


def _head(
    path: PurePosixPath,
    kind: bytes,
    *,
    owner: int,
    mode: int,
    time: int,
    size: int = 0,
    link: str = "",
    group: int | None = None,
) -> bytes:
    info = tarfile.TarInfo(str(path).lstrip("/"))
    info.type = kind
    info.uid = owner
    info.gid = owner if group is None else group
    info.mode = mode
    info.mtime = time
    info.size = size
    info.linkname = link
    # GNU's format keeps the bytes of any name as they are.
    return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
