"""The client asks as GitHub describes it, waits as it says, and tells what happened."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from tests.fake_github.faults import Loss
from tests.fake_github.server import FakeGitHub

from fairtrial.clients.github import GitHubClient
from fairtrial.clients.github_errors import Forbidden, GitHubError, Unanswered
from fairtrial.domain.errors import ConfigurationError, FairtrialError

NOW = 1_800_000_000.0


@pytest.fixture
def slept() -> list[float]:
    """The seconds that a client of this test slept."""
    return []


@pytest.fixture
def client(github: FakeGitHub, slept: list[float]) -> GitHubClient:
    return client_of(github, slept)


def client_of(
    github: FakeGitHub, slept: list[float], *, timeout: float = 5.0
) -> GitHubClient:
    return GitHubClient(
        api_url=github.url,
        repository=github.repo,
        token=github.token,
        sleep=slept.append,
        now=lambda: NOW,
        timeout=timeout,
    )


def test_a_pull_request_is_read(github: FakeGitHub, client: GitHubClient) -> None:
    github.pull(7, head="c" * 40, fork="mallory/shop")

    pull = client.pull(7)

    assert (7, True, "c" * 40, "mallory/shop") == (
        pull.number,
        pull.is_open,
        pull.head_sha,
        pull.head_repository,
    )


def test_all_pages_of_comments_are_read(
    github: FakeGitHub, client: GitHubClient
) -> None:
    github.pull(7)
    for number in range(201):
        github.comment(7, f"{number}")

    found = client.comments(7)

    assert [f"{number}" for number in range(201)] == [c.body for c in found]
    assert 3 == len(github.requests)


def test_the_tokens_own_login_is_known(
    github: FakeGitHub, client: GitHubClient
) -> None:
    github.login = "my-app[bot]"

    assert "my-app[bot]" == client.login()


def test_an_unknown_login_is_no_error(github: FakeGitHub, client: GitHubClient) -> None:
    github.fails(403, "Resource not accessible by integration", on="/graphql")

    assert client.login() is None


def test_retry_after_is_waited_for(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.limits(retry_after=17)

    client.pull(7)

    assert [17.0] == slept


def test_a_reset_time_is_waited_for(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.limits(reset=int(NOW) + 40)

    client.pull(7)

    assert [41.0] == slept


def test_a_limit_that_tells_no_time_is_waited_for_longer_each_time(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.limits(times=2)

    client.pull(7)

    assert [60.0, 120.0] == slept


def test_a_limited_comment_is_made_once(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.limits(status=429, retry_after=1, on="POST")

    client.create_comment(7, "hello")

    assert ["hello"] == [comment.body for comment in github.comments_of(7)]
    assert [1.0] == slept


def test_waiting_has_an_end(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.limits(retry_after=200, times=5)

    with pytest.raises(GitHubError, match="secondary rate limit") as caught:
        client.pull(7)

    assert [200.0] == slept
    assert "more than is left" in caught.value.means


def test_an_outage_is_asked_again_and_ends(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.fails(502, "Bad Gateway", times=-1)

    with pytest.raises(GitHubError, match="502 Bad Gateway"):
        client.pull(7)

    assert [1.0, 2.0, 4.0, 8.0, 16.0] == slept


@pytest.mark.parametrize("how", [Loss.CUT, Loss.STALL, Loss.DONE_AND_STALL])
def test_a_comment_whose_answer_is_lost_is_in_doubt(
    github: FakeGitHub, slept: list[float], how: Loss
) -> None:
    github.pull(7)
    github.loses_answer(on="POST", how=how)

    with pytest.raises(Unanswered):
        client_of(github, slept, timeout=0.3).create_comment(7, "hello")

    assert 1 == len(github.requests)


def test_a_comment_that_met_a_server_error_is_in_doubt(
    github: FakeGitHub, client: GitHubClient
) -> None:
    github.pull(7)
    github.fails(502, on="POST")

    with pytest.raises(Unanswered):
        client.create_comment(7, "hello")


def test_an_edit_whose_answer_is_lost_is_made_again(
    github: FakeGitHub, client: GitHubClient
) -> None:
    github.pull(7)
    comment = github.comment(7, "old", author=github.login)
    github.loses_answer(on="PATCH")

    client.edit_comment(comment.id, "new")

    assert ("new", 2) == (comment.body, comment.edits)


def test_a_token_that_may_only_read_is_forbidden_at_once(
    github: FakeGitHub, client: GitHubClient, slept: list[float]
) -> None:
    github.pull(7)
    github.read_only()

    with pytest.raises(Forbidden, match="Resource not accessible"):
        client.create_comment(7, "hello")

    assert [] == slept


def test_a_token_of_the_environment_is_not_sent(
    github: FakeGitHub, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "another")
    monkeypatch.setenv("GITHUB_JWT_TOKEN", "another")
    before = dict(os.environ)
    github.pull(7)

    assert 7 == client_of(github, slept).pull(7).number
    assert before == dict(os.environ)


def test_the_token_is_in_no_error(github: FakeGitHub, client: GitHubClient) -> None:
    with pytest.raises(GitHubError) as caught:
        client.pull(404)

    shown = [repr(caught.value), caught.value.diagnostics()]
    cause = caught.value.__cause__
    while cause is not None:
        shown.append(repr(cause))
        cause = cause.__cause__
    assert not any(github.token in text for text in shown)


def test_nobody_answering_is_told_as_such(slept: list[float]) -> None:
    github = FakeGitHub()
    client = client_of(github, slept)
    github.start()
    github.stop()

    with pytest.raises(GitHubError, match="refused"):
        client.comments(7)


@pytest.mark.parametrize(
    ("repository", "url", "token"),
    [
        ("octo/../secrets", "http://x", "t"),
        ("octo/..", "http://x", "t"),
        ("octo", "http://x", "t"),
        ("octo/shop/../x", "http://x", "t"),
        ("octo/shop", "file:///etc", "t"),
        ("octo/shop", "http://x", ""),
    ],
)
def test_names_that_are_none_are_refused(repository: str, url: str, token: str) -> None:
    with pytest.raises(ConfigurationError):
        GitHubClient(
            api_url=url,
            repository=repository,
            token=token,
            sleep=lambda _: None,
            now=lambda: NOW,
        )


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.pulls_of_commit("main/../../x"),
        lambda client: client.pulls_of_commit("a" * 39),
        lambda client: client.pulls_of_branch("octo", "a b"),
    ],
)
def test_commits_and_branches_that_are_none_are_not_asked_for(
    github: FakeGitHub, client: GitHubClient, ask: Callable[[GitHubClient], object]
) -> None:
    with pytest.raises(FairtrialError):
        ask(client)

    assert [] == github.requests
