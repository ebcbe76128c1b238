from __future__ import annotations

import json
from typing import Any

import pytest

from fairtrial.domain.authorship import Actor
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.subject.event import LOCAL, EventKind, read_event

SHA = "1" * 40
BASE = "2" * 40
HEAD = "3" * 40

PULL_REQUEST: dict[str, Any] = {
    "repository": {"default_branch": "main"},
    "sender": {"login": "grace"},
    "pull_request": {
        "number": 7,
        "user": {"login": "ada"},
        "head": {"sha": HEAD, "ref": "topic", "repo": {"id": 1}},
        "base": {"sha": BASE, "ref": "release", "repo": {"id": 1}},
    },
}


def environ(name: str, ref: str = "refs/heads/topic") -> dict[str, str]:
    return {
        "GITHUB_EVENT_NAME": name,
        "GITHUB_SHA": SHA,
        "GITHUB_REF": ref,
        "GITHUB_REPOSITORY": "owner/shop",
        "GITHUB_SERVER_URL": "https://github.example/",
    }


def test_no_event_is_a_local_run() -> None:
    assert LOCAL == read_event({}, b"")


def test_a_pull_request_names_head_base_and_who_had_a_hand_in_it() -> None:
    event = read_event(environ("pull_request"), json.dumps(PULL_REQUEST).encode())

    assert EventKind.PULL_REQUEST is event.kind
    assert (SHA, HEAD, BASE) == (event.sha, event.head, event.base)
    assert ("release", "main") == (event.base_branch, event.default_branch)
    assert ("owner/shop", "https://github.example") == (event.repository, event.server)
    assert 7 == event.pull_request
    assert (
        Actor(login="ada", did="opened the pull request"),
        Actor(login="grace", did="started the run"),
    ) == event.actors
    assert ("ada", "") == (event.author, event.pusher)
    assert not event.fork


def test_a_push_to_a_pull_request_names_who_pushed() -> None:
    payload = json.dumps({**PULL_REQUEST, "action": "synchronize"}).encode()

    event = read_event(environ("pull_request"), payload)

    assert "grace" == event.pusher
    assert Actor(login="grace", did="pushed") in event.actors


@pytest.mark.parametrize("repository", [{"id": 2}, None])
def test_a_fork_is_told_also_when_it_was_deleted(repository: object) -> None:
    payload = json.loads(json.dumps(PULL_REQUEST))
    payload["pull_request"]["head"]["repo"] = repository

    assert read_event(environ("pull_request"), json.dumps(payload).encode()).fork


def test_a_merge_group_names_its_base_and_nobody() -> None:
    payload = {
        "sender": {"login": "github-merge-queue[bot]"},
        "merge_group": {
            "base_sha": BASE,
            "head_sha": SHA,
            "base_ref": "refs/heads/main",
            "head_ref": f"refs/heads/gh-readonly-queue/main/pr-12-{BASE}",
        },
    }

    event = read_event(environ("merge_group"), json.dumps(payload).encode())

    assert (BASE, SHA, "main") == (event.base, event.head, event.base_branch)
    assert 12 == event.pull_request
    assert () == event.actors


def test_a_push_names_before_and_each_author_even_an_unknown_one() -> None:
    payload = {
        "before": BASE,
        "forced": True,
        "pusher": {"name": "ada"},
        "sender": {"login": "ada"},
        "commits": [
            {"author": {"username": "grace"}, "committer": {"username": "bot"}},
            {"author": {"name": "nobody knows"}},
            "strange",
        ],
    }

    event = read_event(environ("push"), json.dumps(payload).encode())

    assert (BASE, True) == (event.base, event.forced)
    assert [
        ("ada", "pushed"),
        ("grace", "wrote a commit"),
        ("bot", "committed a commit"),
        (None, "GitHub can't name the author of a commit"),
        (None, "GitHub can't name the committer of a commit"),
    ] == [(actor.login, actor.did) for actor in event.actors]


def test_a_new_branch_has_no_before() -> None:
    event = read_event(environ("push"), json.dumps({"before": "0" * 40}).encode())

    assert event.base is None


def test_a_deleted_branch_is_nothing_to_judge() -> None:
    with pytest.raises(ConfigurationError, match="deletes a branch"):
        read_event(environ("push"), b'{"deleted": true}')


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pull_request_target", "on: pull_request"),
        ("workflow_run", "on: pull_request"),
        ("schedule", "names no change"),
        ("issue_comment", "names no change"),
    ],
)
def test_other_events_are_refused_with_what_to_use(name: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_event(environ(name), b"{}")

    assert said in caught.value.diagnostics()
    assert ExitCode.CONFIGURATION == caught.value.exit_code


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_payload_that_is_no_json_is_an_error(payload: bytes) -> None:
    with pytest.raises(ConfigurationError, match="payload"):
        read_event(environ("push"), payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"[]",
        b"null",
        b'{"pull_request": null, "commits": 3, "merge_group": []}',
        (
            b'{"pull_request": {"head": {"sha": "--upload-pack=x"}, "number": "7"},'
            b' "before": "HEAD", "merge_group": {"base_sha": 5, "head_ref": 7}}'
        ),
    ],
)
@pytest.mark.parametrize("name", ["pull_request", "push", "merge_group"])
def test_nothing_but_object_ids_passes_for_a_commit(name: str, payload: bytes) -> None:
    event = read_event(environ(name), payload)

    assert (None, None, None) == (event.base, event.head, event.pull_request)
