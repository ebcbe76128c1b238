from __future__ import annotations

import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from fairtrial.benches.here.files import CHANGED_TIME
from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Selection
from fairtrial.runners.building.rebuilding import (
    failed_build,
    inside,
    rebuilt,
    tolerant,
)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("workspace", "inputs", "outputs"):
        (tmp_path / name).mkdir()
    at = PurePosixPath(tmp_path)
    return Places(
        workspace=at / "workspace", inputs=at / "inputs", outputs=at / "outputs"
    )


def ran(script: str, places: Places) -> tuple[int, str]:
    done = subprocess.run(
        ["sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=places.workspace,
    )
    return done.returncode, done.stdout


ONE = Selection(
    shape=Shape.LISTED, test_timeout=1.0, rebuild=("echo one >> log", "echo 'x: error'")
)


def test_a_tree_as_it_was_built_is_not_built_again(places: Places) -> None:
    assert (0, "go\n") == ran(rebuilt("echo go", ONE, places), places)
    assert not Path(places.workspace / "log").exists()


def test_a_tree_that_differs_is_built_before_its_tests(places: Places) -> None:
    script = rebuilt("cat log", replace(ONE, stale=True), places)

    assert (0, "one\n") == ran(script, places)


def test_a_build_that_fails_ends_the_trial_and_is_told(places: Places) -> None:
    steps = ("echo before", "echo 'a.go:1:1: bad'; exit 3", "echo after")
    selection = replace(ONE, rebuild=steps, stale=True)

    code, printed = ran(rebuilt("echo go", selection, places), places)

    assert (70, "") == (code, printed)
    files = {each.name: each.read_bytes() for each in Path(places.outputs).iterdir()}
    output = TrialOutput(ending=Ending.EXITED, code=code, files=files)
    found = failed_build(output, selection)
    assert found is not None
    assert (steps[1], "before\na.go:1:1: bad\n") == (found.step, found.text)


def test_tests_that_did_not_build_are_tried_again_in_each_trial(
    places: Places,
) -> None:
    assert (0, "") == ran(tolerant("exit 1", places), places)

    script = rebuilt("cat log", ONE, places)

    assert (0, "one\n") == ran(script, places)


def test_forged_words_of_a_failed_build_name_no_step(places: Places) -> None:
    for said in (b"99", b"x", b"-1", b"1" * 5000):
        output = TrialOutput(
            ending=Ending.EXITED, code=70, files={"build-failed": said}
        )
        found = failed_build(output, ONE)
        assert found is not None
        assert "build" == found.step


def test_a_folder_with_a_hostile_name_is_one_word() -> None:
    assert "cd 'a b; rm x' && go" == inside("a b; rm x", "go")
    assert "go" == inside("", "go")


@pytest.mark.parametrize("many", [False, True])
def test_what_a_trial_changes_is_newer_than_what_was_built(
    places: Places, many: bool
) -> None:
    source, other = (Path(places.workspace, name) for name in ("a b.c", "o.c"))
    for each in (source, other):
        each.write_text("")
        os.utime(each, (CHANGED_TIME, CHANGED_TIME))
    named = (RepoPath("a b.c"), RepoPath("gone.c"))
    more = tuple(RepoPath(f"{'x' * 200}{number}") for number in range(300))
    selection = replace(
        ONE, rebuild=("true",), stale=True, changed=named + more if many else named
    )

    assert (0, "") == ran(rebuilt(":", selection, places), places)

    assert time.time() - 60 < source.stat().st_mtime
    assert many == (CHANGED_TIME != other.stat().st_mtime)
