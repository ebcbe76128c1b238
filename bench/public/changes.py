"""A fix and the same with its production part taken back, as two commits."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.gating import fairtrial
from bench.public.entries import Entry

_AUTHOR: Final = {
    "GIT_AUTHOR_NAME": "Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the gate is asked to judge."""

    path: Path
    base: str
    head: str


class NotThere(Exception):  # noqa: N818 - said as people say it
    """The repository, a commit of it, or a configuration is not to be had."""


def git(repository: Path, *arguments: str) -> str:
    """What a git command prints, stripped; raises NotThere when it fails."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, **_AUTHOR},
    )
    if done.returncode:
        raise NotThere(f"git {arguments[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()


def origin_of(repository: str, mirror: Path | None) -> str:
    """Where to clone from: a folder OWNER+NAME below the mirror, else GitHub."""
    if mirror is None:
        return f"https://github.com/{repository}"
    kept = mirror / repository.replace("/", "+")
    places = (kept / "repo" / ".git", kept / "repo", kept / ".git", kept)
    found = next((each for each in places if (each / "HEAD").is_file()), None)
    if found is None:
        raise NotThere(f"{repository} is not in {mirror}")
    return str(found)


def change_of(entry: Entry, folder: Path, mirror: Path | None) -> Change:
    """An entry's repository, made in `folder`; raises NotThere.

    Without a configuration of its own, base is the fix with what `fairtrial init`
    writes, committed: nothing else is edited.
    """
    git(
        folder,
        "clone",
        "-q",
        "--no-checkout",
        origin_of(entry.repository, mirror),
        "it",
    )
    path = folder / "it"
    base = git(path, "rev-parse", "--verify", f"{entry.commit}^{{commit}}")
    git(path, "checkout", "--quiet", "--force", "--detach", base)
    parent = git(path, "rev-parse", "--verify", f"{base}^")
    if not entry.configuration:
        code, printed = fairtrial("init", "--repo", str(path), patience=300)
        if code:
            raise NotThere(f"fairtrial init exits {code}: {printed.strip()[-300:]}")
        base = _commit(path, "Set up")
    for each in entry.revert:
        _restore(path, parent, each)
    return Change(path=path, base=base, head=_commit(path, "Undone"))


def _restore(path: Path, parent: str, name: str) -> None:
    """What the parent has at a path; what it has not is removed."""
    if git(path, "ls-tree", "--name-only", parent, "--", name):
        git(path, "checkout", parent, "--", name)
    else:
        git(path, "rm", "-q", "-r", "--", name)


def _commit(path: Path, message: str) -> str:
    git(path, "add", "--all")
    # An empty one would be judged as a change of nothing.
    git(path, "commit", "--quiet", "--no-verify", "--message", message)
    return git(path, "rev-parse", "HEAD")
