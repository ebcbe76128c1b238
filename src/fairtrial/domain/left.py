"""What a file that a trial left is called: the same in every trial, on both benches."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

#: A trial's own home and temporary folder lie beside its workspace on both benches.
_HOME: Final = "~/"
_TEMPORARY: Final = "$TMPDIR/"


def name_of(path: str, workspace: str) -> str:
    """A path of a trial as it is told: "tests/out.txt", "~/.cache/x", "$TMPDIR/y"."""
    beside = PurePosixPath(workspace).parent
    for folder, said in (
        (f"{workspace}/", ""),
        (f"{beside}/home/", _HOME),
        (f"{beside}/tmp/", _TEMPORARY),  # noqa: S108 - the trial's own
    ):
        if path.startswith(folder):
            return said + path.removeprefix(folder)
    return path


def path_of(name: str, workspace: str) -> str:
    """Where a trial finds what is told by this name."""
    beside = PurePosixPath(workspace).parent
    if name.startswith(_HOME):
        return f"{beside}/home/{name.removeprefix(_HOME)}"
    if name.startswith(_TEMPORARY):
        return f"{beside}/tmp/{name.removeprefix(_TEMPORARY)}"  # noqa: S108 - the same
    return name if name.startswith("/") else f"{workspace}/{name}"


def is_in_workspace(name: str) -> bool:
    """Whether a file is one of the tree's place, where an overlay can put it."""
    return not name.startswith(("/", _HOME, _TEMPORARY))
