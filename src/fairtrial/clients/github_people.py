"""Who took part in a pull request, and who accepted it: GitHub's own record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fairtrial.clients.github import (
    GitHubClient,
    PullRequest,
    decoded,
    mapping,
)
from fairtrial.clients.github_errors import GitHubError
from fairtrial.domain.authorship import (
    Account,
    NamedCommit,
    Review,
    TimelineEvent,
    Written,
)
from fairtrial.domain.errors import ConfigurationError

_LOGIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}(?:\[bot\])?")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")

#: GitHub lists no more commits of a pull request than this.
COMMITS_LISTED: Final = 250
#: Pages of a comparison that are read; a change with more commits is not read whole.
_COMPARED: Final = 50
_ABSENT: Final = 404


class GitHubPeople:
    """Reads through a client; every answer is as GitHub gives it now."""

    def __init__(self, client: GitHubClient) -> None:
        self._client = client

    def pull(self, number: int) -> PullRequest:
        """One pull request, as it is now."""
        return self._client.pull(number)

    def reviews(self, number: int) -> tuple[Review, ...]:
        """All reviews of a pull request, the oldest first."""
        return tuple(
            Review(
                by=_account(item.get("user")),
                state=_text(item, "state"),
                commit=_text(item, "commit_id") or None,
            )
            for item in self._client.pages(
                f"read the reviews of pull request {number}",
                self._client.operations.pulls.list_reviews,
                whole=True,
                pull_number=number,
            )
        )

    def timeline(self, number: int) -> tuple[TimelineEvent, ...]:
        """What happened to a pull request, the oldest first."""
        return tuple(
            TimelineEvent(
                event=_text(item, "event"),
                label=_text(_inside(item, "label"), "name"),
                by=_account(item.get("actor")),
                through_app=item.get("performed_via_github_app") is not None,
            )
            for item in self._client.pages(
                f"read the timeline of pull request {number}",
                self._client.operations.issues.list_events_for_timeline,
                whole=True,
                issue_number=number,
            )
        )

    def labels(self, number: int) -> frozenset[str]:
        """The labels that a pull request has now, in lower case, as they are one."""
        return frozenset(
            _text(item, "name").lower()
            for item in self._client.pages(
                f"read the labels of pull request {number}",
                self._client.operations.issues.list_labels_on_issue,
                whole=True,
                issue_number=number,
            )
        )

    def permission(self, login: str) -> str:
        """What an account may do: "admin", "write", "read" or "none"."""
        if _LOGIN.fullmatch(login) is None:
            return "none"
        try:
            answer = self._client.ask(
                f"tell what {login} may do",
                self._client.operations.repos.get_collaborator_permission_level,
                username=login,
            )
        except GitHubError as refused:
            if refused.status == _ABSENT:
                return "none"
            raise
        return _text(mapping(decoded(answer)), "permission")

    def commits(self, number: int) -> tuple[NamedCommit, ...] | None:
        """The commits of a pull request; None: there are more than GitHub lists."""
        found = tuple(
            map(
                _commit,
                self._client.pages(
                    f"read the commits of pull request {number}",
                    self._client.operations.pulls.list_commits,
                    whole=True,
                    pull_number=number,
                ),
            )
        )
        return found if len(found) < COMMITS_LISTED else None

    def commits_between(self, base: str, head: str) -> tuple[NamedCommit, ...] | None:
        """The commits that head has and base has not; None: too many to read."""
        for commit in (base, head):
            if _COMMIT.fullmatch(commit) is None:
                raise ConfigurationError(f"{commit!r} is no commit")
        found: list[NamedCommit] = []
        for page in range(1, _COMPARED + 1):
            answer = self._client.ask(
                f"compare {base[:7]} and {head[:7]}",
                self._client.operations.repos.compare_commits,
                basehead=f"{base}...{head}",
                per_page=100,
                page=page,
            )
            body = mapping(decoded(answer))
            here = list(_items(body.get("commits")))
            found += map(_commit, here)
            if len(found) == body.get("total_commits"):
                return tuple(found)
            if not here:
                break
        return None


def _items(value: object) -> Iterator[Mapping[str, Any]]:
    for item in value if isinstance(value, list) else ():
        yield mapping(item)


def _text(item: Mapping[str, Any], key: str) -> str:
    found = item.get(key)
    return found if isinstance(found, str) else ""


def _inside(item: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    found: Any = item
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _account(value: object) -> Account | None:
    item: Mapping[str, Any] = value if isinstance(value, dict) else {}
    login = _text(item, "login")
    return Account(login=login, kind=_text(item, "type")) if login else None


def _commit(item: Mapping[str, Any]) -> NamedCommit:
    author, committer = (
        _inside(item, "commit", who) for who in ("author", "committer")
    )
    return NamedCommit(
        sha=_text(item, "sha"),
        author=_text(_inside(item, "author"), "login") or None,
        committer=_text(_inside(item, "committer"), "login") or None,
        written=Written(
            author_name=_text(author, "name"),
            author_email=_text(author, "email"),
            committer_name=_text(committer, "name"),
            committer_email=_text(committer, "email"),
            message=_text(_inside(item, "commit"), "message"),
        ),
    )
