"""A repository, and a small action to try the emulator with."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.emulator.actions import Images
from tests.emulator.origin import Origin
from tests.emulator.runner import Runner

PROBE = Path(__file__).parent / "probe"


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Origin:
    """Two commits on `main`, one more on `feature`."""
    source = tmp_path / "source"
    source.mkdir()
    git(source, "init", "--quiet", "--initial-branch", "main")
    for number, branch in ((1, "main"), (2, "main"), (3, "feature")):
        git(source, "checkout", "--quiet", "-B", branch)
        (source / f"file{number}.txt").write_text(f"{number}\n")
        git(source, "add", ".")
        git(source, "commit", "--quiet", "-m", f"Commit {number}")
    return Origin.of(source, tmp_path, name="octo/cart")


@pytest.fixture
def runner(tmp_path: Path, origin: Origin) -> Runner:
    """A runner that knows the action `octo/probe`."""
    return Runner(
        origin=origin,
        folder=tmp_path / "machine",
        actions={"octo/probe": PROBE},
        images=Images(
            options=("--build-arg", f"BASE={base_image()}"),
        ),
    )


@pytest.fixture
def workflow(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a workflow of jobs given as YAML."""

    def write(jobs: str) -> Path:
        path = tmp_path / "workflow.yml"
        path.write_text(f"on: [pull_request]\njobs:\n{jobs}")
        return path

    return write


def base_image() -> str:
    """An image with Python 3.11 or newer, pip, venv and git; `.ci/run` makes it."""
    return os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"
