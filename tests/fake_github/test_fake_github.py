"""The fake GitHub judges its clients and itself by GitHub's own description."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from tests.fake_github.contract import document, errors, specimen
from tests.fake_github.faults import Loss
from tests.fake_github.routes import ROUTES
from tests.fake_github.server import FakeGitHub


def call(github: FakeGitHub, method: str, path: str, body: Any = None) -> Any:
    return requests.request(
        method,
        f"{github.url}{path}",
        json=body,
        headers={"Authorization": f"Bearer {github.token}"},
        timeout=5,
    )


@pytest.mark.parametrize(
    "schema", ["issue-comment", "pull-request", "pull-request-simple", "simple-user"]
)
def test_a_specimen_is_valid(schema: str) -> None:
    wanted = document()["components"]["schemas"][schema]

    assert [] == errors(wanted, specimen(schema))


def test_a_specimen_takes_what_it_is_given_to_any_depth() -> None:
    made = specimen("pull-request", number=7, head={"sha": "f" * 40})

    assert (7, "f" * 40) == (made["number"], made["head"]["sha"])
    assert "label" in made["head"]


def test_every_route_is_in_the_description() -> None:
    described = {
        (method.upper(), path)
        for path, methods in document()["paths"].items()
        for method in methods
    }

    assert {("POST", "/graphql")} == set(ROUTES) - described


def test_a_comment_can_be_made_and_edited(github: FakeGitHub) -> None:
    github.pull(7)

    path = f"/repos/{github.repo}/issues"
    made = call(github, "POST", f"{path}/7/comments", {"body": "one"})
    edited = call(
        github, "PATCH", f"{path}/comments/{made.json()['id']}", {"body": "two"}
    )

    assert (201, 200) == (made.status_code, edited.status_code)
    assert ["two"] == [comment.body for comment in github.comments_of(7)]
    assert "github-actions[bot]" == github.comments_of(7)[0].author


def test_pages_are_linked_until_the_last(github: FakeGitHub) -> None:
    github.pull(7)
    for number in range(3):
        github.comment(7, f"{number}")

    path = f"/repos/{github.repo}/issues/7/comments?per_page=2"
    first, second = call(github, "GET", path), call(github, "GET", f"{path}&page=2")

    assert 'rel="next"' in first.headers["link"]
    assert "link" not in second.headers
    assert ["0", "1", "2"] == [c["body"] for c in [*first.json(), *second.json()]]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/issues/7/comments", {"text": "no body"}, 422),
        ("POST", "/issues/7/comments", {"body": 7}, 422),
        ("GET", "/issues/7/comments?per_pages=2", None, 422),
        ("GET", "/no/such/path", None, 404),
        ("GET", "/contents/README.md", None, 501),
    ],
)
def test_what_breaks_the_description_is_recorded(
    method: str, path: str, body: Any, status: int
) -> None:
    github = FakeGitHub()
    github.start()
    try:
        github.pull(7)
        answer = call(github, method, f"/repos/{github.repo}{path}", body)
    finally:
        github.stop()

    assert status == answer.status_code
    assert 1 == len(github.violations)


def test_a_wrong_token_is_refused(github: FakeGitHub) -> None:
    answer = requests.get(f"{github.url}/repos/octo/shop/pulls/7", timeout=5)

    assert 401 == answer.status_code


def test_a_cut_answer_was_still_worked_for(github: FakeGitHub) -> None:
    github.pull(7)
    github.loses_answer(on="POST", how=Loss.CUT)

    with pytest.raises(requests.ConnectionError):
        call(github, "POST", "/repos/octo/shop/issues/7/comments", {"body": "x"})

    assert ["x"] == [comment.body for comment in github.comments_of(7)]
    assert 0 == github.requests[-1].status


def test_a_fault_happens_as_often_as_it_is_told(github: FakeGitHub) -> None:
    github.pull(7)
    github.fails(502, times=2)

    answers = [call(github, "GET", "/repos/octo/shop/pulls/7") for _ in range(3)]

    assert [502, 502, 200] == [answer.status_code for answer in answers]
