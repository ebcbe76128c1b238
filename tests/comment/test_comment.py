"""One comment a gate and pull request: made once, edited after, never a newer one's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.fake_github.faults import Loss
from tests.fake_github.server import FakeGitHub
from tests.fake_github.state import Pull
from tests.reporters.sample import HEAD, PASSED, REPORT

from fairtrial.clients.github import GitHubClient
from fairtrial.comment import Outcome, Trigger, marker_key, post
from fairtrial.domain.report import Report
from fairtrial.reporters import report_json
from fairtrial.reporters.words import Locale

MERGE = "f" * 40


def client_of(github: FakeGitHub) -> GitHubClient:
    return GitHubClient(
        api_url=github.url,
        repository=github.repo,
        token=github.token,
        sleep=lambda _: None,
        now=lambda: 0.0,
        timeout=2.0,
    )


def trigger_of(pull: Pull, *, run: int = 500, attempt: int = 1) -> Trigger:
    return Trigger(
        event="pull_request",
        payload=pull.payload(),
        run=run,
        attempt=attempt,
        sha=MERGE,
        actor="octocat",
        workflow="ci",
    )


def data_of(report: Report = REPORT, **run: Any) -> bytes:
    told = replace(report, run=replace(report.run, **run))
    return report_json.dump(told).encode()


def test_the_first_run_comments_with_its_marker_first(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome
    [comment] = github.comments_of(7)
    key = marker_key("ci", None)
    marker, rest = comment.body.split("\n", 1)
    assert f"<!-- fairtrial:v1 key={key} run=500.1 sha={HEAD} -->" == marker
    assert rest.startswith("### ⛔ A person has to decide")


def test_the_second_push_edits_the_same_comment(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), trigger_of(pull), client_of(github))
    github.push(7, "c" * 40)
    assert REPORT.subject is not None
    subject = replace(REPORT.subject, head="c" * 40)

    posted = post(
        data_of(replace(PASSED, subject=subject), id="501"),
        trigger_of(pull, run=501),
        client_of(github),
    )

    assert Outcome.EDITED is posted.outcome
    [comment] = github.comments_of(7)
    assert "### ✅" in comment.body
    assert "run=501.1" in comment.body


def test_saying_the_same_again_touches_nothing(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), trigger_of(pull), client_of(github))

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.UNCHANGED is posted.outcome
    assert 0 == github.comments_of(7)[0].edits


@pytest.mark.parametrize(("run", "attempt"), [(501, 1), (500, 2)])
def test_a_newer_runs_comment_is_left_alone(
    github: FakeGitHub, run: int, attempt: int
) -> None:
    pull = github.pull(7, head=HEAD)
    newer = data_of(PASSED, id=str(run), attempt=attempt)
    post(newer, trigger_of(pull, run=run, attempt=attempt), client_of(github))

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.SKIPPED is posted.outcome
    assert "### ✅" in github.comments_of(7)[0].body


def test_run_numbers_are_compared_as_numbers(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(id="99"), trigger_of(pull, run=99), client_of(github))

    posted = post(data_of(id="100"), trigger_of(pull, run=100), client_of(github))

    assert Outcome.EDITED is posted.outcome


def test_a_pull_request_that_has_moved_on_is_not_told(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    trigger = trigger_of(pull)
    github.push(7, "d" * 40)

    posted = post(data_of(), trigger, client_of(github))

    assert Outcome.SKIPPED is posted.outcome
    assert "moved on" in posted.say
    assert [] == github.comments_of(7)


def test_a_comment_of_another_author_with_our_marker_is_never_adopted(
    github: FakeGitHub,
) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), trigger_of(pull), client_of(github))
    ours = github.comments_of(7)[0]
    pasted = github.comment(7, ours.body, author="mallory")

    posted = post(data_of(attempt=2), trigger_of(pull, attempt=2), client_of(github))

    assert Outcome.EDITED is posted.outcome
    assert (1, 0) == (ours.edits, pasted.edits)


def test_the_newest_of_several_is_edited(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), trigger_of(pull), client_of(github))
    first = github.comments_of(7)[0]
    second = github.comment(7, first.body, author=github.login)
    hidden = github.comment(7, first.body, author=github.login)
    hidden.minimized = True

    post(data_of(attempt=2), trigger_of(pull, attempt=2), client_of(github))

    assert (0, 1, 0) == (first.edits, second.edits, hidden.edits)


def test_our_comment_is_found_on_any_page(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    post(data_of(), trigger_of(pull), client_of(github))
    for number in range(120):
        github.comment(7, f"talk {number}")

    posted = post(data_of(attempt=2), trigger_of(pull, attempt=2), client_of(github))

    assert Outcome.EDITED is posted.outcome
    assert 121 == len(github.comments_of(7))


def test_each_variant_and_workflow_has_its_own_comment(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    trigger = trigger_of(pull)

    for variant in ("3.11", "3.14"):
        post(data_of(variant=variant), trigger, client_of(github))
    post(data_of(), replace(trigger, workflow="nightly"), client_of(github))
    post(data_of(), replace(trigger, variant="3.14"), client_of(github))

    assert 3 == len(github.comments_of(7))


@pytest.mark.parametrize("how", [Loss.CUT, Loss.DONE_AND_STALL])
def test_a_lost_answer_makes_no_second_comment(github: FakeGitHub, how: Loss) -> None:
    pull = github.pull(7, head=HEAD)
    github.loses_answer(on="POST /repos", how=how)

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.UNCHANGED is posted.outcome
    assert 1 == len(github.comments_of(7))


def test_a_comment_that_was_not_made_is_made_at_the_second_try(
    github: FakeGitHub,
) -> None:
    pull = github.pull(7, head=HEAD)
    github.fails(502, on="POST /repos")

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome
    assert 1 == len(github.comments_of(7))


def test_an_endless_outage_is_a_warning(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    github.fails(502, on="POST /repos", times=-1)

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.FAILED is posted.outcome
    assert posted.publication().content.startswith("::warning title=Fairtrial comment")


def test_a_body_that_github_finds_too_long_is_made_shorter(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    github.fails(422, "Body is too long", on="POST /repos", times=2)

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert Outcome.CREATED is posted.outcome
    assert len(github.comments_of(7)[0].body.encode()) <= 8000


def test_the_comment_speaks_the_language_it_is_asked_for(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)

    post(data_of(), trigger_of(pull), client_of(github), locale=Locale.KO)

    assert "사람이 결정해야 합니다" in github.comments_of(7)[0].body


@pytest.mark.parametrize(
    ("arrange", "cause"),
    [
        ("fork", "A fork's runs"),
        ("deleted fork", "A fork's runs"),
        ("dependabot", "Dependabot's runs"),
        ("permission", "lack `pull-requests: write`"),
    ],
)
def test_a_403_is_explained_by_its_true_cause(
    github: FakeGitHub, arrange: str, cause: str
) -> None:
    forks = arrange in {"fork", "deleted fork"}
    pull = github.pull(7, head=HEAD, fork="mallory/shop" if forks else None)
    trigger = trigger_of(pull)
    if arrange == "deleted fork":
        payload = pull.payload()
        payload["pull_request"]["head"]["repo"] = None
        trigger = replace(trigger, payload=payload)
    if arrange == "dependabot":
        trigger = replace(trigger, actor="dependabot[bot]")
    github.read_only()

    posted = post(data_of(), trigger, client_of(github))

    assert Outcome.FAILED is posted.outcome
    assert cause in posted.say


def test_a_locked_conversation_is_told_as_such(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    message = "Unable to create comment because issue is locked."
    github.fails(403, message, on="POST /repos")

    posted = post(data_of(), trigger_of(pull), client_of(github))

    assert "The conversation is locked." in posted.say


def test_a_report_of_a_run_that_stopped_is_told(github: FakeGitHub) -> None:
    pull = github.pull(7, head=HEAD)
    stopped = replace(PASSED, stopped="no bench can stand", subject=None, exit_code=3)

    post(
        data_of(replace(stopped, decision=REPORT.decision)),
        trigger_of(pull),
        client_of(github),
    )

    assert "no bench can stand" in github.comments_of(7)[0].body
