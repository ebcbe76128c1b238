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
        # With its time: git takes a file that is as old as its index for changed,
        # since one that is rewritten in the same second looks the same.
        shutil.copy2(index, copy)
    apart = {
        **env,
        "GIT_INDEX_FILE": str(copy),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(store),
    }
    tracked, gone = _tracked(cwd, apart)
    listed = checked(
        ["ls-files", "-z", "--others", "--exclude-standard"], cwd=cwd, env=apart
    )
    untracked = [name for name in listed.split(b"\0") if name]
    # git lists a repository inside the working tree as a folder.
    files = [*tracked, *(name for name in untracked if not name.endswith(b"/"))]
    skipped = tuple(os.fsdecode(name[:-1]) for name in untracked if name[-1:] == b"/")
    for options, names in (
        (["--force-remove"], gone),
        (["--add", "--remove", "--replace"], files),
    ):
        checked(
            ["update-index", *options, "-z", "--stdin"],
            cwd=cwd,
            env=apart,
            stdin=b"".join(name + b"\0" for name in names),
        )
    tree = checked(["write-tree"], cwd=cwd, env=apart).decode().strip()
    return Snapshot(tree=tree, objects=objects, skipped=skipped)


def _tracked(cwd: Path, env: Mapping[str, str]) -> tuple[list[bytes], list[bytes]]:
    """The tracked files that stand in the working tree, and those that are gone.

    Submodules and what a sparse checkout leaves out stay as the index has them.
    """
    listed = checked(["ls-files", "-z", "-t", "--stage"], cwd=cwd, env=env)
    here: dict[bytes, None] = {}
    gone: dict[bytes, None] = {}
    for record in listed.split(b"\0"):
        if not record:
            continue
        facts, _, name = record.partition(b"\t")
        tag, mode = facts.split(b" ")[:2]
        if tag == b"S" or mode == b"160000":
            continue
        file = cwd / os.fsdecode(name)
        stands = file.is_symlink() or (file.exists() and not file.is_dir())
        (here if stands else gone)[name] = None
    return list(here), list(gone)


def _path(cwd: Path, env: Mapping[str, str], name: str) -> Path:
    answer = checked(
        ["rev-parse", "--path-format=absolute", "--git-path", name], cwd=cwd, env=env
    )
    return Path(os.fsdecode(answer.rstrip(b"\n")))
