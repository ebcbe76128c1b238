"""How jobs, steps and the three stand-in actions follow each other; no container."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.emulator import events
from tests.emulator.origin import Origin
from tests.emulator.results import Conclusion
from tests.emulator.runner import Runner, permissions_of
from tests.emulator.workflows import load

Write = Callable[[str], Path]


def test_a_failed_step_skips_the_rest_but_what_always_runs(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps:
      - run: exit 3
      - {id: later, run: echo never}
      - {id: last, run: 'echo "x=1" >> "$GITHUB_OUTPUT"', if: always()}
      - {id: only-then, run: 'true', if: failure()}
    outputs: {x: '${{ steps.last.outputs.x }}'}
  two:
    needs: one
    steps: [{run: echo never}]
  three:
    needs: [one, two]
    if: always() && needs.two.result == 'skipped' && needs.one.outputs.x == 1
    steps: [{run: 'echo "**hello**" >> "$GITHUB_STEP_SUMMARY"'}]
""")

    results = runner.run(path, events.pull_request(origin, head="feature"))

    assert Conclusion.FAILURE == results["one"].conclusion
    assert Conclusion.SKIPPED == results["one"].step("later").conclusion
    assert Conclusion.SUCCESS == results["one"].step("only-then").conclusion
    assert {"x": "1"} == results["one"].outputs
    assert Conclusion.SKIPPED == results["two"].conclusion
    assert "**hello**\n" == results["three"].summary
    assert Conclusion.FAILURE == results.conclusion


def test_a_forgiven_step_fails_without_failing_its_job(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps:
      - {id: weak, run: exit 1, continue-on-error: true}
      - {id: next, run: 'true', if: "steps.weak.outcome == 'failure'"}
""")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert Conclusion.SUCCESS == job.conclusion
    assert Conclusion.FAILURE == job.step("weak").outcome
    assert Conclusion.SUCCESS == job.step("next").outcome


TRUSTED = (
    "{GIT_CONFIG_COUNT: 1, GIT_CONFIG_KEY_0: safe.directory, GIT_CONFIG_VALUE_0: '*'}"
)


@pytest.mark.parametrize(("depth", "commits"), [("0", 4), ("1", 1), ("2", 3)])
def test_checkout_takes_as_much_history_as_it_is_told(
    runner: Runner, origin: Origin, workflow: Write, depth: str, commits: int
) -> None:
    path = workflow(f"""
  one:
    steps:
      - uses: actions/checkout@v7
        with: {{fetch-depth: {depth}, persist-credentials: false}}
      - id: count
        env: {TRUSTED}
        run: |
          echo "commits=$(git rev-list --count HEAD)" >> "$GITHUB_OUTPUT"
          echo "head=$(git rev-parse HEAD)" >> "$GITHUB_OUTPUT"
""")
    event = events.pull_request(origin, head="feature")

    job = runner.run(path, event)["one"]

    assert {"commits": str(commits), "head": event.sha} == job.step("count").outputs


def test_checkout_leaves_the_token_unless_told_not_to(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow(
        """
  kept: {steps: [{uses: actions/checkout@v7}, {run: cat .git/config}]}
  not:
    steps:
      - {uses: actions/checkout@v7, with: {persist-credentials: false}}
      - run: cat .git/config
"""
    )

    results = runner.run(path, events.pull_request(origin, head="feature"))

    assert "includeIf" in results["kept"].log
    assert "includeIf" not in results["not"].log


def test_an_artifact_goes_from_one_job_to_the_next(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps:
      - run: mkdir -p out/deep; echo 1 > out/a; echo 2 > out/deep/b; echo 3 > out/.c
      - {uses: actions/upload-artifact@v7, with: {name: result, path: out}}
  two:
    needs: one
    steps:
      - {uses: actions/download-artifact@v8, with: {name: result, path: in}}
      - id: list
        run: echo "files=$(cd in; find . -type f | sort | xargs)" >> "$GITHUB_OUTPUT"
  three:
    needs: one
    steps: [{uses: actions/download-artifact@v8, with: {name: other}}]
""")

    results = runner.run(path, events.pull_request(origin, head="feature"))

    assert ("result",) == results.artifacts
    assert {"files": "./a ./deep/b"} == results["two"].step("list").outputs
    assert Conclusion.FAILURE == results["three"].conclusion


def test_a_matrix_becomes_a_job_for_each_combination(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    strategy: {matrix: {a: [x, y], n: [1]}}
    steps: [{id: s, run: 'echo "v=${{ matrix.a }}${{ matrix.n }}" >> $GITHUB_OUTPUT'}]
""")

    results = runner.run(path, events.pull_request(origin, head="feature"))

    assert {"one (x, 1)", "one (y, 1)"} == set(results.jobs)
    assert {"v": "y1"} == results["one (y, 1)"].step("s").outputs


def test_an_input_that_the_emulator_does_not_follow_is_no_success(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one: {steps: [{uses: actions/checkout@v7, with: {lfs: true}}]}
""")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert Conclusion.FAILURE == job.conclusion


def test_a_key_that_the_emulator_does_not_follow_is_refused(workflow: Write) -> None:
    with pytest.raises(ValueError, match="container"):
        load(workflow("  one: {container: x, steps: [{run: 'true'}]}\n"))


def test_a_jobs_permissions_replace_the_workflows(
    origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one: {permissions: {pull-requests: write}, steps: [{run: 'true'}]}
  two: {steps: [{run: 'true'}]}
permissions: {}
""")
    read = load(path)
    here = events.pull_request(origin, head="feature")
    forked = events.pull_request(origin, head="feature", number=2, fork=True)

    assert {"pull-requests": "write"} == permissions_of(read, read.jobs["one"], here)
    assert {"pull-requests": "read"} == permissions_of(read, read.jobs["one"], forked)
    assert {} == permissions_of(read, read.jobs["two"], here)


def test_a_summary_that_is_too_long_is_dropped_and_nothing_else_happens(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps: [{run: 'head -c 1048577 /dev/zero | tr "\\0" a > "$GITHUB_STEP_SUMMARY"'}]
""")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert Conclusion.SUCCESS == job.conclusion
    assert not job.summary
    assert "upload aborted" in job.annotations[0].message


def test_a_token_is_neither_in_the_log_nor_among_a_jobs_outputs(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps:
      - id: leak
        run: 'echo "t=${{ github.token }}" | tee -a "$GITHUB_OUTPUT"'
    outputs: {t: '${{ steps.leak.outputs.t }}', u: safe}
""")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert {"u": "safe"} == job.outputs
    assert "t=***" in job.log


def test_a_cancelled_job_runs_only_what_always_runs(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one:
    steps:
      - {id: long, run: echo begun; exec sleep 60}
      - {id: not, run: 'true', if: '!cancelled()'}
      - {id: last, run: 'true', if: always()}
  two: {needs: one, if: always(), steps: [{run: 'true'}]}
  three: {needs: one, steps: [{run: 'true'}]}
""")

    results = runner.run(
        path,
        events.pull_request(origin, head="feature"),
        cancel_when=lambda line: line == "begun",
    )

    job = results["one"]
    assert Conclusion.CANCELLED == job.conclusion
    assert Conclusion.CANCELLED == job.step("long").outcome
    assert Conclusion.SKIPPED == job.step("not").outcome
    assert Conclusion.SUCCESS == job.step("last").outcome
    assert Conclusion.SUCCESS == results["two"].conclusion
    assert Conclusion.SKIPPED == results["three"].conclusion


def test_a_step_that_takes_too_long_fails(
    runner: Runner, origin: Origin, workflow: Write
) -> None:
    path = workflow("""
  one: {steps: [{name: Slow, run: exec sleep 60, timeout-minutes: 0.01}]}
""")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert Conclusion.FAILURE == job.conclusion
    assert "'Slow' has timed out" in job.annotations[0].message


def test_a_merge_group_is_a_commit_on_its_base(origin: Origin) -> None:
    event = events.merge_group(origin, head="feature")

    group = event.payload["merge_group"]
    assert group["base_sha"] == origin.sha(f"{event.sha}^1")
    assert event.ref.startswith("refs/heads/gh-readonly-queue/main/pr-1-")
    assert json.loads(json.dumps(event.payload)) == event.payload


def test_branches_in_conflict_start_no_run(origin: Origin, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(origin.bare), str(clone)], check=True)
    (clone / "file3.txt").write_text("another\n")
    commit = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "Other"]
    subprocess.run(["git", "add", "."], cwd=clone, check=True)
    subprocess.run(["git", *commit], cwd=clone, check=True)
    origin.fetch_from(clone)

    with pytest.raises(subprocess.CalledProcessError):
        events.pull_request(origin, head="feature")
