"""How a file is written where none is, and never over one or through a link."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.domain.errors import ConfigurationError

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Stand(StrEnum):
    """What became of a file."""

    WRITTEN = "written"
    #: It is there, exactly as it would have been written.
    SAME = "same"
    #: It is there, and something else stands in it, or it is no plain file.
    LEFT = "left"


def state_of(top: Path, path: PurePosixPath, text: str) -> Stand | None:
    """What stands at a path; None where nothing does.

    Raises ConfigurationError where a folder above it is a link or no folder.
    """
    place = top
    for part in path.parts[:-1]:
        place /= part
        if not os.path.lexists(place):
            return None
        if place.is_symlink() or not place.is_dir():
            raise _unusable(path, place.relative_to(top))
    place /= path.name
    if not os.path.lexists(place):
        return None
    plain = place.is_file() and not place.is_symlink()
    try:
        same = plain and place.read_bytes() == text.encode("utf-8")
    except OSError:
        same = False
    return Stand.SAME if same else Stand.LEFT


def write_new(top: Path, path: PurePosixPath, text: str) -> Stand:
    """Write a file below `top` that is not there; whatever is there stays.

    Raises ConfigurationError where it can't be written.
    """
    stands = state_of(top, path, text)
    if stands is not None:
        return stands
    try:
        with _folder(top, path) as folder:
            descriptor = os.open(path.name, _NEW, 0o644, dir_fd=folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8"))
    except FileExistsError:
        return Stand.LEFT
    except OSError as wrong:
        raise ConfigurationError(
            f"{path} can't be written: {wrong.strerror}."
        ) from wrong
    return Stand.WRITTEN


@contextmanager
def _folder(top: Path, path: PurePosixPath) -> Iterator[int]:
    """The folder of a path, made where it is missing; no link is followed below."""
    here = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in path.parts[:-1]:
            with suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=here)
            below = os.open(part, _FOLDER, dir_fd=here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def _unusable(path: PurePosixPath, place: Path) -> ConfigurationError:
    return ConfigurationError(
        f"{path} is not written: {place} is a link, or no folder.",
        means="What is written through a link may land outside of the repository.",
        remedy="Make it a folder, or write the file that `fairtrial init --print` shows"
        " to where GitHub reads it.",
    )
