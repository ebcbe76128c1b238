"""The trusted job: which pull request is told what, if it is still the newest word.

Runs no code of the pull request. Its report comes from a job that did, so the report
is hostile data: read strictly, rendered anew, and believed only about the run that
GitHub's own event names. A failure to report never changes the gate's verdict.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from fairtrial.clients.github import (
    Comment,
    GitHubClient,
    PullRequest,
)
from fairtrial.clients.github_errors import Forbidden, GitHubError, Unanswered
from fairtrial.domain.errors import FairtrialError
from fairtrial.domain.report import Report
from fairtrial.reporters import markdown
from fairtrial.reporters.hostile import command, command_property
from fairtrial.reporters.publication import Publication, PublicationKind
from fairtrial.reporters.report_reader import SIZE_LIMIT, ReportRefused, load
from fairtrial.reporters.words import Locale

#: Who GITHUB_TOKEN's comments are by, where GitHub does not say it itself.
_ACTIONS: Final = "github-actions[bot]"

#: Sizes to try, in bytes: GitHub's own limit is observed, not documented.
_SIZES: Final = (markdown.COMMENT_LIMIT, 30_000, 8_000)
_TOO_LONG: Final = 422

#: How often a comment is looked for and asked for again when no answer came.
_TRIES: Final = 3

_MARKER: Final = re.compile(
    r"<!-- fairtrial:v1 key=(?P<key>[A-Za-z0-9_-]{16}) "
    r"run=(?P<run>\d{1,18})\.(?P<attempt>\d{1,6}) sha=(?P<sha>[0-9a-f]{40}) -->"
)


class Outcome(StrEnum):
    """What became of the comment."""

    CREATED = "created"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    #: There is nobody to tell, or somebody newer has told it.
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What became of the comment, in one sentence."""

    outcome: Outcome
    say: str
    url: str = ""

    def publication(self) -> Publication:
        """The same as an annotation of the job; a failure is a warning, no error."""
        level = "warning" if self.outcome is Outcome.FAILED else "notice"
        title = command_property(f"Fairtrial comment {self.outcome.value}")
        return Publication(
            kind=PublicationKind.ANNOTATION,
            content=f"::{level} title={title}::{command(self.say)}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """What GitHub itself says about this job: all of it trusted, none from a report."""

    #: GITHUB_EVENT_NAME, the parsed event file, GITHUB_REPOSITORY.
    event: str
    payload: Mapping[str, Any]
    #: GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_SHA, GITHUB_ACTOR, GITHUB_WORKFLOW.
    run: int
    attempt: int
    sha: str
    actor: str
    workflow: str
    #: The job's own input; a matrix job's comment is its own.
    variant: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """The run that was judged, and the pull request that it judged."""

    number: int
    head: str
    #: Commits that a report of this run may name as its head.
    heads: frozenset[str]
    run: int
    attempt: int
    workflow: str


class _Skip(Exception):  # noqa: N818 - nothing went wrong
    """There is nobody to tell; the sentence says why."""


def read(path: Path) -> bytes:
    """The report's bytes, one more than allowed at most; no link, no device.

    Raises OSError when there is no such file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is no regular file")
        return file.read(SIZE_LIMIT + 1)


def post(
    data: bytes,
    trigger: Trigger,
    github: GitHubClient,
    *,
    locale: Locale = Locale.EN,
) -> Posted:
    """Tells the pull request what the report says; never raises what GitHub does.

    1. The pull request is found from trusted data alone.
    2. The report is read as hostile data and has to be of that very run.
    3. The pull request has to stand where it stood when the run began.
    4. Our own comment is edited, or made; a newer run's is left alone.
    """
    try:
        target = _target(trigger, github)
        report = _report(data, target)
        _stands_still(target, github.pull(target.number))
        return _deliver(report, target, trigger, github, locale)
    except _Skip as skip:
        return Posted(outcome=Outcome.SKIPPED, say=f"No comment: {skip}.")
    except Forbidden as error:
        say = f"No comment: {error.happened}. {_why_forbidden(trigger, error)}"
        return Posted(outcome=Outcome.FAILED, say=say)
    except FairtrialError as error:
        return Posted(outcome=Outcome.FAILED, say=f"No comment: {error.diagnostics()}")


def _target(trigger: Trigger, github: GitHubClient) -> _Target:
    try:
        if trigger.event == "pull_request":
            return _same_workflow(trigger)
        if trigger.event == "workflow_run":
            return _other_workflow(trigger, github)
    except (KeyError, TypeError, ValueError) as error:
        raise GitHubError(
            f"the event of this job lacks something: {error!r}",
            means="It is no payload of GitHub's.",
        ) from error
    raise _Skip(f"a {trigger.event} event belongs to no single pull request")


def _same_workflow(trigger: Trigger) -> _Target:
    pull = trigger.payload["pull_request"]
    head = str(pull["head"]["sha"])
    return _Target(
        number=int(pull["number"]),
        head=head,
        heads=frozenset({head, trigger.sha}),
        run=trigger.run,
        attempt=trigger.attempt,
        workflow=trigger.workflow,
    )


def _other_workflow(trigger: Trigger, github: GitHubClient) -> _Target:
    """The pull request of the run that this one follows, by commit and repository.

    Never by a number in an artifact: whoever wrote the artifact would choose where
    the comment goes.
    """
    run = trigger.payload["workflow_run"]
    if run["event"] != "pull_request":
        raise _Skip(f"the gate ran for a {run['event']} event")
    head, repository = str(run["head_sha"]), run["head_repository"]["full_name"]
    candidates = _matching(github.pulls_of_commit(head), head, repository)
    if not candidates:
        # A fork's commit is not always associated; its branch is trusted data, too.
        owner, branch = str(repository).partition("/")[0], str(run["head_branch"])
        candidates = _matching(github.pulls_of_branch(owner, branch), head, repository)
    if len(candidates) != 1:
        raise _Skip(
            f"{len(candidates)} open pull requests have {head[:7]} of {repository}"
            " as their head, and exactly one is needed"
        )
    return _Target(
        number=candidates[0].number,
        head=head,
        heads=frozenset({head}),
        run=int(run["id"]),
        attempt=int(run["run_attempt"]),
        workflow=str(run["name"]),
    )


def _matching(
    pulls: Sequence[PullRequest], head: str, repository: str
) -> list[PullRequest]:
    return [
        pull
        for pull in pulls
        if pull.is_open and pull.head_sha == head and pull.head_repository == repository
    ]


def _report(data: bytes, target: _Target) -> Report | ReportRefused:
    """The report of this very run, or why it is refused."""
    try:
        report = load(data)
    except ReportRefused as refused:
        return refused
    if report.run.id != str(target.run) or report.run.attempt > target.attempt:
        raise _Skip(f"the report is not of run {target.run}.{target.attempt}")
    if report.subject is not None:
        named = {report.subject.head, report.subject.pull_head}
        if not named & target.heads:
            raise _Skip(f"the report is not about {target.head[:7]}")
    return report


def _stands_still(target: _Target, pull: PullRequest) -> None:
    """A re-run sees its old event; the pull request may have been pushed to since."""
    if pull.head_sha != target.head:
        raise _Skip(
            f"pull request {target.number} has moved on from {target.head[:7]}"
            f" to {pull.head_sha[:7]}; the newer run will comment"
        )


def _deliver(
    report: Report | ReportRefused,
    target: _Target,
    trigger: Trigger,
    github: GitHubClient,
    locale: Locale,
) -> Posted:
    """The comment, smaller if GitHub finds it too long."""
    variant = trigger.variant
    if variant is None and isinstance(report, Report):
        variant = report.run.variant
    key = marker_key(target.workflow, variant)
    marker = (
        f"<!-- fairtrial:v1 key={key} run={target.run}.{target.attempt}"
        f" sha={target.head} -->"
    )
    author = github.login() or _ACTIONS
    for size in _SIZES:
        body = f"{marker}\n{_body(report, locale, size - len(marker) - 1)}"
        try:
            return _upsert(body, key, author, target, github)
        except GitHubError as error:
            if error.status != _TOO_LONG or size == _SIZES[-1]:
                raise
    raise AssertionError("the last size either answers or raises")


def _body(report: Report | ReportRefused, locale: Locale, limit: int) -> str:
    if isinstance(report, ReportRefused):
        return markdown.unreadable(report.diagnostics(), locale)
    return markdown.comment(report, locale, limit=limit)


def _upsert(
    body: str, key: str, author: str, target: _Target, github: GitHubClient
) -> Posted:
    """Edits our newest comment, else makes one; looks again when no answer came."""
    doubt: Unanswered | None = None
    for _ in range(_TRIES):
        mine = _ours(github.comments(target.number), key, author)
        if mine is not None:
            return _edit(mine, body, target, github)
        try:
            made = github.create_comment(target.number, body)
        except Unanswered as error:
            doubt = error
            continue
        say = f"Commented on pull request {target.number}."
        return Posted(outcome=Outcome.CREATED, say=say, url=made.url)
    assert doubt is not None
    raise doubt


def _edit(mine: Comment, body: str, target: _Target, github: GitHubClient) -> Posted:
    if mine.body.rstrip() == body.rstrip():
        say = f"The comment on pull request {target.number} says it already."
        return Posted(outcome=Outcome.UNCHANGED, say=say, url=mine.url)
    written = _MARKER.match(mine.body)
    assert written is not None
    if (int(written["run"]), int(written["attempt"])) > (target.run, target.attempt):
        raise _Skip(
            f"run {written['run']}.{written['attempt']} is newer and has spoken"
        )
    made = github.edit_comment(mine.id, body)
    say = f"Updated the comment on pull request {target.number}."
    return Posted(outcome=Outcome.EDITED, say=say, url=made.url)


def _ours(comments: Sequence[Comment], key: str, author: str) -> Comment | None:
    """Our newest comment with this key.

    Anyone can paste the marker, so a comment of another author is never adopted: our
    token could edit it, and its author could edit it back.
    """
    ours = [
        comment
        for comment in comments
        if comment.author == author
        and not comment.hidden
        and (found := _MARKER.match(comment.body)) is not None
        and found["key"] == key
    ]
    return max(ours, key=lambda comment: comment.id, default=None)


def marker_key(workflow: str, variant: str | None) -> str:
    """What tells one gate's comment from another's: 16 characters of base64url."""
    digest = hashlib.sha256(f"{workflow}\0{variant or ''}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:12]).decode("ascii")


def _why_forbidden(trigger: Trigger, error: Forbidden) -> str:
    """The true cause of a 403: a lock, a fork, Dependabot, or a missing permission."""
    if "locked" in error.happened:
        return "The conversation is locked."
    if trigger.event == "pull_request":
        if trigger.actor == "dependabot[bot]":
            return (
                "Dependabot's runs get a read-only token. The summary of the gate job"
                " has the report; a workflow on `workflow_run` may comment."
            )
        pull = trigger.payload["pull_request"]
        fork, base = pull["head"].get("repo"), pull["base"]["repo"]
        if fork is None or fork["id"] != base["id"]:
            return (
                "A fork's runs get a read-only token, whatever `permissions:` says. The"
                " summary of the gate job has the report; a workflow on `workflow_run`"
                " may comment."
            )
    return (
        "This job's `permissions:` lack `pull-requests: write`; a block at the job"
        " replaces the workflow's whole block."
    )
