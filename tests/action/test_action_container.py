"""The action in a real container, started as the runner starts it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.action.conftest import ROOT, Machine
from tests.emulator import events
from tests.emulator.layout import RUNNER_UID
from tests.emulator.processes import SIGINT_SECONDS
from tests.emulator.results import Conclusion, JobResult
from tests.fake_github.server import FakeGitHub

pytestmark = [pytest.mark.engine, pytest.mark.slow]

#: The label that names the container of the gate that made something.
OWNER = "fairtrial.container"
WORKFLOW = ROOT / "examples/workflow.yml"


def test_a_regression_blocks_and_the_comment_is_edited_on_the_second_push(
    machine: Machine, github: FakeGitHub
) -> None:
    runner = machine("regression")
    head = runner.origin.sha("change")
    github.pull(1, head=head, branch="change")

    first = runner.run(WORKFLOW, events.pull_request(runner.origin, head="change"))

    gate, comment = first["fairtrial"], first["fairtrial-comment"]
    assert Conclusion.FAILURE == gate.conclusion, gate.log
    assert "block" == _outputs(gate)["decision"]
    assert "true" == _outputs(gate)["requires-production-change"]
    assert "1" == _outputs(gate)["blocked"]
    assert "src/cart.py" in gate.summary
    assert ("src/cart.py", "error") in {(a.file, a.level) for a in gate.annotations}
    assert Conclusion.SUCCESS == comment.conclusion, comment.log
    (posted,) = github.comments_of(1)
    assert "test_total_discount" in posted.body
    assert 0 == posted.edits

    tree = runner.origin.git("rev-parse", f"{head}^{{tree}}")
    pushed = runner.origin.git("commit-tree", tree, "-p", head, "-m", "Push again")
    runner.origin.git("update-ref", "refs/heads/change", pushed)
    github.push(1, pushed)
    runner.run(WORKFLOW, events.pull_request(runner.origin, head="change"))

    (posted,) = github.comments_of(1)
    assert 1 == posted.edits
    assert pushed in posted.body


def test_rows_left_in_a_database_are_pinned_beside_the_job(
    machine: Machine, github: FakeGitHub
) -> None:
    runner = machine("leaked_rows")
    github.pull(1, head=runner.origin.sha("change"), branch="change")

    results = runner.run(WORKFLOW, events.pull_request(runner.origin, head="change"))

    gate, comment = results["fairtrial"], results["fairtrial-comment"]
    assert Conclusion.FAILURE == gate.conclusion, gate.log
    assert "block" == _outputs(gate)["decision"], gate.log
    assert Conclusion.SUCCESS == comment.conclusion, comment.log
    (posted,) = github.comments_of(1)
    assert "3 rows of `orders`" in posted.body, gate.log
    assert "`discount` NULL in each" in posted.body
    assert "database: template-clone" in posted.body


def test_a_clean_change_passes(machine: Machine, github: FakeGitHub) -> None:
    runner = machine("clean")
    github.pull(1, head=runner.origin.sha("change"), branch="change")

    results = runner.run(WORKFLOW, events.pull_request(runner.origin, head="change"))

    gate = results["fairtrial"]
    assert Conclusion.SUCCESS == gate.conclusion, gate.log
    assert "pass" == _outputs(gate)["decision"]
    assert Conclusion.SUCCESS == results["fairtrial-comment"].conclusion


def test_a_merge_group_is_judged_and_nothing_is_commented(
    machine: Machine, github: FakeGitHub
) -> None:
    runner = machine("regression")

    results = runner.run(WORKFLOW, events.merge_group(runner.origin, head="change"))

    assert "block" == _outputs(results["fairtrial"])["decision"]
    assert Conclusion.SKIPPED == results["fairtrial-comment"].conclusion
    assert not github.comments


def test_a_forks_pull_request_is_commented_by_the_second_workflow(
    machine: Machine, github: FakeGitHub
) -> None:
    runner = machine("regression")
    event = events.pull_request(runner.origin, head="change", fork=True)
    fork = event.payload["pull_request"]["head"]["repo"]["full_name"]
    github.pull(1, head=runner.origin.sha("change"), branch="change", fork=fork)

    first = runner.run(WORKFLOW, event)
    assert Conclusion.SKIPPED == first["fairtrial-comment"].conclusion
    assert not github.comments

    done = events.workflow_run(
        runner.origin, of=event, run_id=first.run_id, name="Fairtrial"
    )
    second = runner.run(ROOT / "examples/fork-comment.yml", done)

    assert Conclusion.SUCCESS == second["comment"].conclusion, second["comment"].log
    (posted,) = github.comments_of(1)
    assert "test_total_discount" in posted.body


def test_what_the_action_writes_belongs_to_the_runners_user(
    machine: Machine, tmp_path: Path
) -> None:
    runner = machine("clean")
    path = tmp_path / "owner.yml"
    path.write_text("""
on: [pull_request]
jobs:
  one:
    steps:
      - uses: actions/checkout@v7
        with: {fetch-depth: 0, persist-credentials: false}
      - uses: fairtrial/fairtrial@v1
      - id: owners
        run: |
          owners=$(find . -printf '%U ' | xargs -n1 | sort -u | xargs)
          echo "owners=$owners" >> $GITHUB_OUTPUT
          echo "report=$(ls fairtrial-report | xargs)" >> $GITHUB_OUTPUT
""")

    job = runner.run(path, events.pull_request(runner.origin, head="change"))["one"]

    outputs = job.step("owners").outputs
    assert str(RUNNER_UID) == outputs["owners"], job.log
    assert "receipt.json report.json report.md" == outputs["report"]


def test_a_cancelled_run_ends_in_time_says_so_and_leaves_nothing(
    machine: Machine, tmp_path: Path
) -> None:
    runner = machine("hang")
    made: list[str] = []
    peeks: list[subprocess.CompletedProcess[bytes]] = []

    def in_the_suite(line: str) -> bool:
        if "t1 suite" in line and not made:
            (ours,) = _engine("ps", f"label={runner.label}")
            made.append(f"label={OWNER}={ours}")
            assert _engine("images", made[0])
            looked = ["docker", "exec", ours, "cat", "/proc/1/environ"]
            peeks.append(subprocess.run(looked, capture_output=True, check=False))
        return bool(made)

    path = tmp_path / "cancelled.yml"
    path.write_text("""
on: [pull_request]
jobs:
  one:
    steps:
      - uses: actions/checkout@v7
        with: {fetch-depth: 0, persist-credentials: false}
      - id: gate
        uses: fairtrial/fairtrial@v1
""")

    job = runner.run(
        path,
        events.pull_request(runner.origin, head="change"),
        cancel_when=in_the_suite,
    )["one"]

    step = job.step("gate")
    assert Conclusion.CANCELLED == job.conclusion, job.log
    assert 130 == step.exit_code, job.log
    assert SIGINT_SECONDS > step.stopping
    assert "inconclusive" == step.outputs["decision"]
    assert not step.outputs["requires-production-change"]
    assert job.summary
    (peek,) = peeks
    assert b"Permission denied" in peek.stderr, "root could read the environment"
    assert not peek.stdout
    assert made
    assert not _engine("ps", made[0])
    assert not _engine("images", made[0])


def _engine(what: str, which: str) -> list[str]:
    """The ids of all containers or images that the filter lets through."""
    done = subprocess.run(
        ["docker", what, "--all", "--quiet", "--no-trunc", "--filter", which],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def _outputs(gate: JobResult) -> dict[str, str]:
    outputs = dict(gate.step("Run fairtrial/fairtrial@v1").outputs)
    assert outputs, gate.log
    return outputs
