"""A container action on a real engine, as the runner would start it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.emulator import events
from tests.emulator.layout import RUNNER_UID
from tests.emulator.origin import Origin
from tests.emulator.processes import SIGINT_SECONDS
from tests.emulator.results import Conclusion, JobResult
from tests.emulator.runner import Runner

pytestmark = pytest.mark.engine

Write = Callable[[str], Path]
Probe = Callable[..., JobResult]


@pytest.fixture
def probe(runner: Runner, origin: Origin, workflow: Write) -> Probe:
    """Runs Python in the probe action, after a checkout; the job's result."""

    def run(
        code: str, cancel_when: Callable[[str], bool] | None = None, more: str = ""
    ) -> JobResult:
        path = workflow(f"""
  one:
    steps:
      - uses: actions/checkout@v7
        with: {{persist-credentials: false}}
      - id: probe
        uses: octo/probe@v1
        with:
          do: {json.dumps(code)}
{more}
""")
        event = events.pull_request(origin, head="feature")
        return runner.run(path, event, cancel_when=cancel_when)["one"]

    return run


def test_a_container_sees_what_github_shows_it(probe: Probe, origin: Origin) -> None:
    job = probe("""
import pathlib, socket
event = pathlib.Path(env["GITHUB_EVENT_PATH"])
workspace = pathlib.Path.cwd()
output("seen", [
    str(workspace), env["GITHUB_WORKSPACE"], str(event), env["RUNNER_TEMP"],
    env["HOME"], env["GITHUB_OUTPUT"].rpartition("_")[0],
])
output("input", env["INPUT_HYPHEN-ATED"])
output("number", __import__("json").loads(event.read_text())["number"])
output("owner", workspace.stat().st_uid)
output("files", sorted(one.name for one in workspace.iterdir()))
output("socket", pathlib.Path("/var/run/docker.sock").is_socket())
output("pid", __import__("os").getpid())
output("token", bool(env["INPUT_SECRET"]) and "GITHUB_TOKEN" not in env)
output("work", env["RUNNER_WORKSPACE"].startswith("/github"))
summary("# Hello")
""")

    assert Conclusion.SUCCESS == job.conclusion, job.log
    outputs = job.step("probe").outputs
    paths = [
        "/github/workspace",
        "/github/workspace",
        "/github/workflow/event.json",
        "/github/runner_temp",
        "/github/home",
        "/github/file_commands/set_output",
    ]
    assert str(paths) == outputs["seen"]
    assert f"pull_request-{origin.sha('refs/pull/1/merge')}" == outputs["input"]
    assert "1" == outputs["number"]
    assert str(RUNNER_UID) == outputs["owner"]
    assert "['.git', 'file1.txt', 'file2.txt', 'file3.txt']" == outputs["files"]
    assert "True" == outputs["socket"]
    assert "1" == outputs["pid"]
    assert "True" == outputs["token"]
    assert "False" == outputs["work"]
    assert "# Hello" == job.summary


def test_outputs_count_after_a_failure_too(probe: Probe) -> None:
    job = probe("output('said', 'no'); raise SystemExit(12)")

    assert Conclusion.FAILURE == job.conclusion
    assert 12 == job.step("probe").exit_code
    assert {"said": "no"} == job.step("probe").outputs


def test_a_file_in_an_annotation_is_the_repositorys(probe: Probe) -> None:
    job = probe("print('::error file=/github/workspace/src/a.py,line=3::Bad')")

    (annotation,) = job.annotations
    assert ("src/a.py", "3", "Bad") == (
        annotation.file,
        annotation.line,
        annotation.message,
    )


def test_an_input_that_the_action_does_not_know_is_warned_of(probe: Probe) -> None:
    job = probe("pass", more="          misspelt: 1")

    assert Conclusion.SUCCESS == job.conclusion
    assert "misspelt" in job.annotations[0].message


def test_a_cancelled_container_gets_sigint_first(probe: Probe) -> None:
    job = probe(
        """
import time
print("begun")
try:
    time.sleep(60)
except KeyboardInterrupt:
    output("said", "interrupted")
""",
        cancel_when=lambda line: line == "begun",
    )

    step = job.step("probe")
    assert Conclusion.CANCELLED == step.outcome
    assert {"said": "interrupted"} == step.outputs
    assert SIGINT_SECONDS > step.seconds


@pytest.mark.slow
def test_a_container_that_ignores_sigint_gets_sigterm(probe: Probe) -> None:
    job = probe(
        """
import signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, lambda *_: (output("said", "term"), sys.exit(0)))
print("begun")
time.sleep(60)
""",
        cancel_when=lambda line: line == "begun",
    )

    assert {"said": "term"} == job.step("probe").outputs
    assert SIGINT_SECONDS < job.step("probe").seconds


def test_an_image_that_can_not_be_built_fails_the_step(
    runner: Runner, origin: Origin, workflow: Write, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "Dockerfile").write_text("FROM scratch\nCOPY nothing /\n")
    (broken / "action.yml").write_text(
        "name: B\ndescription: B\nruns: {using: docker, image: Dockerfile}\n"
    )
    runner.actions = {"octo/broken": broken}
    path = workflow("  one: {steps: [{uses: octo/broken@v1}]}\n")

    job = runner.run(path, events.pull_request(origin, head="feature"))["one"]

    assert Conclusion.FAILURE == job.conclusion
    assert "Docker build failed" in job.annotations[0].message


def test_nothing_of_a_run_is_left_in_the_engine(probe: Probe, runner: Runner) -> None:
    probe("print('done')")

    containers = ["ps", "--all", "--quiet", "--filter", f"label={runner.label}"]
    images = ["images", "--quiet", runner.label]
    assert not _docker(*containers)
    assert not _docker(*images)


def _docker(*arguments: str) -> str:
    done = subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout
