"""Which commit is judged, and against which: the head and its base."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId
from fairtrial.subject.event import Event, EventKind
from fairtrial.subject.history import History

_MERGE_PARENTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Revisions:
    """What is judged against what."""

    head: CommitId
    base: CommitId
    #: The head is the working tree on top of that commit.
    working_tree: bool = False
    #: How the base was found; a sentence.
    how: str


def find_revisions(
    git: Git,
    event: Event,
    history: History,
    *,
    base: str | None = None,
    head: str | None = None,
) -> Revisions:
    """Head and base of an event, or of a local repository.

    `base` and `head` are what somebody asked for and win; a base is then exactly
    that revision. Raises ConfigurationError where they can't be told.
    """
    here = git.commit("HEAD")
    if here is None and head is None:
        raise ConfigurationError(
            "The repository has no commit yet.", means="There is no base to judge by."
        )
    if base is None and head is None and event.kind is not EventKind.LOCAL:
        assert here is not None
        return _of_event(git, event, history, here)
    local = event.kind is EventKind.LOCAL
    judged = _named(git, head) if head is not None else here
    assert judged is not None
    working_tree = head is None and local
    if base is not None:
        return Revisions(
            head=judged,
            base=_named(git, base),
            working_tree=working_tree,
            how=f"The base is {base}, as asked for.",
        )
    if local:
        name, tip = _default_branch(git)
    else:
        name = event.base_branch or event.default_branch
        tip = history.branch(name)
    return Revisions(
        head=judged,
        base=history.merge_base(tip, judged),
        working_tree=working_tree,
        how=f"The base is the merge base with {name}.",
    )


def _named(git: Git, revision: str) -> CommitId:
    found = git.commit(revision)
    if found is None:
        raise ConfigurationError(
            f"There is no commit `{revision}` in this repository.",
            remedy="Fetch it first, or correct `--base` or `--head`.",
        )
    return found


def _default_branch(git: Git) -> tuple[str, CommitId]:
    remote = git.symbolic("refs/remotes/origin/HEAD")
    candidates = [
        *([remote] if remote else []),
        "refs/remotes/origin/main",
        "refs/remotes/origin/master",
        "refs/heads/main",
        "refs/heads/master",
    ]
    for ref in candidates:
        found = git.commit(ref)
        if found is not None:
            short = ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")
            return short, found
    raise ConfigurationError(
        "The default branch can't be told.",
        means="There is no origin/HEAD, and no branch called main or master.",
        remedy="Name the base with `--base`.",
    )


def _of_event(git: Git, event: Event, history: History, here: CommitId) -> Revisions:
    match event.kind:
        case EventKind.PULL_REQUEST:
            return _of_pull_request(git, event, history, here)
        case EventKind.MERGE_GROUP:
            _same(here, (event.head, event.sha), "the merge group's commit")
            if event.base is None:
                raise _nameless(event)
            base = history.commit(event.base, "the merge group's base")
            return Revisions(
                head=here, base=base, how="The base is the merge group's own."
            )
        case EventKind.PUSH:
            _same(here, (event.sha,), "the pushed commit")
            return _of_push(git, event, history, here)
        case EventKind.WORKFLOW_DISPATCH:
            _same(here, (event.sha,), "the commit that the run was started on")
            return _of_dispatch(event, history, here)
        case EventKind.LOCAL:
            raise AssertionError("a local run has no event")


def _nameless(event: Event) -> ConfigurationError:
    return ConfigurationError(
        f"The payload of this `{event.kind.value}` names no base.",
        remedy="Give `base`.",
    )


def _same(here: CommitId, wanted: tuple[CommitId | None, ...], what: str) -> None:
    """Raises ConfigurationError where another commit than the event's is checked out.

    Judging it would say something about a commit that nobody merges.
    """
    if here in wanted:
        return
    named = next((each for each in wanted if each is not None), None)
    expected = named[:12] if named else "unknown"
    raise ConfigurationError(
        f"The workspace holds commit {here[:12]}, and {what} is {expected}.",
        means="The checkout step names another `ref`, or a later step moved HEAD.",
        remedy="Check the event's own commit out, or give `base` and `head`.",
    )


def _of_pull_request(
    git: Git, event: Event, history: History, here: CommitId
) -> Revisions:
    parents = git.parents(here)
    if (
        here == event.sha
        and len(parents) == _MERGE_PARENTS
        and parents[1] == event.head
    ):
        base = history.commit(parents[0], "the base of this pull request")
        return Revisions(
            head=here,
            base=base,
            how="The base is the first parent of the pull request's merge commit.",
        )
    _same(here, (event.head,), "the pull request's head")
    return Revisions(
        head=here,
        base=history.merge_base(_target(git, event, history), here),
        how=f"The base is the merge base with {event.base_branch}.",
    )


def _target(git: Git, event: Event, history: History) -> CommitId:
    """The target branch's tip: the newest of what the clone and the event know."""
    known = git.commit(f"refs/remotes/origin/{event.base_branch}")
    if event.base is None:
        return known or history.branch(event.base_branch)
    if known is not None and git.is_ancestor(event.base, known):
        return known
    return history.commit(event.base, "the tip of the target branch")


def _of_push(git: Git, event: Event, history: History, here: CommitId) -> Revisions:
    if event.base is None:
        branch = event.default_branch
        if event.ref == f"refs/heads/{branch}":
            raise ConfigurationError(
                f"This push creates the default branch `{branch}`.",
                means="There is no earlier state to judge it by.",
                remedy="Give `base`.",
            )
        return Revisions(
            head=here,
            base=history.merge_base(history.branch(branch), here),
            how=f"The branch is new: the base is the merge base with {branch}.",
        )
    before = history.commit(event.base, "the commit before this push")
    whole = not git.shallow_commits()
    # A shallow clone can't show that one commit follows another; GitHub knows.
    rewritten = event.forced or (whole and not git.is_ancestor(before, here))
    if not rewritten:
        return Revisions(
            head=here, base=before, how="The base is the commit before this push."
        )
    return Revisions(
        head=here,
        base=history.merge_base(before, here),
        how="The push was forced: the base is the merge base with what was there"
        " before.",
    )


def _of_dispatch(event: Event, history: History, here: CommitId) -> Revisions:
    branch = event.default_branch
    if event.ref == f"refs/heads/{branch}":
        raise ConfigurationError(
            f"The run was started on the default branch `{branch}`.",
            means="There is no change in it to judge.",
            remedy="Start it on another branch, or give `base`.",
        )
    return Revisions(
        head=here,
        base=history.merge_base(history.branch(branch), here),
        how=f"The base is the merge base with {branch}.",
    )
