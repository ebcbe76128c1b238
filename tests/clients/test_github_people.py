"""GitHub's record of who took part is read whole, or it is said that it was not."""

from __future__ import annotations

import pytest
from tests.fake_github.people import Committed
from tests.fake_github.server import FakeGitHub

from fairtrial.clients import github_people
from fairtrial.clients.github import GitHubClient
from fairtrial.clients.github_errors import Forbidden, GitHubError
from fairtrial.clients.github_people import GitHubPeople
from fairtrial.domain.authorship import Account, Review, Written
from fairtrial.domain.errors import ConfigurationError

HEAD = "a" * 40


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def people(github: FakeGitHub, slept: list[float]) -> GitHubPeople:
    github.pull(7, head=HEAD)
    client = GitHubClient(
        api_url=github.url,
        repository=github.repo,
        token=github.token,
        sleep=slept.append,
        now=lambda: 1_800_000_000.0,
    )
    return GitHubPeople(client)


def test_reviews_are_read_in_their_order(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.people.review(7, by="alice", at=HEAD)
    github.people.review(7, by="helper[bot]", at=HEAD, state="COMMENTED")
    github.people.review(7, by=None, at=None, state="DISMISSED")

    assert (
        Review(by=Account(login="alice", kind="User"), state="APPROVED", commit=HEAD),
        Review(
            by=Account(login="helper[bot]", kind="Bot"), state="COMMENTED", commit=HEAD
        ),
        Review(by=None, state="DISMISSED", commit=None),
    ) == people.reviews(7)


def test_reviews_of_all_pages_are_read(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    for number in range(150):
        github.people.review(7, by=f"user-{number}", at=HEAD)

    assert 150 == len(people.reviews(7))
    assert 2 == len(github.requests)


def test_a_timeline_tells_labels_and_pushes(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.people.commit(7, HEAD)
    github.people.label(7, "one", by="alice")
    github.people.label(7, "two", by="alice", through_app=True)
    github.people.unlabel(7, "one", by="bob")
    github.people.force(7, [])

    found = people.timeline(7)

    assert [
        ("committed", "", None, False),
        ("labeled", "one", "alice", False),
        ("labeled", "two", "alice", True),
        ("unlabeled", "one", "bob", False),
        ("head_ref_force_pushed", "", "octocat", False),
    ] == [
        (each.event, each.label, each.by and each.by.login, each.through_app)
        for each in found
    ]


def test_labels_are_those_that_are_set_now(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.people.label(7, "Fairtrial-Accept-AAAAAAA", by="alice")
    github.people.label(7, "gone", by="alice")
    github.people.forget_label("gone")

    assert {"fairtrial-accept-aaaaaaa"} == people.labels(7)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("admin", "admin"), ("write", "write"), ("read", "read"), ("stranger", "none")],
)
def test_a_permission_is_as_github_words_it(
    github: FakeGitHub, people: GitHubPeople, said: str, expected: str
) -> None:
    github.people.permissions["alice"] = said

    assert expected == people.permission("alice")


@pytest.mark.parametrize("login", ["../x", "a/b", "", "-x", "a" * 200])
def test_a_login_that_is_none_may_do_nothing_and_is_not_asked_for(
    github: FakeGitHub, people: GitHubPeople, login: str
) -> None:
    assert "none" == people.permission(login)
    assert [] == github.requests


def test_commits_come_with_who_github_says_wrote_them_and_with_what_they_say(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.people.commit(
        7, HEAD, author=None, committer="web-flow", name="X", email="x@y", message="m"
    )

    (commit,) = people.commits(7) or ()

    assert (HEAD, None, "web-flow") == (commit.sha, commit.author, commit.committer)
    assert commit.written == Written(
        author_name="X",
        author_email="x@y",
        committer_name="X",
        committer_email="x@y",
        message="m",
    )


@pytest.mark.parametrize(("count", "known"), [(249, True), (250, False), (300, False)])
def test_more_commits_than_github_lists_are_not_taken_for_all(
    github: FakeGitHub, people: GitHubPeople, count: int, *, known: bool
) -> None:
    github.people.force(7, _commits(count))

    assert known is (people.commits(7) is not None)


def test_a_comparison_lists_them_all(github: FakeGitHub, people: GitHubPeople) -> None:
    github.people.force(7, _commits(300))

    found = people.commits_between("b" * 40, HEAD)

    assert found is not None
    assert 300 == len(found)


def test_a_comparison_without_an_end_is_not_taken_for_all(
    github: FakeGitHub, people: GitHubPeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_people, "_COMPARED", 2)
    github.people.force(7, _commits(201))

    assert people.commits_between("b" * 40, HEAD) is None


@pytest.mark.parametrize("base", ["main", "b" * 39, "b" * 40 + "/../x"])
def test_only_commits_are_compared(
    github: FakeGitHub, people: GitHubPeople, base: str
) -> None:
    with pytest.raises(ConfigurationError):
        people.commits_between(base, HEAD)

    assert [] == github.requests


def test_a_missing_permission_is_told_as_such(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.fails(403, "Resource not accessible by integration", on="reviews")

    with pytest.raises(Forbidden, match="read the reviews"):
        people.reviews(7)


def test_a_secondary_limit_is_waited_for(
    github: FakeGitHub, people: GitHubPeople, slept: list[float]
) -> None:
    github.people.review(7, by="alice", at=HEAD)
    github.limits(retry_after=5, on="reviews")

    assert 1 == len(people.reviews(7))
    assert [5.0] == slept


def test_an_outage_of_a_permission_is_no_permission(
    github: FakeGitHub, people: GitHubPeople
) -> None:
    github.fails(502, times=-1, on="permission")

    with pytest.raises(GitHubError, match="502"):
        people.permission("alice")


def test_a_pull_request_that_is_not_there_is_an_error(people: GitHubPeople) -> None:
    for ask in (people.reviews, people.timeline, people.labels, people.commits):
        with pytest.raises(GitHubError, match="404"):
            ask(8)


def _commits(count: int) -> list[Committed]:
    return [
        Committed(sha=f"{number:040x}", author="octocat", committer="octocat")
        for number in range(count)
    ]
