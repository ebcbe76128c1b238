"""Writes, copies and removes trees of files that nobody vouches for."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.domain.errors import BenchUnavailable
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent

#: Modification time of all files of a frozen tree, and of those a trial changes.
#: Python knows compiled files again by time and size: two fixed, different times mean
#: that no file of one tree is taken for another's, whatever the clock does.
FROZEN_TIME: Final = 1_577_880_000
CHANGED_TIME: Final = 1_577_890_000

#: Folders deeper than this are moved up first: neither the stack nor the number of
#: open files may depend on what a trial has made.
_DEEPEST: Final = 60

#: How a rename says that a name is in use.
_TAKEN: Final = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}

_LINK: Final = 0o120000
_COPY: Final = 1 << 20


def checked_path(path: str) -> PurePosixPath:
    """The path, when it stays inside the tree and out of git's own folder."""
    parts = path.split("/")
    if (
        not path
        or "\0" in path
        or any(part in {"", ".", ".."} or part.lower() == ".git" for part in parts)
    ):
        raise BenchUnavailable(
            f"{path!r} can't be written: it is no path inside a tree.",
            means="A tree from git has no such path, so somebody made this one.",
        )
    return PurePosixPath(path)


def write_tree(
    root: Path,
    files: Mapping[RepoPath, FileContent],
    owner: int | None,
    *,
    over: bool = False,
) -> None:
    """Write a new tree at `root`, which must not exist; links are kept as links.

    With `over`, `root` exists and the files replace what stands there. Raises
    BenchUnavailable for a path that leaves the tree or goes through a link.
    """
    root.mkdir(mode=0o755, exist_ok=over)
    _own(root, owner)
    folders = {PurePosixPath()}
    for path in sorted(files):
        content = files[path]
        inner = checked_path(path)
        for parent in reversed(inner.parents):
            if parent not in folders:
                try:
                    (root / parent).mkdir(mode=0o755)
                except FileExistsError:
                    if over and stat.S_ISDIR((root / parent).lstat().st_mode):
                        folders.add(parent)
                        continue
                    raise BenchUnavailable(
                        f"{path!r} can't be written: {parent} is a file or a link."
                    ) from None
                _own(root / parent, owner)
                folders.add(parent)
        if over:
            remove_tree(root / inner)
        _write(root / inner, content)
        _own(root / inner, owner)


def _write(place: Path, content: FileContent) -> None:
    if content.mode == _LINK:
        place.symlink_to(os.fsdecode(content.data))
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    mode = 0o755 if content.mode & 0o111 else 0o644
    with os.fdopen(os.open(place, flags, mode), "wb") as file:
        file.write(content.data)
        os.fchmod(file.fileno(), mode)
    os.utime(place, (FROZEN_TIME, FROZEN_TIME))


def _own(place: Path, owner: int | None) -> None:
    if owner is not None:
        os.lchown(place, owner, owner)


def make_folder(place: Path, mode: int, owner: int | None = None) -> Path:
    """A new folder with exactly this mode and owner."""
    place.mkdir(parents=True)
    place.chmod(mode)
    _own(place, owner)
    return place


def copy_tree(source: Path, target: Path) -> None:
    """Copy a whole tree with modes, times, links and owners to a new place.

    The file system shares the blocks where it can; sockets and devices stay behind.
    """
    _copy_folder(source, target)
    for folder, folders, names in os.walk(source):
        place = target / Path(folder).relative_to(source)
        for name in folders:
            if not (Path(folder) / name).is_symlink():
                _copy_folder(Path(folder) / name, place / name)
            else:
                copy_entry(Path(folder) / name, place / name)
        for name in names:
            copy_entry(Path(folder) / name, place / name)


def _copy_folder(source: Path, target: Path) -> None:
    status = source.lstat()
    target.mkdir()
    _like(target, status)
    target.chmod(stat.S_IMODE(status.st_mode) | stat.S_IRWXU)


def copy_entry(source: Path, target: Path) -> None:
    """Copy one file, link or folder's own attributes to a place that is free."""
    status = source.lstat()
    if stat.S_ISLNK(status.st_mode):
        target.symlink_to(source.readlink())
        _like(target, status)
    elif stat.S_ISDIR(status.st_mode):
        _copy_folder(source, target)
    elif stat.S_ISREG(status.st_mode):
        with source.open("rb") as read, target.open("xb") as write:
            _copy_bytes(read.fileno(), write.fileno())
        _like(target, status)
        target.chmod(stat.S_IMODE(status.st_mode))
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def _copy_bytes(read: int, write: int) -> None:
    with contextlib.suppress(OSError):
        while os.copy_file_range(read, write, _COPY):
            pass
        return
    # The two are on different file systems, or theirs can't do it.
    while chunk := os.read(read, _COPY):
        os.write(write, chunk)


def _like(target: Path, status: os.stat_result) -> None:
    if os.geteuid() == 0:
        os.lchown(target, status.st_uid, status.st_gid)


def remove_tree(place: Path) -> None:
    """Remove whatever is at a place, also what made itself unreadable.

    Raises OSError when something could not be removed.
    """
    try:
        status = place.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        place.unlink(missing_ok=True)
        return
    above = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        top = _open_folder(place.name, above)
        try:
            # Each round leaves only what lay too deep, and that much less deep.
            while _empty(top, top, 0):
                pass
        finally:
            os.close(top)
        os.rmdir(place.name, dir_fd=above)
    finally:
        os.close(above)


def _open_folder(name: str, above: int) -> int:
    # By descriptors, so that nothing follows a link that appears meanwhile.
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=above)
    return os.open(name, flags, dir_fd=above)


def _move_up(name: str, folder: int, top: int) -> None:
    for number in itertools.count():
        try:
            os.rename(name, f"deep-{number}", src_dir_fd=folder, dst_dir_fd=top)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
        else:
            return


def _empty(folder: int, top: int, depth: int) -> bool:
    """Whether something below a folder lay too deep and was moved to the top."""
    moved = False
    with os.scandir(folder) as entries:
        listed = [(each.name, each.is_dir(follow_symlinks=False)) for each in entries]
    for name, is_folder in listed:
        with contextlib.suppress(FileNotFoundError):
            if not is_folder:
                os.unlink(name, dir_fd=folder)
                continue
            inner = _open_folder(name, folder)
            try:
                if depth >= _DEEPEST:
                    moved = True
                    _move_up(name, folder, top)
                    continue
                moved |= _empty(inner, top, depth + 1)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)
    return moved
