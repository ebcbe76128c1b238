"""A test that tries to steal the job's secrets, and one that shows that it could."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.action.conftest import ACTION, ROOT
from tests.emulator import events
from tests.emulator.actions import Images
from tests.emulator.conftest import PROBE, base_image, git
from tests.emulator.gateway import Gateway
from tests.emulator.origin import Origin
from tests.emulator.results import Conclusion, JobResult
from tests.emulator.runner import Runner
from tests.fake_github.server import FakeGitHub

pytestmark = [pytest.mark.engine, pytest.mark.slow]

THIEF = (Path(__file__).parent / "thief.py").read_text()

#: What stays open by bench, as the report says.
OPEN: dict[str, set[str]] = {"image": set(), "here": {"network"}}

GATE = """
on: [pull_request]
permissions: {contents: read, pull-requests: read}
jobs:
  one:
    steps:
      - uses: actions/checkout@v7
        with: {fetch-depth: 0, persist-credentials: false}
      - id: gate
        uses: fairtrial/fairtrial@v1
        with: {bench: BENCH}
"""

NO_GATE = """
on: [pull_request]
jobs:
  one:
    steps:
      - uses: actions/checkout@v7
      - {id: probe, uses: octo/probe@v1, with: {do: CODE}}
"""


@pytest.fixture
def bench() -> str:
    """The bench that the thief is tried on; most tests do not care."""
    return "image"


@pytest.fixture
def runner(tmp_path: Path, reached: Gateway, action_image: str, bench: str) -> Runner:
    """A pull request whose new test fails when it finds anything.

    A container without privileges can't wall off the network for processes of its
    own: the report says so, and there is nothing to find with it but the way out.
    """
    tree = tmp_path / "tree"
    (tree / "tests").mkdir(parents=True)
    git(tree, "init", "--quiet", "--initial-branch", "main")
    # Where agents are named, GitHub is asked who took part.
    (tree / ".fairtrial.yml").write_text("suites: {u: }\nagents: {helper: repair}\n")
    (tree / "tests/test_honest.py").write_text("def test_honest():\n    pass\n")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message", "Base")
    git(tree, "checkout", "--quiet", "-b", "change")
    (tree / "tests/test_thief.py").write_text(
        f"{THIEF}\n\ndef test_thief():\n"
        f"    found = loot({_host(reached)!r}, {_port(reached)})\n"
        f"    assert {OPEN[bench]} == set(found), found\n"
    )
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message", "Head")
    return Runner(
        origin=Origin.of(tree, tmp_path, name="octo/shop"),
        folder=tmp_path / "machine",
        github=reached,
        actions={ACTION: ROOT, "octo/probe": PROBE},
        images=Images(
            ready={ACTION: action_image},
            options=("--build-arg", f"BASE={base_image()}"),
        ),
    )


def _host(way: Gateway) -> str:
    return urlsplit(way.api_url).hostname or ""


def _port(way: Gateway) -> int:
    return urlsplit(way.api_url).port or 0


def _run(runner: Runner, workflow: str) -> JobResult:
    path = runner.folder.parent / "workflow.yml"
    path.write_text(workflow)
    event = events.pull_request(runner.origin, head="change")
    return runner.run(path, event)["one"]


@pytest.mark.parametrize("bench", ["image", "here"])
def test_a_test_that_looks_for_secrets_finds_none(
    runner: Runner, bench: str, github: FakeGitHub
) -> None:
    github.pull(1)

    job = _run(runner, GATE.replace("BENCH", bench))

    # The gate held a token, and used it.
    assert ["GET /repos/octo/shop/pulls/1/commits"] == list(map(str, github.requests))

    # The thief passes when it finds nothing, and the gate with it.
    assert Conclusion.SUCCESS == job.conclusion, job.log + job.summary
    outputs = job.step("gate").outputs
    assert ("2", "0") == (outputs["passed"], outputs["failed"])
    assert f"network: {'open' if OPEN[bench] else 'none'}" in job.summary


def test_without_the_gate_it_would_have_found_them_all(
    runner: Runner, reached: Gateway
) -> None:
    code = (
        "import json\n"
        f"{THIEF.partition('from __future__ import annotations')[2]}\n"
        f"found = loot({_host(reached)!r}, {_port(reached)})\n"
        "output('places', json.dumps(sorted(found)))\n"
    )

    job = _run(runner, NO_GATE.replace("CODE", json.dumps(code)))

    assert Conclusion.SUCCESS == job.conclusion, job.log
    assert ["commands", "engine", "environment", "files", "network", "processes"] == (
        json.loads(job.step("probe").outputs["places"])
    )
