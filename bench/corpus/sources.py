"""A case's two commits, in a repository of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cases import Case

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
    """The repository, or a commit of it, is not to be had."""


def git(repository: Path, *arguments: str) -> str:
    """What a git command prints, stripped; raises NotThere when it fails."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | _AUTHOR,
    )
    if done.returncode:
        raise NotThere(f"git {arguments[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()


def change_of(case: Case, folder: Path, mirror: Path | None) -> Change:
    """A case's repository, made anew; `mirror` holds OWNER+NAME folders to clone from.

    Raises NotThere.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    origin = case.repo
    if mirror is not None:
        name = "+".join(case.repo.rstrip("/").split("/")[-2:])
        kept = mirror / name / "repo"
        origin = str(kept / ".git" if (kept / ".git").exists() else kept)
    git(folder, "clone", "--quiet", "--no-checkout", origin, "repo")
    path = folder / "repo"
    without = [] if isinstance(case.base, str) else case.base["without"]
    commit = case.base if isinstance(case.base, str) else case.base["commit"]
    git(path, "checkout", "--quiet", "--force", "--detach", commit)
    if without:
        git(path, "rm", "-q", "-r", *without)
        base = _commit(path, "without")
        git(path, "checkout", commit, "--", *without)
        return Change(path=path, base=base, head=_commit(path, "with"))
    return Change(path=path, base=commit, head=_head(case, path))


def _head(case: Case, path: Path) -> str:
    if case.head == "same":
        readme = path / "README.md"
        if readme.exists():
            readme.write_bytes(readme.read_bytes() + b"\nOne more line.\n")
        else:
            (path / "FAIRTRIAL.md").write_text("One line.\n")
        return _commit(path, "docs")
    if isinstance(case.head, str):
        return case.head
    for each in case.head["paths"]:
        try:
            git(path, "checkout", case.head["from"], "--", each)
        except NotThere:
            git(path, "rm", "-q", "--", each)
    return _commit(path, "undone")


def _commit(path: Path, message: str) -> str:
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", message)
    return git(path, "rev-parse", "HEAD")
