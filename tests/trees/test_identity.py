"""A tree's id is what git says it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fairtrial.clients.git import Git
from fairtrial.trees.identity import tree_id


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_tree_has_the_id_that_git_gives_it(tmp_path: Path, algorithm: str) -> None:
    git(tmp_path, "init", "-q", f"--object-format={algorithm}")
    # git sorts "a" behind "a.b" and "a-b": folders count with a slash behind them.
    for name in ("a/x.py", "a.b/x", "a-b", "b/c/d/e", "b/c.d", "é/ü", "z z"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "run.sh").write_text("x")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("a-b")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_text("no UTF-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "all")

    with Git(tmp_path) as repository:
        listing = repository.listing("HEAD")

        assert repository.tree_id("HEAD") == tree_id(listing)
        assert git(tmp_path, "rev-parse", "HEAD:b") == tree_id(
            repository.listing("HEAD:b")
        )
        assert tree_id(dict(reversed(list(listing.items())))) == tree_id(listing)


def test_the_empty_tree_has_its_well_known_id() -> None:
    assert tree_id({}) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
