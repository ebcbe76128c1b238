from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.subject.repositories import Repository, repository

from fairtrial.clients.git import Git
from fairtrial.domain.names import RepoPath


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "repo")
    made.commit({"kept.py": "1", "edited.py": "1", "deleted.py": "1", "staged.py": "1"})
    return made


def texts(git: Git, tree: str) -> dict[str, bytes]:
    return {
        str(path): git.read(entry.blob) for path, entry in git.listing(tree).items()
    }


def test_a_snapshot_is_the_working_tree_as_a_commit_would_take_it(
    repo: Repository,
) -> None:
    repo.write({".gitignore": "*.log\n", "noise.log": "x", "new/file.py": "new"})
    repo.write({"staged.py": "2"})
    repo.git("add", "staged.py")
    repo.write({"edited.py": "2", "staged.py": "3", "deleted.py": None})

    with Git(repo.path) as git:
        found = texts(git, git.snapshot().tree)

    assert {
        ".gitignore": b"*.log\n",
        "kept.py": b"1",
        "edited.py": b"2",
        "staged.py": b"3",
        "new/file.py": b"new",
    } == found


def test_a_snapshot_changes_nothing_in_the_repository(repo: Repository) -> None:
    repo.write({"edited.py": "2", "new.py": "x"})
    before = repo.state()

    with Git(repo.path) as git:
        taken = git.snapshot()
        git.read(git.listing(taken.tree)[RepoPath("new.py")].blob)

    assert before == repo.state()
    assert not taken.objects.exists()


def test_a_clean_working_tree_is_the_commits_own_tree(repo: Repository) -> None:
    with Git(repo.path) as git:
        assert git.tree_id("HEAD") == git.snapshot().tree


def test_a_file_rewritten_in_the_second_of_its_commit_is_seen(
    repo: Repository,
) -> None:
    repo.git("config", "core.trustctime", "false")
    repo.commit({"a.py": "x = 1\n"})
    file, index = repo.path / "a.py", repo.path / ".git" / "index"
    os.utime(file, (1_000_000_000, 1_000_000_000))
    repo.git("update-index", "--refresh")
    file.write_text("x = 2\n")
    for path in (file, index):
        os.utime(path, (1_000_000_000, 1_000_000_000))

    with Git(repo.path) as git:
        found = texts(git, git.snapshot().tree)

    assert b"x = 2\n" == found["a.py"]


def test_a_tracked_file_that_is_ignored_is_still_in_it(repo: Repository) -> None:
    repo.write({".gitignore": "kept.py\n", "kept.py": "2"})

    with Git(repo.path) as git:
        assert b"2" == texts(git, git.snapshot().tree)["kept.py"]


def test_a_file_that_became_a_folder_and_the_other_way(repo: Repository) -> None:
    repo.commit({"folder/a.py": "1", "file": "1"})
    repo.write({"folder/a.py": None, "file": None})
    (repo.path / "folder").rmdir()
    repo.write({"folder": "now a file", "file/a.py": "now a folder"})

    with Git(repo.path) as git:
        found = texts(git, git.snapshot().tree)

    assert b"now a file" == found["folder"]
    assert b"now a folder" == found["file/a.py"]
    assert "folder/a.py" not in found


def test_repositories_inside_are_left_out_and_named(repo: Repository) -> None:
    inner = repository(repo.path / "inner")
    inner.commit({"a": "1"})
    repository(repo.path / "unborn").write({"b": "1"})

    with Git(repo.path) as git:
        taken = git.snapshot()
        found = texts(git, taken.tree)

    assert {"inner", "unborn"} == set(taken.skipped)
    assert {"kept.py", "edited.py", "deleted.py", "staged.py"} == set(found)


def test_a_conflict_is_taken_as_it_stands_in_the_working_tree(
    repo: Repository,
) -> None:
    repo.branch("other")
    repo.commit({"edited.py": "theirs"})
    repo.switch("main")
    repo.commit({"edited.py": "ours"})
    with pytest.raises(Exception, match="merge"):
        repo.merge("other")

    with Git(repo.path) as git:
        found = texts(git, git.snapshot().tree)

    assert b"<<<<<<<" in found["edited.py"]


def test_a_linked_worktree_has_a_snapshot_of_its_own(
    repo: Repository, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "--quiet", str(linked))
    (linked / "here.py").write_text("x")

    with Git(linked) as git:
        assert b"x" == texts(git, git.snapshot().tree)["here.py"]


def test_files_left_out_of_a_sparse_checkout_stay(repo: Repository) -> None:
    repo.commit({"far/away.py": "1"})
    repo.git("sparse-checkout", "set", "--no-cone", "/kept.py")
    assert not (repo.path / "far").exists()

    with Git(repo.path) as git:
        assert b"1" == texts(git, git.snapshot().tree)["far/away.py"]
