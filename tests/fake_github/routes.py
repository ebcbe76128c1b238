"""What the fake GitHub can do: one function an operation.

To add one: its path has to be in `openapi-slice.json`; then write a function with
`@route` that changes or reads `github` and returns an `Answer`. Requests and answers
are checked against the description without further work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tests.fake_github.state import Answer, Call, refused

if TYPE_CHECKING:
    from tests.fake_github.server import FakeGitHub

Route = Callable[["FakeGitHub", Call], Answer]

#: By method and path template.
ROUTES: Final[dict[tuple[str, str], Route]] = {}

_COMMENTS: Final = "/repos/{owner}/{repo}/issues/{issue_number}/comments"
_COMMENT: Final = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
_BODY_LIMIT: Final = 65_536


def route(method: str, template: str) -> Callable[[Route], Route]:
    """Registers a function as what answers an operation."""

    def register(function: Route) -> Route:
        ROUTES[method, template] = function
        return function

    return register


def paged(github: FakeGitHub, call: Call, items: Sequence[Any]) -> Answer:
    """One page of a list, with a Link header when there is another."""
    size, number = int(call.query.get("per_page", 30)), int(call.query.get("page", 1))
    headers = {}
    if number * size < len(items):
        address = f"{github.url}{call.path}?per_page={size}&page={number + 1}"
        headers["Link"] = f'<{address}>; rel="next"'
    return Answer(200, list(items[(number - 1) * size : number * size]), headers)


@route("GET", "/repos/{owner}/{repo}/pulls/{pull_number}")
def get_pull(github: FakeGitHub, call: Call) -> Answer:
    pull = github.pulls.get(int(call.parameters["pull_number"]))
    return Answer(200, pull.shown()) if pull else refused(404, "Not Found")


@route("GET", "/repos/{owner}/{repo}/pulls")
def list_pulls(github: FakeGitHub, call: Call) -> Answer:
    wanted = [
        pull.shown("pull-request-simple")
        for pull in github.pulls.values()
        if call.query.get("state", "open") in {pull.state, "all"}
        and call.query.get("head") in {None, f"{pull.repository.owner}:{pull.branch}"}
    ]
    return paged(github, call, wanted)


@route("GET", "/repos/{owner}/{repo}/commits/{commit_sha}/pulls")
def pulls_of_commit(github: FakeGitHub, call: Call) -> Answer:
    wanted = [
        pull.shown("pull-request-simple")
        for pull in github.pulls.values()
        if call.parameters["commit_sha"] in {pull.head, *github.ancestry(pull)}
        and pull.number not in github.unassociated
    ]
    return paged(github, call, wanted)


@route("GET", _COMMENTS)
def list_comments(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["issue_number"])
    return paged(github, call, [c.shown() for c in github.comments_of(number)])


@route("POST", _COMMENTS)
def create_comment(github: FakeGitHub, call: Call) -> Answer:
    number = int(call.parameters["issue_number"])
    if number not in github.pulls:
        return refused(404, "Not Found")
    if len(call.body["body"]) > _BODY_LIMIT:
        return refused(422, f"Body is too long (maximum is {_BODY_LIMIT} characters)")
    made = github.comment(number, call.body["body"], author=github.login)
    return Answer(201, made.shown(), {"Location": made.shown()["url"]})


@route("GET", _COMMENT)
def get_comment(github: FakeGitHub, call: Call) -> Answer:
    comment = github.comments.get(int(call.parameters["comment_id"]))
    return Answer(200, comment.shown()) if comment else refused(404, "Not Found")


@route("PATCH", _COMMENT)
def edit_comment(github: FakeGitHub, call: Call) -> Answer:
    comment = github.comments.get(int(call.parameters["comment_id"]))
    if comment is None:
        return refused(404, "Not Found")
    if len(call.body["body"]) > _BODY_LIMIT:
        return refused(422, f"Body is too long (maximum is {_BODY_LIMIT} characters)")
    comment.body = call.body["body"]
    comment.edits += 1
    return Answer(200, comment.shown())


@route("POST", "/graphql")
def graphql(github: FakeGitHub, call: Call) -> Answer:
    """The one question that is asked in GraphQL, which no OpenAPI describes."""
    assert "viewer" in call.body["query"]
    return Answer(200, {"data": {"viewer": {"login": github.login}}})
