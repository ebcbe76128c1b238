"""What GitHub says started this run; read from its payload, never from the change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from fairtrial.domain.authorship import Actor
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId


class EventKind(StrEnum):
    """What started the run."""

    LOCAL = "local"
    PULL_REQUEST = "pull_request"
    MERGE_GROUP = "merge_group"
    PUSH = "push"
    WORKFLOW_DISPATCH = "workflow_dispatch"


_OBJECT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
#: The queue names the pull request that a group ends with.
_QUEUED: Final = re.compile(r"/pr-([0-9]+)-[0-9a-f]{40}$")

#: What actors did, as reports say it after their name.
OPENED: Final = "opened the pull request"
PUSHED: Final = "pushed"
STARTED: Final = "started the run"
WROTE: Final = "wrote a commit"
COMMITTED: Final = "committed a commit"
#: What is said where there is no name.
NAMELESS_AUTHOR: Final = "GitHub can't name the author of a commit"
NAMELESS_COMMITTER: Final = "GitHub can't name the committer of a commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event, as far as it says what is judged against what."""

    kind: EventKind
    #: GITHUB_SHA.
    sha: CommitId | None = None
    #: GITHUB_REF.
    ref: str = ""
    #: "owner/name".
    repository: str = ""
    #: "https://github.com".
    server: str = ""
    default_branch: str = ""
    #: The branch that the change goes to.
    base_branch: str = ""
    #: The base branch's tip, the group's base, or `before`; None: there is none.
    base: CommitId | None = None
    #: The pull request's own head.
    head: CommitId | None = None
    forced: bool = False
    pull_request: int | None = None
    #: The change comes from another repository.
    fork: bool = False
    #: Author, pusher and commit authors, as far as the payload names them.
    actors: tuple[Actor, ...] = ()
    #: Who opened the pull request.
    author: str = ""
    #: Who pushed its head, where this event is about that.
    pusher: str = ""


LOCAL: Final = Event(kind=EventKind.LOCAL)


def read_event(environ: Mapping[str, str], payload: bytes) -> Event:
    """The event that the variables GITHUB_* and the payload describe.

    Raises ConfigurationError for an event that names no change.
    """
    name = environ.get("GITHUB_EVENT_NAME", "")
    if not name:
        return LOCAL
    body = _Body(_json(payload))
    return replace(
        _of_kind(name, body),
        sha=_object(environ.get("GITHUB_SHA")),
        ref=environ.get("GITHUB_REF", ""),
        repository=environ.get("GITHUB_REPOSITORY", ""),
        server=environ.get("GITHUB_SERVER_URL", "").rstrip("/"),
        default_branch=body.text("repository", "default_branch"),
    )


def _of_kind(name: str, body: _Body) -> Event:
    match name:
        case "pull_request":
            return _pull_request(body)
        case "merge_group":
            return _merge_group(body)
        case "push":
            return _push(body)
        case "workflow_dispatch":
            return Event(
                kind=EventKind.WORKFLOW_DISPATCH,
                actors=_acted((body.text("sender", "login"), STARTED)),
            )
        case "pull_request_target" | "workflow_run":
            raise ConfigurationError(
                f"The gate does not run under `{name}`.",
                means="That event holds the repository's secrets and its write token"
                " while the pull request's code would run.",
                remedy="Run it `on: pull_request`.",
            )
        case _:
            raise ConfigurationError(
                f"The event `{name}` names no change to judge.",
                means="There are `pull_request`, `merge_group`, `push` and"
                " `workflow_dispatch`.",
                remedy="Use one of them in `on:`, or give `base` and `head`.",
            )


class _Body:
    """A payload whose shape nobody promises."""

    def __init__(self, body: object) -> None:
        self._body = body

    def at(self, *path: str) -> Any:
        found = self._body
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def text(self, *path: str) -> str:
        found = self.at(*path)
        return found if isinstance(found, str) else ""

    def commit(self, *path: str) -> CommitId | None:
        return _object(self.text(*path))


def _json(payload: bytes) -> object:
    try:
        return json.loads(payload)
    except (ValueError, RecursionError) as wrong:
        raise ConfigurationError(
            "The event's payload can't be read.",
            means="GITHUB_EVENT_PATH does not name the runner's `event.json`.",
        ) from wrong


def _object(text: str | None) -> CommitId | None:
    """An object id; the one of zeros stands for none."""
    if not text or not _OBJECT.fullmatch(text) or not text.strip("0"):
        return None
    return CommitId(text)


def _acted(*acts: tuple[str, str]) -> tuple[Actor, ...]:
    """Each login once, with what it did first; an empty one is nobody."""
    first: dict[str, str] = {}
    for login, did in acts:
        if login:
            first.setdefault(login, did)
    return tuple(Actor(login=login, did=did) for login, did in first.items())


def _pull_request(body: _Body) -> Event:
    number = body.at("pull_request", "number")
    # The head's repository is null once a fork was deleted.
    head = body.at("pull_request", "head", "repo", "id")
    base = body.at("pull_request", "base", "repo", "id")
    author = body.text("pull_request", "user", "login")
    sender = body.text("sender", "login")
    pushed = body.text("action") == "synchronize"
    return Event(
        kind=EventKind.PULL_REQUEST,
        base_branch=body.text("pull_request", "base", "ref"),
        base=body.commit("pull_request", "base", "sha"),
        head=body.commit("pull_request", "head", "sha"),
        pull_request=number if isinstance(number, int) else None,
        fork=head is None or head != base,
        actors=_acted((author, OPENED), (sender, PUSHED if pushed else STARTED)),
        author=author,
        pusher=sender if pushed else "",
    )


def _merge_group(body: _Body) -> Event:
    # The sender is the queue's own bot, who wrote none of it.
    queued = _QUEUED.search(body.text("merge_group", "head_ref"))
    branch = body.text("merge_group", "base_ref")
    return Event(
        kind=EventKind.MERGE_GROUP,
        base_branch=branch.removeprefix("refs/heads/"),
        base=body.commit("merge_group", "base_sha"),
        head=body.commit("merge_group", "head_sha"),
        pull_request=int(queued[1]) if queued else None,
    )


def _push(body: _Body) -> Event:
    if body.at("deleted") is True:
        raise ConfigurationError(
            "This push deletes a branch: there is nothing to judge.",
            remedy="Leave the event out, by `if: github.event.deleted == false`.",
        )
    return Event(
        kind=EventKind.PUSH,
        base=body.commit("before"),
        forced=body.at("forced") is True,
        actors=(
            *_acted(
                (body.text("pusher", "name"), PUSHED),
                (body.text("sender", "login"), PUSHED),
            ),
            *dict.fromkeys(_authors(body)),
        ),
    )


def _authors(body: _Body) -> Iterator[Actor]:
    commits = body.at("commits")
    for commit in commits if isinstance(commits, list) else ():
        for role, did, nameless in (
            ("author", WROTE, NAMELESS_AUTHOR),
            ("committer", COMMITTED, NAMELESS_COMMITTER),
        ):
            login = _Body(commit).text(role, "username") or None
            yield Actor(login=login, did=did if login else nameless)
