"""Shallow clones: history is fetched as far as it is needed, or its lack is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.subject.repositories import Repository, repository, shallow_clone

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId
from fairtrial.subject.event import Event, EventKind
from fairtrial.subject.history import History
from fairtrial.subject.revisions import find_revisions


@pytest.fixture
def origin(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "origin")
    made.commit({"a": "0"})
    return made


def long_branch(origin: Repository, length: int) -> tuple[CommitId, CommitId]:
    """Main, and a branch that left it that many commits ago."""
    fork = origin.head()
    origin.branch("topic")
    for number in range(length):
        origin.commit({"topic": str(number)})
    origin.switch("main")
    origin.commit({"main": "1"})
    return fork, CommitId(origin.git("rev-parse", "topic"))


def test_a_depth_of_one_is_enough_for_a_pull_request(
    origin: Repository, tmp_path: Path
) -> None:
    _, head = long_branch(origin, 3)
    main = origin.head()
    origin.git("switch", "--quiet", "--detach")
    merge = origin.merge("topic")
    clone = shallow_clone(origin, tmp_path / "clone", merge)
    event = Event(kind=EventKind.PULL_REQUEST, sha=merge, head=head, base=main)

    with Git(clone.path) as git:
        found = find_revisions(git, event, History(git=git))

        assert (merge, main) == (found.head, found.base)
        assert {"a", "main"} == set(git.listing(found.base))


def test_a_clone_that_can_not_fetch_says_what_is_missing_and_what_to_do(
    origin: Repository, tmp_path: Path
) -> None:
    long_branch(origin, 1)
    origin.git("switch", "--quiet", "--detach")
    merge = origin.merge("topic")
    clone = shallow_clone(origin, tmp_path / "clone", merge)
    clone.git("remote", "remove", "origin")
    head = CommitId(origin.git("rev-parse", "topic"))
    event = Event(kind=EventKind.PULL_REQUEST, sha=merge, head=head)

    with Git(clone.path) as git, pytest.raises(ConfigurationError) as caught:
        find_revisions(git, event, History(git=git))

    said = caught.value.diagnostics()
    assert "lacks the base of this pull request" in said
    assert "fetch-depth: 0" in said


@pytest.mark.parametrize("length", [3, 70])
def test_a_merge_base_is_found_by_deepening(
    origin: Repository, tmp_path: Path, length: int
) -> None:
    fork, head = long_branch(origin, length)
    clone = shallow_clone(origin, tmp_path / "clone", head)

    with Git(clone.path) as git:
        history = History(git=git)
        main = history.branch("main")

        assert origin.head() == main
        assert fork == history.merge_base(main, head)


def test_a_merge_base_that_a_shallow_clone_shows_too_early_is_not_believed(
    origin: Repository, tmp_path: Path
) -> None:
    # topic: old - merge(old side branch) ; the best common ancestor is cut off on
    # the way over main, while an older one shows over the side branch.
    old = origin.head()
    origin.branch("side")
    origin.commit({"side": "1"})
    origin.switch("main")
    best = origin.commit({"main": "1"})
    origin.branch("topic")
    for number in range(4):
        origin.commit({"topic": str(number)})
    head = origin.merge("side")
    origin.switch("main")
    tip = origin.commit({"main": "2"})
    clone = shallow_clone(origin, tmp_path / "clone", head, depth=3)
    clone.git("fetch", "--quiet", "--depth=3", "origin", tip)

    with Git(clone.path) as git:
        assert (old,) == git.merge_bases(tip, head)
        assert best == History(git=git).merge_base(tip, head)


def test_fetching_a_commit_does_not_cut_a_whole_clone_short(
    origin: Repository, tmp_path: Path
) -> None:
    fork, _ = long_branch(origin, 2)
    clone = repository(tmp_path / "clone")
    clone.git("remote", "add", "origin", origin.path.as_uri())
    clone.git("fetch", "--quiet", "origin", "topic")
    clone.git("checkout", "--quiet", "--detach", "FETCH_HEAD")

    with Git(clone.path) as git:
        history = History(git=git)
        main = history.commit(origin.head(), "main")

        assert frozenset() == git.shallow_commits()
        assert fork == history.merge_base(main, clone.head())


def test_unrelated_histories_are_told_after_all_is_fetched(
    origin: Repository, tmp_path: Path
) -> None:
    main = origin.head()
    origin.git("switch", "--quiet", "--orphan", "island")
    island = origin.commit({"x": "1"})
    clone = shallow_clone(origin, tmp_path / "clone", island)

    with Git(clone.path) as git, pytest.raises(ConfigurationError, match="no common"):
        History(git=git).merge_base(main, island)


def test_a_branch_that_nobody_has_is_an_error(origin: Repository) -> None:
    with Git(origin.path) as git:
        with pytest.raises(ConfigurationError, match="branch `gone`"):
            History(git=git).branch("gone")
        with pytest.raises(ConfigurationError, match="does not name the branch"):
            History(git=git).branch("")
