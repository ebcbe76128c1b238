"""Who took part in a change: as GitHub reports it, and as its commits say.

GitHub is asked only where it makes a difference, which is where the configuration
names agents. Where it does not answer, somebody without a name took part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fairtrial.clients.git import Git
from fairtrial.domain.authorship import Actor, NamedCommit, Written
from fairtrial.domain.errors import ServiceError
from fairtrial.domain.settings import Settings
from fairtrial.settings import strictest
from fairtrial.subject.event import (
    COMMITTED,
    NAMELESS_AUTHOR,
    NAMELESS_COMMITTER,
    WROTE,
    Event,
    EventKind,
)
from fairtrial.subject.revisions import Revisions

if TYPE_CHECKING:
    from fairtrial.clients.github_people import GitHubPeople

#: Opens GitHub's record; made only when it is asked.
People = Callable[[], "GitHubPeople"]

_UNASKED: Final = "this step has no `github-token`"
_TOO_MANY: Final = "it has more commits than can be listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingPart:
    """Who took part, what the commits say of themselves, and what was not told."""

    actors: tuple[Actor, ...]
    written: tuple[Written, ...]
    notices: tuple[str, ...] = ()


def taking_part(
    git: Git, event: Event, found: Revisions, settings: Settings, people: People | None
) -> TakingPart:
    """All who took part in a change, as far as anybody knows; never raises for GitHub.

    Every doubt is an actor without a name.
    """
    written = git.written(found.base, found.head)
    if not settings.agents or not _asks(event):
        return TakingPart(actors=event.actors, written=written)
    why = _UNASKED
    commits: Sequence[NamedCommit] | None = None
    if people is not None:
        try:
            commits = _commits(event, found, people())
            why = _TOO_MANY
        except ServiceError as silent:
            why = silent.happened
    if commits is None:
        unknown = Actor(login=None, did="GitHub does not say who took part")
        word = strictest(settings.agents.values()).value
        return TakingPart(
            actors=(*event.actors, unknown),
            written=written,
            notices=(
                (
                    f"GitHub does not say who took part in this change ({why}), so it"
                    f" counts as `{word}`, the strictest that `agents:` has."
                ),
            ),
        )
    return TakingPart(
        actors=(*event.actors, *dict.fromkeys(_actors(commits))),
        written=(*written, *(commit.written for commit in commits)),
    )


def _asks(event: Event) -> bool:
    """Whether the payload leaves open who wrote the commits."""
    match event.kind:
        case EventKind.LOCAL | EventKind.PUSH:
            return False
        case (
            EventKind.PULL_REQUEST | EventKind.MERGE_GROUP | EventKind.WORKFLOW_DISPATCH
        ):
            return True


def _commits(
    event: Event, found: Revisions, people: GitHubPeople
) -> Sequence[NamedCommit] | None:
    if event.kind is EventKind.PULL_REQUEST and event.pull_request is not None:
        listed = people.commits(event.pull_request)
        if listed is not None or event.base is None or event.head is None:
            return listed
        return people.commits_between(event.base, event.head)
    return people.commits_between(found.base, found.head)


def _actors(commits: Sequence[NamedCommit]) -> Iterator[Actor]:
    for commit in commits:
        for login, did, nameless in (
            (commit.author, WROTE, NAMELESS_AUTHOR),
            (commit.committer, COMMITTED, NAMELESS_COMMITTER),
        ):
            yield Actor(login=login, did=did if login else nameless)
