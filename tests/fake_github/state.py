"""What the fake GitHub remembers, and how it says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.fake_github.contract import specimen


@dataclass(slots=True, kw_only=True)
class Repository:
    """One repository; forks have another id than what they were forked from."""

    full_name: str
    id: int

    @property
    def owner(self) -> str:
        return self.full_name.partition("/")[0]

    def shown(self) -> dict[str, Any]:
        """As nested in other answers."""
        return {
            "id": self.id,
            "name": self.full_name.partition("/")[2],
            "full_name": self.full_name,
            "owner": user(self.owner),
        }


@dataclass(slots=True, kw_only=True)
class Pull:
    """One pull request; change `head` to push to it."""

    number: int
    head: str
    branch: str
    repository: Repository
    base_repository: Repository
    state: str = "open"
    author: str = "octocat"

    def shown(self, schema: str = "pull-request") -> dict[str, Any]:
        """As "pull-request", or as "pull-request-simple" in lists."""
        return specimen(
            schema,
            number=self.number,
            state=self.state,
            head={
                "sha": self.head,
                "ref": self.branch,
                "label": f"{self.repository.owner}:{self.branch}",
                "repo": self.repository.shown(),
                "user": user(self.repository.owner),
            },
            base={
                "ref": "main",
                "repo": self.base_repository.shown(),
                "user": user(self.base_repository.owner),
            },
            user=user(self.author),
        )

    def payload(self) -> dict[str, Any]:
        """The event that GitHub sends for it, as far as it is read."""
        return {
            "action": "synchronize",
            "number": self.number,
            "pull_request": self.shown(),
        }


@dataclass(slots=True, kw_only=True)
class Comment:
    """One comment of a pull request."""

    id: int
    number: int
    author: str
    body: str
    edits: int = 0
    minimized: bool = False

    def shown(self) -> dict[str, Any]:
        """As "issue-comment"."""
        return specimen(
            "issue-comment",
            id=self.id,
            body=self.body,
            user=user(self.author),
            html_url=f"https://github.invalid/pull/{self.number}#comment-{self.id}",
            minimized={"reason": "outdated"} if self.minimized else None,
        )


@dataclass(slots=True, kw_only=True)
class Call:
    """One request as it came, and the status that it was answered with."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    #: What stood at the path's placeholders.
    parameters: dict[str, str] = field(default_factory=dict)
    #: 0 when no answer was sent.
    status: int = 0

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)


def user(login: str) -> dict[str, Any]:
    """An account; apps' names end in "[bot]"."""
    kind = "Bot" if login.endswith("[bot]") else "User"
    return specimen("simple-user", login=login, type=kind)


def refused(status: int, message: str) -> Answer:
    """A failure as GitHub words it."""
    return Answer(status, {"message": message, "documentation_url": "https://docs"})
