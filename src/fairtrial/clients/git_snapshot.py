"""The working tree as a git tree, without a change to the user's repository."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fairtrial.clients.git_process import checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A tree that only `objects`, a folder of our own, holds all of."""

    tree: str
    objects: Path
    #: Untracked repositories inside the working tree; they are left out.
    skipped: tuple[str, ...] = ()


def snapshot(cwd: Path, env: Mapping[str, str], scratch: Path) -> Snapshot:
    """Tracked files and untracked ones that git does not ignore, as they are now.

    The index is a copy and new objects go into `scratch`, so that neither index,
    refs nor object store of the repository change.
    """
    index = _path(cwd, env, "index")
    store = _path(cwd, env, "objects")
    objects = scratch / "objects"
    objects.mkdir()
    copy = scratch / "index"
    if index.exists():
        shutil.copyfile(index, copy)
    apart = {
        **env,
        "GIT_INDEX_FILE": str(copy),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(store),
    }
    listed = checked(
        ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=cwd,
        env=apart,
    )
    names = dict.fromkeys(name for name in listed.split(b"\0") if name)
    # git lists a repository inside the working tree as a folder.
    files = [name for name in names if not name.endswith(b"/")]
    skipped = tuple(os.fsdecode(name[:-1]) for name in names if name.endswith(b"/"))
    checked(
        [
            "update-index",
            "--add",
            "--remove",
            "--replace",
            "--ignore-skip-worktree-entries",
            "-z",
            "--stdin",
        ],
        cwd=cwd,
        env=apart,
        stdin=b"".join(name + b"\0" for name in files),
    )
    tree = checked(["write-tree"], cwd=cwd, env=apart).decode().strip()
    return Snapshot(tree=tree, objects=objects, skipped=skipped)


def _path(cwd: Path, env: Mapping[str, str], name: str) -> Path:
    answer = checked(
        ["rev-parse", "--path-format=absolute", "--git-path", name], cwd=cwd, env=env
    )
    return Path(os.fsdecode(answer.rstrip(b"\n")))
