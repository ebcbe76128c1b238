from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.subject.repositories import Repository, repository, shallow_clone

from fairtrial.clients.git import Git, top_of
from fairtrial.clients.git_process import environment
from fairtrial.domain.errors import ConfigurationError, ServiceError
from fairtrial.domain.names import CommitId, RepoPath
from fairtrial.trees.listing import LINK, SUBMODULE


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return repository(tmp_path / "repo")


def test_a_listing_has_every_path_with_mode_and_blob(repo: Repository) -> None:
    strange = "a b/ü\n\t\"'.py"
    repo.write({strange: "x", "run.sh": "y", "a.py": "z"})
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("a.py")
    head = repo.commit()

    with Git(repo.path) as git:
        listing = git.listing(head)

        assert {strange, "run.sh", "a.py", "link"} == set(listing)
        assert 0o100755 == listing[RepoPath("run.sh")].mode
        assert LINK == listing[RepoPath("link")].mode
        assert b"a.py" == git.read(listing[RepoPath("link")].blob)
        assert b"x" == git.read(listing[RepoPath(strange)].blob)


def test_a_submodule_is_seen_as_one(repo: Repository) -> None:
    repo.commit({"a": "1"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.head()},vendor")
    repo.git("commit", "--quiet", "--message", "a submodule")

    with Git(repo.path) as git:
        assert SUBMODULE == git.listing("HEAD")[RepoPath("vendor")].mode
        assert {"a": 1} == git.sizes(git.listing("HEAD"))


def test_a_name_that_is_no_utf8_survives_the_round_trip(repo: Repository) -> None:
    (repo.path / os.fsdecode(b"\xff.py")).write_text("x")
    repo.commit()

    with Git(repo.path) as git:
        (path,) = git.listing("HEAD")

    assert b"\xff.py" == os.fsencode(path)


def test_blobs_are_read_by_many_threads_from_one_process(repo: Repository) -> None:
    texts = {f"{number}.bin": os.urandom(number * 97) for number in range(300)}
    repo.commit(dict(texts))

    with Git(repo.path) as git:
        listing = git.listing("HEAD")
        blobs = {path: entry.blob for path, entry in listing.items()}
        with ThreadPoolExecutor(8) as pool:
            found = dict(zip(blobs, pool.map(git.read, blobs.values()), strict=True))
        together = git.read_all(blobs.values())

    assert texts == found
    assert texts == {path: together[blob] for path, blob in blobs.items()}


def test_a_blob_that_is_missing_is_an_error_with_a_remedy(repo: Repository) -> None:
    repo.commit({"a": "1"})

    with Git(repo.path) as git:
        with pytest.raises(ServiceError, match="lacks the object"):
            git.read("0" * 39 + "1")
        assert b"1" == git.read(git.listing("HEAD")[RepoPath("a")].blob)


@pytest.mark.parametrize("name", ["nowhere", "--help", "-x", "HEAD:a", "0" * 40, ""])
def test_a_revision_that_names_no_commit_is_none(repo: Repository, name: str) -> None:
    repo.commit({"a": "1"})

    with Git(repo.path) as git:
        assert git.commit(name) is None


def test_parents_are_told_even_where_a_shallow_clone_lacks_them(
    repo: Repository, tmp_path: Path
) -> None:
    first = repo.commit({"a": "1"})
    repo.branch("side")
    second = repo.commit({"b": "1"})
    repo.switch("main")
    merge = repo.merge("side")
    clone = shallow_clone(repo, tmp_path / "clone", merge)

    with Git(clone.path) as git:
        assert (first, second) == git.parents(merge)
        assert git.commit(first) is None
        assert frozenset({merge}) == git.shallow_commits()
    with Git(repo.path) as git:
        assert frozenset() == git.shallow_commits()


def test_the_environment_holds_nothing_of_ours_but_the_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("HTTPS_PROXY", "proxy")

    env = environment(tmp_path)

    assert "GIT_DIR" not in env
    assert "secret" not in env.values()
    assert "proxy" == env["HTTPS_PROXY"]
    assert ("safe.directory", str(tmp_path)) == (
        env["GIT_CONFIG_KEY_0"],
        env["GIT_CONFIG_VALUE_0"],
    )


def test_programs_that_a_repository_names_are_not_run(
    repo: Repository, tmp_path: Path
) -> None:
    trace = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0" >> {trace}\n')
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "reference-transaction"):
        (hooks / hook).symlink_to(program)
    head = repo.commit({"a.txt": "1", ".gitattributes": "*.txt diff=x filter=x\n"})
    repo.git("config", "core.fsmonitor", str(program))
    repo.git("config", "core.hooksPath", str(hooks))
    repo.git("config", "diff.x.textconv", str(program))
    repo.git("config", "diff.external", str(program))
    repo.git("config", "core.pager", str(program))

    with Git(repo.path) as git:
        git.listing(head)
        git.merge_bases(head, head)
        git.snapshot()
        git.parents(head)

    assert not trace.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_owner_is_read(repo: Repository) -> None:
    head = repo.commit({"a": "1"})
    for file in [repo.path, *repo.path.rglob("*")]:
        os.chown(file, 12345, 12345)

    with Git(repo.path) as git:
        assert head == git.commit("HEAD")
        assert {"a"} == set(git.listing("HEAD"))
        assert git.snapshot().tree == git.tree_id("HEAD")


def test_a_folder_inside_a_repository_leads_to_its_top(
    repo: Repository, tmp_path: Path
) -> None:
    inside = repo.path / "a" / "b"
    inside.mkdir(parents=True)

    assert repo.path.resolve() == top_of(inside)
    assert top_of(tmp_path) is None


def test_replaced_objects_are_not_believed(repo: Repository) -> None:
    first = repo.commit({"a": "1"})
    second = repo.commit({"a": "2"})
    repo.git("replace", second, first)

    with Git(repo.path) as git:
        (blob,) = (entry.blob for entry in git.listing(second).values())
        assert b"2" == git.read(blob)


def test_a_machine_without_git_is_told_so(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent / "nothing"))

    with Git(repo.path) as git, pytest.raises(ConfigurationError, match="git can't"):
        git.commit("HEAD")


def test_closing_twice_is_no_error(repo: Repository) -> None:
    repo.commit({"a": "1"})
    git = Git(repo.path)
    git.read(git.listing("HEAD")[RepoPath("a")].blob)

    git.close()
    git.close()


def test_common_ancestors_and_what_lies_between(repo: Repository) -> None:
    first = repo.commit({"a": "1"})
    repo.branch("side")
    side = repo.commit({"b": "1"})
    repo.switch("main")
    main = repo.commit({"c": "1"})

    with Git(repo.path) as git:
        assert (first,) == git.merge_bases(main, side)
        assert git.is_ancestor(first, side)
        assert not git.is_ancestor(side, main)
        assert git.any_of(frozenset({side}), [side, main, f"^{first}"])
        assert not git.any_of(frozenset({first}), [side, main, f"^{first}"])
        assert git.is_ancestor(CommitId("0" * 40), main) is False
