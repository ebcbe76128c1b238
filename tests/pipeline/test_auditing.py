"""An audit of a real project names each weakness, with whom it takes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairtrial.domain.audit import AuditedSuite, AuditFinding, AuditState, Weakness
from fairtrial.domain.errors import ExitCode
from fairtrial.domain.names import SuiteName, TestId
from fairtrial.pipeline.auditing import exit_code

FILES = {
    ".gitignore": "__pycache__\n",
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "shop.py": "CACHE = {}\n",
    "tests/test_a.py": """
import os
import shop

def test_setter():
    shop.CACHE["ready"] = 1

def test_brittle():
    assert shop.CACHE.get("ready") == 1

def test_chance():
    assert os.urandom(1)[0] < 128

def test_red():
    assert False
""",
    "tests/test_b.py": """
import shop

class TestVictims:
    def test_victim(self):
        assert "dirt" not in shop.CACHE

    def test_fine(self):
        assert True

def test_twice():
    assert "once" not in shop.CACHE
    shop.CACHE["once"] = 1
""",
    "tests/test_c.py": """
import shop

def test_polluter():
    shop.CACHE["dirt"] = 1

def test_cleaner():
    shop.CACHE.pop("dirt", None)
""",
}


def project(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "a"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
            cwd=folder,
            check=True,
        )


def audited(folder: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", "audit", "--bench=here", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
    )
    path = folder / "fairtrial-report/audit.json"
    assert path.exists(), done.stderr
    return done.returncode, json.loads(path.read_text()), done.stdout


@pytest.mark.slow
def test_each_weakness_is_found_with_its_company(tmp_path: Path) -> None:
    project(tmp_path, FILES)

    code, found, said = audited(tmp_path, "--budget=4", "--repeats=16")

    assert {
        (each["test"].partition("::")[2], each["weakness"]): (
            each["polluters"],
            each["setters"],
        )
        for each in found["findings"]
    } == {
        ("TestVictims::test_victim", "victim"): (
            [["tests/test_c.py::test_polluter"]],
            [],
        ),
        ("test_brittle", "brittle"): ([], [["tests/test_a.py::test_setter"]]),
        ("test_twice", "non-idempotent"): ([], []),
        ("test_chance", "non-deterministic"): ([], []),
    }
    (suite,) = found["suites"]
    assert suite["state"] == "complete"
    assert suite["failing"] == ["tests/test_a.py::test_red"]
    assert suite["pairs"] == suite["pairs_covered"] > 0
    assert (10, 10) == (code, found["exit_code"])
    assert "4 tests have a weakness." in said


@pytest.mark.slow
def test_a_budget_that_ends_says_how_much_was_tried(tmp_path: Path) -> None:
    many = "".join(f"def test_{n}():\n    pass\n\n" for n in range(40))
    project(tmp_path, {"tests/test_many.py": many})

    code, found, said = audited(tmp_path, "--budget=0.2", "--repeats=2")

    (suite,) = found["suites"]
    assert (11, "unfinished") == (code, suite["state"])
    assert suite["pairs_covered"] < suite["pairs"] == 40 * 39
    assert "which is not all" in said


@pytest.mark.slow
def test_a_suite_that_can_not_be_believed_is_not_audited(tmp_path: Path) -> None:
    project(tmp_path, {"tests/test_it.py": "import os\nos._exit(0)\n"})

    code, found, _ = audited(tmp_path, "--budget=1")

    (suite,) = found["suites"]
    assert (11, "untrusted") == (code, suite["state"])
    assert suite["note"]


UNIT = AuditedSuite(name=SuiteName("unit"), runner="pytest", state=AuditState.COMPLETE)
FOUND = AuditFinding(
    suite=UNIT.name,
    test=TestId("t"),
    weakness=Weakness.VICTIM,
    because="so",
    next="so",
)


@pytest.mark.parametrize("state", list(AuditState))
def test_only_a_complete_audit_without_a_finding_passes(state: AuditState) -> None:
    suite = AuditedSuite(name=UNIT.name, runner="pytest", state=state)
    complete = state is AuditState.COMPLETE

    expected = ExitCode.PASS if complete else ExitCode.INCONCLUSIVE
    assert expected is exit_code([UNIT, suite], [])
    assert ExitCode.REPAIR is exit_code([suite], [FOUND])


def test_nothing_audited_and_tests_that_fail_already_are_no_pass() -> None:
    red = AuditedSuite(
        name=UNIT.name,
        runner="pytest",
        state=AuditState.COMPLETE,
        failing=(TestId("t"),),
    )

    assert ExitCode.INCONCLUSIVE is exit_code([], [])
    assert ExitCode.INCONCLUSIVE is exit_code([red], [])
