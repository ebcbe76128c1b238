"""The repository as GitHub holds it: bare, with a merge commit a pull request."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A bare repository; `name` is `owner/name`."""

    bare: Path
    name: str
    default_branch: str = "main"

    @classmethod
    def of(cls, repository: Path, folder: Path, *, name: str) -> Origin:
        """A bare copy of a repository, in `folder`."""
        bare = folder / f"{name.partition('/')[2]}.git"
        subprocess.run(
            ["git", "clone", "--quiet", "--bare", str(repository), str(bare)],
            check=True,
        )
        made = cls(bare=bare, name=name)
        made.git("symbolic-ref", "HEAD", f"refs/heads/{made.default_branch}")
        return made

    def fetch_from(self, repository: Path) -> None:
        """Takes over a repository's branches, as after a push of all of them."""
        self.git(
            "fetch", "--quiet", "--force", str(repository), "refs/heads/*:refs/heads/*"
        )

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=GitHub", "-c", "user.email=noreply@example.com")
        done = subprocess.run(
            ["git", "--git-dir", str(self.bare), *identity, *arguments],
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def sha(self, revision: str) -> str:
        return self.git("rev-parse", "--verify", f"{revision}^{{commit}}")

    def merge(self, *, base: str, head: str, ref: str) -> str:
        """A merge commit of two branches under a name of its own.

        Raises `subprocess.CalledProcessError` when they conflict: no run then, too.
        """
        tree = self.git("merge-tree", "--write-tree", base, head).splitlines()[0]
        message = f"Merge {self.sha(head)} into {self.sha(base)}"
        commit = self.git(
            "commit-tree",
            tree,
            "-p",
            self.sha(base),
            "-p",
            self.sha(head),
            "-m",
            message,
        )
        self.git("update-ref", ref, commit)
        return commit
