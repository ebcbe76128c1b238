"""Our own selftest workflow, as GitHub would run it, on one of its specimens."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.action.conftest import ROOT
from tests.emulator import events
from tests.emulator.actions import Images
from tests.emulator.conftest import base_image, git
from tests.emulator.origin import Origin
from tests.emulator.results import Conclusion
from tests.emulator.runner import Runner

SELFTEST = ROOT / ".github/workflows/selftest.yml"


@pytest.mark.slow
@pytest.mark.engine
def test_the_selftest_holds_for_a_regression(tmp_path: Path) -> None:
    workflow = SELFTEST.read_text()
    for whole, part in (
        # One specimen of them all, with the packages that are here already.
        ("[clean, regression, old_contamination, new_contamination]", "[regression]"),
        ("make setup && .venv/bin/python", sys.executable),
    ):
        assert whole in workflow
        workflow = workflow.replace(whole, part)
    (tmp_path / "selftest.yml").write_text(workflow)
    origin = Origin.of(_this_tree(tmp_path), tmp_path, name="fairtrial/fairtrial")
    options = ("--network", "host", "--build-arg", f"BASE={base_image()}")
    runner = Runner(
        origin=origin, folder=tmp_path / "machine", images=Images(options=options)
    )

    event = events.push(origin, branch="main", before="main")
    results = runner.run(tmp_path / "selftest.yml", event)

    (job,) = results.jobs.values()
    assert Conclusion.SUCCESS == job.conclusion, job.log
    assert "block" == job.step("fairtrial").outputs["decision"]


def _this_tree(folder: Path) -> Path:
    """A repository of what is in the tree now, committed or not."""
    tree = folder / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    git(tree, "init", "--quiet", "--initial-branch", "main")
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message", "This tree")
    return tree
