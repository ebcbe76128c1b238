"""A blocked job, an approval on GitHub, and the same job run again, in containers."""

from __future__ import annotations

import pytest
from tests.action.conftest import ROOT, Machine
from tests.emulator import events
from tests.emulator.gateway import Gateway
from tests.emulator.results import Conclusion, JobResults
from tests.fake_github.server import FakeGitHub

pytestmark = [pytest.mark.engine, pytest.mark.slow]

WORKFLOW = ROOT / "examples/workflow.yml"


def test_an_approval_of_the_head_takes_effect_when_the_job_is_run_again(
    machine: Machine, github: FakeGitHub, reached: Gateway
) -> None:
    runner = machine("lowered_threshold")
    head = runner.origin.sha("change")
    github.pull(1, head=head, branch="change", author="octocat")
    github.people.commit(1, head)
    github.people.permissions |= {"octocat": "admin", "alice": "write"}
    event = events.pull_request(runner.origin, head="change")

    assert "block" == decision(runner.run(WORKFLOW, event))
    (posted,) = github.comments_of(1)
    assert f"`fairtrial-accept-{head[:7]}`" in posted.body

    github.people.label(1, f"fairtrial-accept-{head[:7]}", by="octocat")
    assert "block" == decision(runner.run(WORKFLOW, event))

    github.people.review(1, by="alice", at=head)
    again = runner.run(WORKFLOW, event)

    assert "pass" == decision(again), again["fairtrial"].log
    assert Conclusion.SUCCESS == again["fairtrial"].conclusion
    assert f"review by `@alice` at `{head[:7]}`" in again["fairtrial"].summary
    assert "A person has accepted this change" in posted.body
    # The workflow that we recommend gives its jobs every right that they use.
    assert [] == reached.refused


def test_a_forks_token_is_enough_to_read_who_accepted(
    machine: Machine, github: FakeGitHub, reached: Gateway
) -> None:
    runner = machine("lowered_threshold")
    event = events.pull_request(runner.origin, head="change", fork=True)
    head = runner.origin.sha("change")
    github.pull(1, head=head, branch="change", fork="contributor/shop")
    github.people.review(1, by="alice", at=head)
    github.people.permissions["alice"] = "write"

    results = runner.run(WORKFLOW, event)

    assert "pass" == decision(results), results["fairtrial"].log
    assert [] == reached.refused


def decision(results: JobResults) -> str:
    outputs = results["fairtrial"].step("Run fairtrial/fairtrial@v1").outputs
    assert outputs, results["fairtrial"].log
    return outputs["decision"]
