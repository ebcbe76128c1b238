"""Tiny real projects with one pull request each, named for what is judged of them.

A specimen is one text file: a YAML head with what has to come out, then sections.
`== base PATH` and `== head PATH` hold a file as it is at that commit (a path that
head does not name stays as it was), `== head-delete PATH` removes it there.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

FOLDER: Final = Path(__file__).parent

#: The repository's own history must be the same on every machine.
_GIT_ENVIRONMENT: Final = {
    "GIT_AUTHOR_NAME": "Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """One pull request and what has to come out of it."""

    name: str
    #: The YAML head: `exit`, `verdicts`, `findings`, …
    expected: Mapping[str, Any]
    base: Mapping[str, str]
    head: Mapping[str, str]
    deleted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A specimen as a git repository; its branch `change` is checked out."""

    specimen: Specimen
    path: Path
    base: str
    head: str


def names() -> tuple[str, ...]:
    """All specimens, by name."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


def read(name: str) -> Specimen:
    """One specimen from its file."""
    head, *sections = ("\n" + (FOLDER / f"{name}.txt").read_text()).split("\n== ")
    files: dict[str, dict[str, str]] = {"base": {}, "head": {}, "head-delete": {}}
    for section in sections:
        title, _, body = section.partition("\n")
        kind, path = title.split(maxsplit=1)
        files[kind][path] = body if body.endswith("\n") or not body else body + "\n"
    return Specimen(
        name=name,
        expected=yaml.safe_load(head),
        base=files["base"],
        head=files["head"],
        deleted=tuple(files["head-delete"]),
    )


def git(repository: Path, *arguments: str) -> str:
    """What a git command in a repository prints, stripped."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **_GIT_ENVIRONMENT},
    )
    return done.stdout.strip()


def commit(repository: Path, files: Mapping[str, str], message: str) -> str:
    """The id of a new commit with these files written."""
    for path, text in files.items():
        target = repository / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        if path.endswith(".sh"):
            target.chmod(0o755)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(repository, "rev-parse", "HEAD")


def build(name: str, folder: Path) -> Built:
    """A specimen as a git repository below a folder, with head checked out."""
    specimen = read(name)
    repository = folder / name
    repository.mkdir(parents=True)
    git(repository, "init", "--quiet", "--initial-branch=main")
    base = commit(repository, specimen.base, "Base")
    git(repository, "checkout", "--quiet", "-b", "change")
    for path in specimen.deleted:
        (repository / path).unlink()
    head = commit(repository, specimen.head, "Change")
    return Built(specimen=specimen, path=repository, base=base, head=head)
