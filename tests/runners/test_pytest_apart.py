"""The last test in a process of its own, on what the others left outside theirs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.runners.specimen import Specimen, outcomes

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Resource, Trace
from fairtrial.runners import Selection, SuiteResult

TESTS = """
    import os, subprocess, sys
    from pathlib import Path

    def test_memory():
        os.environ["A"] = "1"

    def test_file():
        open("left.txt", "w").close()

    def test_child():
        sleep = "import time; time.sleep(9)"
        subprocess.Popen([sys.executable, "-c", sleep, os.getcwd()])

    def test_no_memory():
        assert "A" not in os.environ

    def test_no_file():
        assert not os.path.exists("left.txt")

    def test_no_child():
        found = []
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found.append(each.read_bytes())
            except OSError:
                pass
        here = os.getcwd().encode()
        assert not [each for each in found if b"sleep(9)" in each and here in each]
"""


def apart(folder: Path, *tests: str, undo: tuple[Trace, ...] = ()) -> SuiteResult:
    specimen = Specimen(folder=folder)
    specimen.write({"test_a.py": TESTS})
    return specimen.perform(
        Selection(
            shape=Shape.LISTED,
            tests=tuple(TestId(f"test_a.py::test_{name}") for name in tests),
            test_timeout=60,
            undo=undo,
            apart=True,
        ),
        "cd . && exec python -m pytest -q # as it is",
        env={},
    )


def last(result: SuiteResult) -> str:
    return list(outcomes(result).values())[-1]


def test_memory_does_not_outlive_a_process_and_files_do(tmp_path: Path) -> None:
    result = apart(tmp_path / "memory", "memory", "no_memory")
    assert "passed" == last(result)
    assert 2 == len(result.listed)

    assert "failed" == last(apart(tmp_path / "file", "memory", "file", "no_file"))


def test_files_are_taken_away_in_between(tmp_path: Path) -> None:
    undo = (Trace(resource=Resource.FILES, name="left.txt"),)

    assert "passed" == last(apart(tmp_path, "file", "no_file", undo=undo))


@pytest.mark.slow
def test_what_still_runs_is_ended_in_between(tmp_path: Path) -> None:
    undo = (Trace(resource=Resource.CHILD, name="whatever"),)

    assert "failed" == last(apart(tmp_path / "left", "child", "no_child"))
    assert "passed" == last(apart(tmp_path / "ended", "child", "no_child", undo=undo))


def test_a_failure_of_the_first_process_counts(tmp_path: Path) -> None:
    result = apart(tmp_path, "file", "no_file", "no_memory")

    assert Trust.SOUND is result.trust, result.distrust
    assert ["passed", "failed", "passed"] == [*outcomes(result).values()]
