"""What the fake GitHub says of those who took part; see `routes.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tests.fake_github.contract import specimen
from tests.fake_github.people import Committed
from tests.fake_github.routes import ROUTES, paged, route
from tests.fake_github.state import Answer, Call, refused

if TYPE_CHECKING:
    from tests.fake_github.server import FakeGitHub

__all__ = ["ROUTES"]

#: GitHub lists no more commits of a pull request.
_LISTED: Final = 250


@route("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews")
def list_reviews(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["pull_number"])
    return _of_pull(github, call, number, github.people.reviews.get(number, []))


@route("GET", "/repos/{owner}/{repo}/issues/{issue_number}/timeline")
def list_timeline(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["issue_number"])
    return _of_pull(github, call, number, github.people.timelines.get(number, []))


@route("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/commits")
def list_commits(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["pull_number"])
    commits = github.people.commits.get(number, [])
    return _of_pull(github, call, number, commits[:_LISTED])


@route("GET", "/repos/{owner}/{repo}/issues/{issue_number}/labels")
def list_labels(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["issue_number"])
    if number not in github.pulls:
        return refused(404, "Not Found")
    names = github.people.labels.get(number, [])
    return paged(github, call, [specimen("label", name=name) for name in names])


@route("GET", "/repos/{owner}/{repo}/collaborators/{username}/permission")
def permission(github: FakeGitHub, call: Call) -> Answer:
    login = call.parameters["username"]
    said = github.people.permissions.get(login, "read")
    if said == "stranger":
        return refused(404, f"{login} is not a user")
    body = specimen(
        "repository-collaborator-permission",
        permission=said,
        role_name=said,
        user=None,
    )
    return Answer(200, body)


@route("GET", "/repos/{owner}/{repo}/compare/{basehead}")
def compare(github: FakeGitHub, call: Call) -> Answer:
    """What the pull request has whose head is compared."""
    head = call.parameters["basehead"].partition("...")[2]
    pull = next((one for one in github.pulls.values() if one.head == head), None)
    if pull is None:
        return refused(404, "Not Found")
    commits = github.people.commits.get(pull.number, [])
    page = paged(github, call, commits)
    base = Committed(sha="b" * 40, author="octocat", committer="octocat").shown()
    body = specimen(
        "commit-comparison",
        total_commits=len(commits),
        base_commit=base,
        merge_base_commit=base,
        commits=[commit.shown() for commit in page.body],
    )
    return Answer(200, body, page.headers)


def _of_pull(github: FakeGitHub, call: Call, number: int, items: list[Any]) -> Answer:
    if number not in github.pulls:
        return refused(404, "Not Found")
    page = paged(github, call, items)
    return replace(page, body=[item.shown() for item in page.body])
