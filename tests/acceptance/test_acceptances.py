"""A blocked pull request, a person who accepts it, and the same job run again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.fake_github.server import FakeGitHub
from tests.subject.repositories import Repository, repository

pytestmark = pytest.mark.slow

NUMBER = 7


@dataclass(slots=True, kw_only=True)
class Pull:
    """One pull request by ada, as the gate's job sees it on `here`."""

    github: FakeGitHub
    path: Path
    base: str
    head: str
    folder: Path

    def gate(self) -> tuple[int, dict[str, Any]]:
        """Exit code and report of the job, run or run again at this head."""
        event = self.folder / "event.json"
        event.write_text(json.dumps(self._payload()))
        report = self.folder / "report"
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "fairtrial",
                "gate",
                "--bench=here",
                f"--repo={self.path}",
                f"--report-dir={report}",
            ],
            check=False,
            capture_output=True,
            text=True,
            timeout=280,
            env=os.environ
            | {
                "NO_COLOR": "1",
                "GITHUB_ACTIONS": "true",
                "GITHUB_EVENT_NAME": "pull_request",
                "GITHUB_EVENT_PATH": str(event),
                "GITHUB_SHA": self.head,
                "GITHUB_REPOSITORY": self.github.repo,
                "GITHUB_API_URL": self.github.url,
                "GITHUB_TOKEN": self.github.token,
            },
        )
        path = report / "report.json"
        assert path.exists(), done.stdout + done.stderr
        assert self.github.token not in path.read_text() + done.stdout + done.stderr
        return done.returncode, json.loads(path.read_text())

    def push(self) -> None:
        """One more commit, which changes nothing."""
        repo = Repository(path=self.path)
        repo.git("commit", "--quiet", "--allow-empty", "--message", "once more")
        self.head = repo.head()
        self.github.push(NUMBER, self.head)
        self.github.people.commit(NUMBER, self.head, author="ada", committer="ada")

    def _payload(self) -> dict[str, Any]:
        return {
            "action": "opened",
            "number": NUMBER,
            "sender": {"login": "ada"},
            "repository": {"default_branch": "main"},
            "pull_request": {
                "number": NUMBER,
                "user": {"login": "ada"},
                "head": {"sha": self.head, "ref": "change", "repo": {"id": 1}},
                "base": {"sha": self.base, "ref": "main", "repo": {"id": 1}},
            },
        }


def opened(github: FakeGitHub, folder: Path, base: Files, head: Files) -> Pull:
    """A pull request by ada of one commit, with alice, who may write, and rita."""
    repo = repository(folder / "repo")
    at_base = repo.commit({**base, "tests/test_other.py": "def test_other(): pass\n"})
    repo.branch("change")
    at_head = repo.commit(head)
    github.pull(NUMBER, head=at_head, branch="change", author="ada")
    github.people.commit(NUMBER, at_head, author="ada", committer="ada")
    github.people.permissions |= {"alice": "write", "ada": "admin", "rita": "read"}
    return Pull(
        github=github, path=repo.path, base=at_base, head=at_head, folder=folder
    )


Files = dict[str, str | bytes | None]

#: Only the new test on the new code fails.
BEFORE: Files = {
    "price.py": "def price(weight):\n    return weight * 2\n",
    "tests/test_price.py": (
        "from price import price\n\n\ndef test_price():\n    assert price(2) == 4\n"
    ),
    "pytest.ini": "[pytest]\npythonpath = .\n",
}
AFTER: Files = {
    "price.py": ("def price(weight):\n    return weight * (2 if weight < 10 else 3)\n"),
    "tests/test_price.py": (
        "from price import price\n\n\ndef test_price():\n    assert price(12) == 24\n"
    ),
}


def test_what_may_be_accepted_passes_when_another_person_approves_this_commit(
    github: FakeGitHub, tmp_path: Path
) -> None:
    pull = opened(github, tmp_path, BEFORE, AFTER)

    code, report = pull.gate()
    assert 12 == code
    assert f"`fairtrial-accept-{pull.head[:7]}`" in report["next"]["say"]
    assert report["requires_production_change"]

    github.people.review(NUMBER, by="ada", at=pull.head)
    github.people.label(NUMBER, f"fairtrial-accept-{pull.head[:7]}", by="rita")
    code, report = pull.gate()
    assert 12 == code
    assert [] == report["acceptances"]
    assert 2 == sum("is no acceptance" in notice for notice in report["notices"])

    github.people.review(NUMBER, by="alice", at=pull.head)
    code, report = pull.gate()
    said = f"review by @alice at {pull.head[:7]}"
    (verdict,) = report["verdicts"]
    assert 0 == code, report
    assert [said] == report["acceptances"]
    assert ("interaction", "pass") == (verdict["category"], verdict["decision"])
    assert f"Accepted: {said}." in verdict["because"]
    assert [] == report["acquitted"]
    assert not report["requires_production_change"]

    pull.push()
    code, report = pull.gate()
    assert (12, []) == (code, report["acceptances"])


def test_a_regression_stays_one_whoever_approves(
    github: FakeGitHub, tmp_path: Path
) -> None:
    broken: Files = {"price.py": "def price(weight):\n    return weight * 3\n"}
    pull = opened(github, tmp_path, BEFORE, broken)
    github.people.review(NUMBER, by="alice", at=pull.head)

    code, report = pull.gate()

    assert (12, []) == (code, report["acceptances"])
    assert "To accept it" not in report["next"]["say"]


def test_an_agents_commit_makes_the_change_an_agents(
    github: FakeGitHub, tmp_path: Path
) -> None:
    configuration = "suites: {u: }\nagents: {helper: repair}\n"
    base = BEFORE | {".fairtrial.yml": configuration}
    pull = opened(github, tmp_path, base, {"README.md": "x\n"})
    assert "person" == pull.gate()[1]["subject"]["authority"]
    # Nothing is to be accepted, so nobody is asked who accepted it.
    asked = [call.path.partition(github.repo)[2] for call in github.requests]
    assert ["/pulls/7/commits"] == asked

    github.people.commit(NUMBER, "c" * 40, author="helper", committer="ada")
    subject = pull.gate()[1]["subject"]

    assert ("repair", "helper wrote a commit") == (
        subject["authority"],
        subject["authority_because"],
    )


INI = "[pytest]\naddopts = -q"
TEST = "tests/test_price.py::test_price"


def test_an_accepted_control_change_is_judged_with_heads_control(
    github: FakeGitHub, tmp_path: Path
) -> None:
    head: Files = {"pytest.ini": f"{INI} --deselect {TEST}\npythonpath = .\n"}
    base = BEFORE | {"pytest.ini": f"{INI}\npythonpath = .\n"}
    pull = opened(github, tmp_path, base, head)

    code, report = pull.gate()
    (finding,) = report["findings"]
    assert (12, "control-effect", "block") == (
        code,
        finding["category"],
        finding["decision"],
    )
    assert [2] == [suite["passed"] for suite in report["suites"]]

    github.people.label(NUMBER, f"fairtrial-accept-{pull.head[:7]}", by="alice")
    code, report = pull.gate()
    (finding,) = report["findings"]
    assert (0, "pass") == (code, finding["decision"]), report
    assert [1] == [suite["passed"] for suite in report["suites"]]
    assert any("judged under head's control" in said for said in report["notices"])
    assert [f"label by @alice at {pull.head[:7]}"] == report["acceptances"]
