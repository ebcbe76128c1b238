"""Each case of what a base is, on real repositories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.subject.repositories import Repository, repository

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId
from fairtrial.subject.event import LOCAL, Event, EventKind
from fairtrial.subject.history import History
from fairtrial.subject.revisions import Revisions, find_revisions


def found(
    repo: Repository,
    event: Event = LOCAL,
    *,
    base: str | None = None,
    head: str | None = None,
) -> Revisions:
    with Git(repo.path) as git:
        history = History(git=git)
        return find_revisions(git, event, history, base=base, head=head)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = repository(tmp_path / "repo")
    made.commit({"a": "1"})
    return made


@pytest.fixture
def topic(repo: Repository) -> dict[str, CommitId]:
    """A branch of two commits, while main went on by one."""
    fork = repo.head()
    repo.branch("topic")
    first = repo.commit({"b": "1"})
    head = repo.commit({"b": "2"})
    repo.switch("main")
    main = repo.commit({"c": "1"})
    return {"fork": fork, "first": first, "head": head, "main": main}


def pull_request(repo: Repository, topic: dict[str, CommitId]) -> Event:
    repo.git("switch", "--quiet", "--detach", "main")
    merge = repo.merge("topic")
    return Event(
        kind=EventKind.PULL_REQUEST,
        sha=merge,
        base=topic["main"],
        head=topic["head"],
        base_branch="main",
        default_branch="main",
    )


def test_the_merge_commit_of_a_pull_request_is_judged_against_its_first_parent(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = pull_request(repo, topic)

    result = found(repo, event)

    assert (event.sha, topic["main"]) == (result.head, result.base)
    assert not result.working_tree


def test_the_first_parent_counts_even_where_the_payload_is_older(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = replace(pull_request(repo, topic), base=topic["fork"])

    assert topic["main"] == found(repo, event).base


def test_a_pull_requests_own_head_is_judged_against_the_merge_base(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = pull_request(repo, topic)
    repo.switch("topic")

    result = found(repo, event)

    assert (topic["head"], topic["fork"]) == (result.head, result.base)


def test_main_merged_into_the_branch_moves_the_base_to_what_was_merged(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = pull_request(repo, topic)
    repo.switch("topic")
    merged = repo.merge("main")
    event = replace(event, head=merged)

    result = found(repo, event)

    # Its first parent, the branch before the merge, would be wrong.
    assert (merged, topic["main"]) == (result.head, result.base)
    assert topic["main"] == found(repo, base=None, head="topic").base


def test_a_merge_at_heads_end_is_not_taken_for_the_pull_requests_merge(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")
    merged = repo.merge("main")
    event = Event(
        kind=EventKind.PULL_REQUEST,
        sha=merged,
        base=topic["main"],
        head=merged,
        base_branch="main",
    )

    assert topic["main"] == found(repo, event).base


def test_a_newer_tip_of_the_target_branch_in_the_clone_counts(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = replace(pull_request(repo, topic), base=topic["fork"])
    repo.git("update-ref", "refs/remotes/origin/main", topic["main"])
    repo.switch("topic")
    merged = repo.merge("main")

    assert topic["main"] == found(repo, replace(event, head=merged)).base


def test_a_third_commit_checked_out_is_refused(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = pull_request(repo, topic)
    repo.switch("main")

    with pytest.raises(ConfigurationError, match="holds commit"):
        found(repo, event)


def test_a_merge_group_has_its_own_base(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    merge = pull_request(repo, topic).sha
    event = Event(kind=EventKind.MERGE_GROUP, sha=merge, head=merge, base=topic["fork"])

    assert topic["fork"] == found(repo, event).base
    with pytest.raises(ConfigurationError, match="names no base"):
        found(repo, replace(event, base=None))


def push(topic: dict[str, CommitId], before: CommitId | None) -> Event:
    return Event(
        kind=EventKind.PUSH,
        sha=topic["head"],
        ref="refs/heads/topic",
        base=before,
        default_branch="main",
    )


def test_a_push_is_judged_against_what_was_there_before(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")

    assert topic["first"] == found(repo, push(topic, topic["first"])).base


@pytest.mark.parametrize("forced", [True, False])
def test_a_forced_push_is_judged_against_the_merge_base(
    repo: Repository, topic: dict[str, CommitId], *, forced: bool
) -> None:
    # `main` is no ancestor of the pushed commit, whatever the payload says.
    repo.switch("topic")
    event = replace(push(topic, topic["main"]), forced=forced)

    result = found(repo, event)

    assert topic["fork"] == result.base
    assert "forced" in result.how


def test_a_new_branch_is_judged_against_the_merge_base_with_the_default_branch(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")

    assert topic["fork"] == found(repo, push(topic, None)).base


def test_the_first_push_of_the_default_branch_has_no_base(repo: Repository) -> None:
    event = Event(
        kind=EventKind.PUSH,
        sha=repo.head(),
        ref="refs/heads/main",
        default_branch="main",
    )

    with pytest.raises(ConfigurationError, match="creates the default branch"):
        found(repo, event)


def test_a_push_whose_former_commit_is_gone_is_an_error(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")

    with pytest.raises(ConfigurationError, match="before this push") as caught:
        found(repo, push(topic, CommitId("4" * 40)))
    assert "fetch-depth: 0" in caught.value.diagnostics()


def dispatch(topic: dict[str, CommitId], commit: str, branch: str) -> Event:
    return Event(
        kind=EventKind.WORKFLOW_DISPATCH,
        sha=topic[commit],
        ref=f"refs/heads/{branch}",
        default_branch="main",
    )


def test_a_dispatch_is_judged_against_the_merge_base_with_the_default_branch(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")

    assert topic["fork"] == found(repo, dispatch(topic, "head", "topic")).base


def test_a_dispatch_on_the_default_branch_is_an_error(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    with pytest.raises(ConfigurationError, match="default branch"):
        found(repo, dispatch(topic, "main", "main"))


def test_an_event_with_a_named_base_goes_by_it_and_by_no_working_tree(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    event = pull_request(repo, topic)

    result = found(repo, event, base="topic~1")

    assert (event.sha, topic["first"]) == (result.head, result.base)
    assert not result.working_tree


def test_a_local_run_judges_the_working_tree_against_the_merge_base(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.switch("topic")

    result = found(repo)

    assert (topic["head"], topic["fork"]) == (result.head, result.base)
    assert result.working_tree


def test_a_named_base_is_exactly_that_revision(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    result = found(repo, base="main", head="topic")

    assert (topic["head"], topic["main"]) == (result.head, result.base)
    assert not result.working_tree


def test_origins_idea_of_the_default_branch_comes_first(
    repo: Repository, topic: dict[str, CommitId]
) -> None:
    repo.git("update-ref", "refs/remotes/origin/trunk", topic["first"])
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")

    result = found(repo, head="topic")

    assert topic["first"] == result.base
    assert "origin/trunk" in result.how


def test_a_default_branch_called_master_is_found(tmp_path: Path) -> None:
    repo = repository(tmp_path / "other")
    first = repo.commit({"a": "1"})
    repo.git("branch", "--move", "main", "master")

    assert first == found(repo).base


def test_a_repository_without_a_default_branch_asks_for_one(tmp_path: Path) -> None:
    repo = repository(tmp_path / "other")
    repo.commit({"a": "1"})
    repo.git("branch", "--move", "main", "odd")

    with pytest.raises(ConfigurationError, match="default branch"):
        found(repo)


def test_a_repository_without_a_commit_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no commit yet"):
        found(repository(tmp_path / "empty"))


def test_a_revision_that_is_not_there_is_named(repo: Repository) -> None:
    with pytest.raises(ConfigurationError, match="no commit `nowhere`"):
        found(repo, base="nowhere")
    with pytest.raises(ConfigurationError, match="no commit `nowhere`"):
        found(repo, head="nowhere")


def test_unrelated_histories_have_no_base(repo: Repository) -> None:
    repo.git("switch", "--quiet", "--orphan", "island")
    repo.commit({"x": "1"})

    with pytest.raises(ConfigurationError, match="no common ancestor"):
        found(repo)
