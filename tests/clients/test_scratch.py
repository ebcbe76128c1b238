"""Scratch folders go with their process, however it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fairtrial.clients.scratch import Scratch

HOLDS = """
import sys, time
from fairtrial.clients.scratch import Scratch
scratch = Scratch("probe-")
print(scratch.path, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_a_closed_folder_is_gone(tmp_path: Path) -> None:
    scratch = Scratch("probe-")
    (scratch.path / "file").touch()

    scratch.close()

    assert [] == list(tmp_path.iterdir())


def test_a_killed_process_leaves_its_folder_to_the_next_and_a_live_one_does_not() -> (
    None
):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        Scratch("probe-").close()
        assert folder.is_dir()

        process.send_signal(signal.SIGKILL)
        process.wait()
        Scratch("probe-").close()

        assert not folder.exists()


def test_what_is_no_such_folder_stays(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "lock").touch()
    (tmp_path / "probe-link").symlink_to(elsewhere)
    (tmp_path / "probe-new").mkdir()

    Scratch("probe-").close()

    assert (elsewhere / "lock").exists()
    assert (tmp_path / "probe-new").is_dir()
