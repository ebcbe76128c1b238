"""Who accepted the change under test, read from GitHub at the time of this run.

A run that is started again gets the old event, and asks anew: that is how an
acceptance takes effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fairtrial.clients.git import Git
from fairtrial.clients.github_errors import Forbidden
from fairtrial.domain.errors import ServiceError
from fairtrial.domain.names import CommitId
from fairtrial.domain.settings import Authority, Settings
from fairtrial.policy.acceptance import (
    NOBODY,
    Acceptance,
    Record,
    claims_of,
    granted,
    label_of,
)
from fairtrial.settings import agent_authority
from fairtrial.subject.event import Event, EventKind
from fairtrial.subject.taking_part import People

if TYPE_CHECKING:
    from fairtrial.clients.github_people import GitHubPeople

_MERGE_PARENTS: Final = 2


def read_acceptance(
    git: Git, event: Event, head: CommitId, settings: Settings, people: People | None
) -> Acceptance:
    """Who accepted what is judged; nobody where there is no pull request or no token.

    `head` is the commit under test. Never raises for GitHub: where it does not
    answer, nobody accepted, and a notice says so.
    """
    if people is None or event.pull_request is None:
        return NOBODY
    try:
        return _read(git, event, head, settings, people())
    except Forbidden as refused:
        return _untold(
            f"{refused.happened}. The job needs the permission `pull-requests: read`"
        )
    except ServiceError as silent:
        return _untold(silent.happened)


def _untold(why: str) -> Acceptance:
    return Acceptance(
        notices=(f"It can't be told whether somebody accepted this change: {why}.",)
    )


def _read(
    git: Git, event: Event, head: CommitId, settings: Settings, people: GitHubPeople
) -> Acceptance:
    number = event.pull_request
    assert number is not None
    author, wanted = event.author, _head_of(git, event, head)
    if event.kind is EventKind.MERGE_GROUP and _is_one_merge(git, event, head):
        pull = people.pull(number)
        parents = git.parents(head)
        if len(parents) == 1 or parents[1] == pull.head_sha:
            author, wanted = pull.author or "", CommitId(pull.head_sha)
    if wanted is None:
        return NOBODY
    timeline = people.timeline(number)
    labelled = any(each.label.lower() == label_of(wanted) for each in timeline)
    record = Record(
        head=wanted,
        author=author,
        pusher=event.pusher,
        commits=people.commits(number),
        reviews=people.reviews(number),
        timeline=timeline,
        labels=people.labels(number) if labelled else frozenset(),
    )

    def is_agent(login: str) -> bool:
        return agent_authority(settings, login) is not Authority.PERSON

    claims = claims_of(record, settings.policy.accept, is_agent)
    logins = dict.fromkeys(claim.login for claim in claims if not claim.void)
    return granted(
        wanted, claims, {login: people.permission(login) for login in logins}
    )


def _head_of(git: Git, event: Event, head: CommitId) -> CommitId | None:
    """The pull request's own head, where that or its merge commit is judged."""
    if event.kind is not EventKind.PULL_REQUEST or event.head is None:
        return None
    if head == event.head:
        return event.head
    parents = git.parents(head)
    merged = len(parents) == _MERGE_PARENTS and parents[1] == event.head
    return event.head if head == event.sha and merged else None


def _is_one_merge(git: Git, event: Event, head: CommitId) -> bool:
    """Whether a merge group is one pull request on its base, and nothing beside it.

    The queue drops a pull request whose head moves, so what is in it stays its head.
    """
    parents = git.parents(head)
    return (
        head == event.head
        and 1 <= len(parents) <= _MERGE_PARENTS
        and parents[0] == event.base
    )
