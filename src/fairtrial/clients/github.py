"""What GitHub knows, and what it is told: a dozen calls, each with one meaning.

The only file that knows the API library. Requests that GitHub puts off are repeated
as its headers say, within a total time; what may have been done is not repeated here,
but told (`Unanswered`), because only the caller can look whether it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import requests
from ghapi.core import APIError, GhApi

from fairtrial.clients.github_errors import Forbidden, GitHubError, Unanswered
from fairtrial.clients.github_retry import Answer, pause
from fairtrial.domain.errors import ConfigurationError

#: Where GitHub's own API is; another server's is in GITHUB_API_URL.
API: Final = "https://api.github.com"

_REPOSITORY: Final = re.compile(r"(?P<owner>[A-Za-z0-9-]+)/(?P<name>[A-Za-z0-9._-]+)")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_BRANCH: Final = re.compile(r"[^\s\x00-\x1f\x7f]{1,255}")

#: A pull request with more comments than this is read no further.
_PAGES: Final = 100
_FORBIDDEN: Final = 403


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """One pull request, as far as it matters here."""

    number: int
    is_open: bool
    head_sha: str
    #: "owner/name"; None when the fork was deleted.
    head_repository: str | None
    #: None when the account was deleted.
    author: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment; `author` is None when the account was deleted."""

    id: int
    author: str | None
    body: str
    url: str
    hidden: bool = False


class _Operation(Protocol):
    """One operation of the API library; `raw_` asks for the response itself."""

    def __call__(self, *, raw_: bool, **arguments: Any) -> Any: ...


class GitHubClient:
    """One repository's GitHub, with one token.

    `sleep` and `now` (seconds since the epoch) are passed in; `patience` bounds all
    waiting of this client together, in seconds.
    """

    def __init__(
        self,
        *,
        api_url: str,
        repository: str,
        token: str,
        sleep: Callable[[float], object],
        now: Callable[[], float],
        patience: float = 300.0,
        timeout: float = 30.0,
    ) -> None:
        """Makes no request. Raises ConfigurationError for a name that is none."""
        name = _REPOSITORY.fullmatch(repository)
        if name is None or name["name"] in {".", ".."}:
            raise ConfigurationError(f"{repository!r} is no owner/name of a repository")
        if not api_url.startswith(("https://", "http://")):
            raise ConfigurationError(f"{api_url!r} is no address of a GitHub API")
        if not token:
            raise ConfigurationError(
                "there is no token for GitHub",
                remedy="Pass `github-token: ${{ github.token }}` to this step.",
            )
        self._owner, self._name = name["owner"], name["name"]
        self._api_url = api_url.rstrip("/")
        self._sleep, self._now = sleep, now
        self._patience = patience
        self._timeout = timeout
        self._headers = {
            "Accept": "application/vnd.github+json",
            # A token that the environment happens to hold must not be sent instead,
            # so the library is told of none and this header is set by hand.
            "Authorization": f"Bearer {token}",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "fairtrial",
        }
        self.operations: Any = GhApi(  # type: ignore[no-untyped-call]
            gh_host=self._api_url, authenticate=False, sync=True, timeout=timeout
        )
        self.operations.transport.base_headers = self._headers
        # The library would sleep by its own clock; all waiting is counted here.
        self.operations.transport.retries = 0

    def pull(self, number: int) -> PullRequest:
        """One pull request, as it is now."""
        answer = self.ask(
            f"read pull request {number}", self.operations.pulls.get, pull_number=number
        )
        return _pull(mapping(decoded(answer)))

    def pulls_of_commit(self, sha: str) -> tuple[PullRequest, ...]:
        """The pull requests that GitHub associates with a commit."""
        if _COMMIT.fullmatch(sha) is None:
            raise ConfigurationError(f"{sha!r} is no commit")
        return tuple(
            _pull(item)
            for item in self.pages(
                f"find the pull requests of {sha[:7]}",
                self.operations.repos.list_pull_requests_associated_with_commit,
                commit_sha=sha,
            )
        )

    def pulls_of_branch(self, owner: str, branch: str) -> tuple[PullRequest, ...]:
        """The open pull requests from one branch of one account."""
        if _BRANCH.fullmatch(branch) is None:
            raise ConfigurationError(f"{branch!r} is no branch")
        return tuple(
            _pull(item)
            for item in self.pages(
                "find the pull requests of a branch",
                self.operations.pulls.list,
                head=f"{owner}:{branch}",
                state="open",
            )
        )

    def comments(self, number: int) -> tuple[Comment, ...]:
        """All comments of a pull request, the oldest first."""
        return tuple(
            _comment(item)
            for item in self.pages(
                f"read the comments of pull request {number}",
                self.operations.issues.list_comments,
                issue_number=number,
            )
        )

    def create_comment(self, number: int, body: str) -> Comment:
        """A new comment, which notifies people. Raises Unanswered when in doubt."""
        answer = self.ask(
            f"comment on pull request {number}",
            self.operations.issues.create_comment,
            repeatable=False,
            issue_number=number,
            body=body,
        )
        return _comment(mapping(decoded(answer)))

    def edit_comment(self, comment: int, body: str) -> Comment:
        """The comment with a new body, which notifies nobody."""
        answer = self.ask(
            "edit the comment",
            self.operations.issues.update_comment,
            comment_id=comment,
            body=body,
        )
        return _comment(mapping(decoded(answer)))

    def login(self) -> str | None:
        """Who this token is, as comments name their author; None if GitHub won't say.

        Only GraphQL tells it to the tokens of apps, GITHUB_TOKEN among them.
        """
        url = f"{self._api_url.removesuffix('/v3')}/graphql"
        try:
            answer = requests.post(
                url,
                json={"query": "query { viewer { login } }"},
                headers=self._headers,
                timeout=self._timeout,
            )
            login = answer.json()["data"]["viewer"]["login"]
        except (requests.RequestException, ValueError, KeyError, TypeError):
            return None
        return login if isinstance(login, str) else None

    def pages(
        self, what: str, operation: _Operation, *, whole: bool = False, **arguments: Any
    ) -> tuple[Mapping[str, Any], ...]:
        """All items of a list, from all its pages.

        A list without an end is read no further than some ten thousand items, and is
        refused where it has to be `whole`.
        """
        found: list[Mapping[str, Any]] = []
        for page in range(1, _PAGES + 1):
            answer = self.ask(what, operation, per_page=100, page=page, **arguments)
            found += mappings(decoded(answer))
            if 'rel="next"' not in answer.headers.get("link", ""):
                return tuple(found)
        if whole:
            raise GitHubError(f"GitHub did not {what}: there are too many")
        return tuple(found)

    def ask(
        self,
        what: str,
        operation: _Operation,
        *,
        repeatable: bool = True,
        **arguments: Any,
    ) -> Any:
        """The response of one operation, repeated while GitHub asks for patience."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return operation(
                    raw_=True, owner=self._owner, repo=self._name, **arguments
                )
            except APIError as error:
                answer = _answer(error)
                if answer.may_have_happened and not repeatable:
                    raise Unanswered(_said(what, answer)) from error
                seconds = pause(answer, attempt=attempt, now=self._now())
                if seconds is None:
                    raise _refusal(what, answer) from error
                if seconds > self._patience:
                    raise GitHubError(
                        _said(what, answer),
                        status=answer.status,
                        means=f"It asks to wait {seconds:.0f} s, more than is left.",
                        remedy="Re-run this job later; the gate's own result stands.",
                    ) from error
            self._patience -= seconds
            self._sleep(seconds)


def _answer(error: APIError) -> Answer:
    response = error.response
    headers = {} if response is None else dict(response.headers.items())
    return Answer(
        status=error.status_code,
        message=str(error.message)[:500],
        headers={str(name).lower(): str(value) for name, value in headers.items()},
        transport=error.error_type if response is None else "",
    )


def _said(what: str, answer: Answer) -> str:
    how = answer.message or answer.transport or "no answer"
    status = "" if answer.status is None else f"{answer.status} "
    return f"GitHub did not {what}: {status}{how}"


def _refusal(what: str, answer: Answer) -> GitHubError:
    if answer.status == _FORBIDDEN and not answer.is_limit:
        return Forbidden(_said(what, answer), status=answer.status)
    return GitHubError(_said(what, answer), status=answer.status)


def decoded(response: Any) -> Any:
    """What a response holds. Raises GitHubError where it is no JSON."""
    try:
        return response.json()
    except ValueError as error:
        raise GitHubError(
            "GitHub answered with something else than JSON",
            means="A proxy may have answered in its place.",
        ) from error


def mapping(value: Any) -> Mapping[str, Any]:
    """The value, which is an object. Raises GitHubError."""
    if not isinstance(value, dict):
        raise GitHubError("GitHub answered with something else than an object")
    return value


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """The value, which is a list of objects. Raises GitHubError."""
    if not isinstance(value, list):
        raise GitHubError("GitHub answered with something else than a list")
    return [mapping(item) for item in value]


def _pull(answer: Mapping[str, Any]) -> PullRequest:
    try:
        repository, author = answer["head"]["repo"], answer.get("user")
        return PullRequest(
            number=int(answer["number"]),
            is_open=answer["state"] == "open",
            head_sha=str(answer["head"]["sha"]),
            head_repository=None if repository is None else repository["full_name"],
            author=None if author is None else str(author["login"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise GitHubError("GitHub answered with no pull request") from error


def _comment(answer: Mapping[str, Any]) -> Comment:
    try:
        author = answer["user"]
        return Comment(
            id=int(answer["id"]),
            author=None if author is None else str(author["login"]),
            body=str(answer.get("body") or ""),
            url=str(answer["html_url"]),
            hidden=bool(answer.get("minimized")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise GitHubError("GitHub answered with no comment") from error
