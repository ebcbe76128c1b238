"""Real git repositories for tests, made in a few milliseconds each."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fairtrial.domain.names import CommitId

_WHO = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository in a folder, and the verbs that tests need."""

    path: Path

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **_WHO},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files; None removes one."""
        for name, content in files.items():
            file = self.path / name
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else content.encode()
            file.write_bytes(data)

    def commit(self, files: Mapping[str, str | bytes | None] | None = None) -> CommitId:
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")
        return self.head()

    def head(self) -> CommitId:
        return CommitId(self.git("rev-parse", "HEAD"))

    def branch(self, name: str, start: str = "HEAD") -> None:
        self.git("switch", "--quiet", "--create", name, start)

    def switch(self, name: str) -> None:
        self.git("switch", "--quiet", name)

    def merge(self, name: str) -> CommitId:
        self.git("merge", "--quiet", "--no-ff", "--message", "a merge", name)
        return self.head()

    def state(self) -> Mapping[str, bytes]:
        """Every byte under `.git`, to see that nothing was changed."""
        return {
            str(file.relative_to(self.path)): file.read_bytes()
            for file in sorted((self.path / ".git").rglob("*"))
            if file.is_file()
        }


def repository(path: Path) -> Repository:
    """A new repository with `main` checked out and no commit."""
    path.mkdir(parents=True, exist_ok=True)
    made = Repository(path=path)
    made.git("init", "--quiet", "--initial-branch", "main")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return made


def shallow_clone(
    origin: Repository, path: Path, commit: str, depth: int = 1
) -> Repository:
    """What a checkout step leaves: one commit and its depth, HEAD on it."""
    clone = repository(path)
    clone.git("remote", "add", "origin", origin.path.as_uri())
    clone.git("fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", commit)
    clone.git("checkout", "--quiet", "--detach", commit)
    return clone
