"""Acceptances are read from GitHub as they are now, and bound to the judged head."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.fake_github.server import FakeGitHub
from tests.subject.pulls import NUMBER, PullRequest, opened

from fairtrial.domain.names import CommitId
from fairtrial.domain.settings import Authority
from fairtrial.policy.acceptance import NOBODY
from fairtrial.subject.event import LOCAL, EventKind


@pytest.fixture
def pull(github: FakeGitHub, tmp_path: Path) -> PullRequest:
    return opened(github, tmp_path)


def test_nobody_accepted_a_fresh_pull_request(pull: PullRequest) -> None:
    assert NOBODY == pull.acceptance()


def test_an_approving_review_of_the_head_is_an_acceptance(pull: PullRequest) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)

    assert (f"review by @alice at {pull.head[:7]}",) == pull.acceptance().sentences
    assert pull.acceptance(judged=pull.head).given


@pytest.mark.parametrize("which", ["merge", "base"])
def test_a_review_of_another_commit_is_none(pull: PullRequest, which: str) -> None:
    pull.github.people.review(NUMBER, by="alice", at=getattr(pull, which))

    assert not pull.acceptance().given


def test_a_push_voids_it(pull: PullRequest) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.github.people.label(NUMBER, pull.label, by="alice")
    pull.repo.switch("topic")
    pushed = pull.repo.commit({"a.py": "3\n"})
    pull.event = replace(pull.event, head=pushed, sha=pushed)

    assert not pull.acceptance(judged=pushed).given


def test_a_review_that_was_dismissed_is_none(pull: PullRequest) -> None:
    given = pull.github.people.review(NUMBER, by="alice", at=pull.head)
    assert pull.acceptance().given

    given.state = "DISMISSED"

    assert not pull.acceptance().given


def test_the_authors_own_word_counts_where_the_team_says_so(pull: PullRequest) -> None:
    pull.github.people.label(NUMBER, pull.label, by="ada")

    assert not pull.acceptance().given
    pull.accepts("author")
    assert (f"label by @ada at {pull.head[:7]}",) == pull.acceptance().sentences


def test_a_label_of_somebody_who_may_only_read_is_none(pull: PullRequest) -> None:
    pull.github.people.label(NUMBER, pull.label, by="alice")
    assert pull.acceptance().given

    pull.github.people.permissions["alice"] = "read"

    assert not pull.acceptance().given


def test_a_label_that_was_taken_off_or_deleted_is_none(pull: PullRequest) -> None:
    pull.github.people.label(NUMBER, pull.label, by="alice")
    pull.github.people.unlabel(NUMBER, pull.label, by="ada")
    assert not pull.acceptance().given

    pull.github.people.label(NUMBER, pull.label, by="alice")
    assert pull.acceptance().given
    pull.github.people.forget_label(pull.label)
    assert not pull.acceptance().given


def test_commit_authors_and_agents_are_no_other_person(pull: PullRequest) -> None:
    people = pull.github.people
    for login in ("grace", "helper", "fix[bot]"):
        people.permissions[login] = "write"
        people.review(NUMBER, by=login, at=pull.head)
    people.commit(NUMBER, "c" * 40, author="grace")
    pull.agents(helper=Authority.FEATURE)

    found = pull.acceptance()

    assert not found.given
    assert 3 == len(found.notices)


def test_reviews_beyond_the_first_page_are_read(pull: PullRequest) -> None:
    for number in range(120):
        pull.github.people.review(
            NUMBER, by=f"u{number}", at=pull.head, state="COMMENTED"
        )
    pull.github.people.review(NUMBER, by="alice", at=pull.head)

    assert pull.acceptance().given


def test_only_those_whose_word_may_count_are_looked_up(pull: PullRequest) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.github.people.review(NUMBER, by="ada", at=pull.head)

    pull.acceptance()

    asked = [path for path in pull.asked if "permission" in path]
    assert ["/collaborators/alice/permission"] == asked


@pytest.mark.parametrize(
    ("on", "status"),
    [("reviews", 403), ("timeline", 404), ("commits", 502), ("permission", 502)],
)
def test_what_github_does_not_tell_is_no_acceptance(
    pull: PullRequest, on: str, status: int
) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.github.fails(status, "No", on=on, times=-1)

    found = pull.acceptance()

    assert not found.given
    assert 1 == len(found.notices)


def test_a_missing_permission_of_the_job_is_named(pull: PullRequest) -> None:
    pull.github.fails(403, "Resource not accessible by integration", times=-1)

    (notice,) = pull.acceptance().notices

    assert "`pull-requests: read`" in notice


def test_a_secondary_limit_is_waited_for(pull: PullRequest) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.github.limits(retry_after=1, on="reviews")

    assert pull.acceptance().given


def test_without_a_token_or_a_pull_request_nobody_is_asked(pull: PullRequest) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.token = False
    assert NOBODY == pull.acceptance()

    pull.token = True
    pull.event = LOCAL
    assert NOBODY == pull.acceptance()
    assert [] == pull.github.requests


def test_another_commit_than_the_events_is_accepted_by_nobody(
    pull: PullRequest,
) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    pull.repo.switch("topic")
    other = pull.repo.commit({"a.py": "3\n"})

    assert not pull.acceptance(judged=other).given


def test_a_merge_group_of_one_pull_request_keeps_its_acceptance(
    pull: PullRequest,
) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    queued(pull, pull.merge)
    assert pull.acceptance().given

    pull.github.push(NUMBER, "d" * 40)

    assert not pull.acceptance().given


def test_a_squashed_merge_group_keeps_it_and_one_of_several_does_not(
    pull: PullRequest,
) -> None:
    pull.github.people.review(NUMBER, by="alice", at=pull.head)
    tree = f"{pull.merge}^{{tree}}"
    squashed = pull.repo.git("commit-tree", tree, "-p", pull.base, "-m", "squashed")
    queued(pull, CommitId(squashed))
    assert pull.acceptance(judged=CommitId(squashed)).given

    second = pull.repo.git("commit-tree", tree, "-p", squashed, "-m", "another")
    queued(pull, CommitId(second))

    assert not pull.acceptance(judged=CommitId(second)).given


def queued(pull: PullRequest, commit: CommitId) -> None:
    pull.event = replace(
        pull.event, kind=EventKind.MERGE_GROUP, head=commit, sha=commit, author=""
    )
