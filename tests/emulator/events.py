"""What happened on GitHub, as a run of a workflow is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.emulator.origin import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event; `payload` is event.json, `sha` and `ref` what is checked out."""

    name: str
    payload: Mapping[str, Any]
    sha: str
    ref: str
    base_ref: str = ""
    head_ref: str = ""
    actor: str = "octocat"
    #: True: a run that gets no secrets and a token that can only read.
    fork: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


def pull_request(
    origin: Origin,
    *,
    head: str,
    base: str = "main",
    number: int = 1,
    action: str = "opened",
    fork: bool = False,
    author: str = "octocat",
) -> Event:
    """A pull request of branch `head` onto branch `base`, merged for the test."""
    ref = f"refs/pull/{number}/merge"
    origin.git("update-ref", f"refs/pull/{number}/head", origin.sha(head))
    sha = origin.merge(base=base, head=head, ref=ref)
    owner = "contributor" if fork else origin.name.partition("/")[0]
    repository = _repository(origin.name, origin.default_branch)
    head_repository = (
        _repository(f"{owner}/{origin.name.partition('/')[2]}", origin.default_branch)
        if fork
        else repository
    )
    return Event(
        name="pull_request",
        sha=sha,
        ref=ref,
        base_ref=base,
        head_ref=head,
        fork=fork,
        actor=author,
        payload={
            "action": action,
            "number": number,
            "pull_request": {
                "number": number,
                "state": "open",
                "title": f"Merge {head}",
                "user": _user(author),
                "head": {
                    "ref": head,
                    "sha": origin.sha(head),
                    "label": f"{owner}:{head}",
                    "repo": head_repository,
                },
                "base": {
                    "ref": base,
                    "sha": origin.sha(base),
                    "label": f"{origin.name.partition('/')[0]}:{base}",
                    "repo": repository,
                },
                "merge_commit_sha": sha,
            },
            "repository": repository,
            "sender": _user(author),
        },
    )


def merge_group(
    origin: Origin, *, head: str, base: str = "main", number: int = 1
) -> Event:
    """A pull request in the merge queue, checked before it is merged."""
    base_sha = origin.sha(base)
    ref = f"refs/heads/gh-readonly-queue/{base}/pr-{number}-{base_sha}"
    sha = origin.merge(base=base, head=head, ref=ref)
    return Event(
        name="merge_group",
        sha=sha,
        ref=ref,
        payload={
            "action": "checks_requested",
            "merge_group": {
                "head_sha": sha,
                "head_ref": ref,
                "base_sha": base_sha,
                "base_ref": f"refs/heads/{base}",
            },
            "repository": _repository(origin.name, origin.default_branch),
            "sender": _user("octocat"),
        },
    )


def push(origin: Origin, *, branch: str, before: str) -> Event:
    """A push to a branch that was at `before`."""
    sha = origin.sha(branch)
    return Event(
        name="push",
        sha=sha,
        ref=f"refs/heads/{branch}",
        payload={
            "ref": f"refs/heads/{branch}",
            "before": origin.sha(before),
            "after": sha,
            "forced": False,
            "repository": _repository(origin.name, origin.default_branch),
            "sender": _user("octocat"),
        },
    )


def workflow_run(origin: Origin, *, of: Event, run_id: int, name: str) -> Event:
    """A workflow has completed: another one may now act, with rights of its own."""
    head = of.payload["pull_request"]["head"]
    repository = _repository(origin.name, origin.default_branch)
    return Event(
        name="workflow_run",
        sha=origin.sha(origin.default_branch),
        ref=f"refs/heads/{origin.default_branch}",
        payload={
            "action": "completed",
            "workflow_run": {
                "id": run_id,
                "name": name,
                "event": of.name,
                "status": "completed",
                "conclusion": "failure",
                "run_attempt": 1,
                "head_sha": head["sha"],
                "head_branch": head["ref"],
                "head_repository": head["repo"],
                # GitHub names none when the head is in a fork.
                "pull_requests": [] if of.fork else [{"number": of.payload["number"]}],
                "repository": repository,
            },
            "repository": repository,
            "sender": _user("octocat"),
        },
    )


def _repository(name: str, default_branch: str) -> dict[str, Any]:
    owner, _, short = name.partition("/")
    return {
        "id": sum(name.encode()),
        "name": short,
        "full_name": name,
        "owner": _user(owner),
        "default_branch": default_branch,
        "fork": owner == "contributor",
        "private": False,
    }


def _user(login: str) -> dict[str, Any]:
    kind = "Bot" if login.endswith("[bot]") else "User"
    return {"id": sum(login.encode()), "login": login, "type": kind}
