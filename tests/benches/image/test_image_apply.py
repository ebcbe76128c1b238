"""The helper inside: it deletes files and never what a link leads to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial import injected

HELPER = Path(injected.__path__[0], "fairtrial_apply.py")


def apply(
    workspace: Path,
    *argv: str,
    deletes: tuple[str, ...] = (),
    writes: tuple[str, ...] = (),
    owned: tuple[str, ...] = (),
) -> subprocess.CompletedProcess[str]:
    plan = workspace.parent / "plan.json"
    plan.write_text(
        json.dumps(
            {
                "workspace": str(workspace),
                "deletes": deletes,
                "umask": 0o022,
                "cpus": [0, 0],
                "doors": [],
                "writes": writes,
                "owner": 12345,
                "owned": owned,
            }
        )
    )
    return subprocess.run(
        [sys.executable, "-I", "-S", HELPER, plan, *argv],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def test_a_deleted_file_goes_with_its_bytecode_and_its_empty_folders(
    workspace: Path,
) -> None:
    cache = workspace / "a/b/__pycache__"
    cache.mkdir(parents=True)
    (workspace / "a/b/mod.py").touch()
    (cache / "mod.cpython-311.pyc").touch()
    (cache / "mod.cpython-311-pytest-9.2.0.pyc").touch()
    (workspace / "keep.txt").touch()

    done = apply(workspace, "trial", "true", deletes=("a/b/mod.py",))

    assert (0, "") == (done.returncode, done.stderr)
    assert ["keep.txt"] == names(workspace)


def test_a_folder_that_still_holds_something_stays(workspace: Path) -> None:
    (workspace / "a").mkdir()
    (workspace / "a/gone.py").touch()
    (workspace / "a/stays.so").touch()

    apply(workspace, "trial", "true", deletes=("a/gone.py",))

    assert ["stays.so"] == names(workspace / "a")


def test_a_written_file_loses_its_old_bytecode_and_no_other(workspace: Path) -> None:
    cache = workspace / "__pycache__"
    cache.mkdir()
    (workspace / "mod.py").touch()
    for name in ("mod.cpython-311.pyc", "model.cpython-311.pyc"):
        (cache / name).touch()

    apply(workspace, "trial", "true", writes=("mod.py",))

    assert ["model.cpython-311.pyc"] == names(cache)
    assert (workspace / "mod.py").exists()


def test_nothing_behind_a_link_is_deleted(workspace: Path) -> None:
    (workspace / "real").mkdir()
    (workspace / "real/file.py").touch()
    (workspace / "link").symlink_to("real")

    done = apply(workspace, "trial", "true", deletes=("link/file.py",))

    assert 0 == done.returncode
    assert (workspace / "real/file.py").exists()


def test_a_link_itself_is_deleted_and_its_target_stays(workspace: Path) -> None:
    (workspace / "real.py").touch()
    (workspace / "link.py").symlink_to("real.py")

    apply(workspace, "trial", "true", deletes=("link.py",))

    assert ["real.py"] == names(workspace)


def test_what_is_absent_or_now_a_folder_is_no_error(workspace: Path) -> None:
    (workspace / "folder").mkdir()
    (workspace / "folder/new.py").touch()
    (workspace / "file").touch()

    done = apply(
        workspace, "trial", "true", deletes=("none/at/all", "folder", "file/below")
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert (workspace / "folder/new.py").exists()


def test_the_command_takes_the_place_of_the_helper(workspace: Path) -> None:
    done = apply(workspace, "trial", "sh", "-c", "pwd; exit 7")

    assert (7, f"{workspace}\n") == (done.returncode, done.stdout)


def test_the_command_gets_the_usual_signals(workspace: Path) -> None:
    done = apply(workspace, "trial", "sh", "-c", "kill -PIPE $$; echo alive")

    assert (-signal.SIGPIPE, "") == (done.returncode, done.stdout)


def test_a_command_that_is_not_there_ends_as_in_a_shell(workspace: Path) -> None:
    done = apply(workspace, "trial", "no-such-command")

    assert 127 == done.returncode
    assert "no-such-command: No such file" in done.stderr


def test_a_helper_that_fails_says_so_in_its_own_way(workspace: Path) -> None:
    workspace.rmdir()

    done = apply(workspace, "trial", "true", deletes=("a",))

    assert 125 == done.returncode
    assert done.stderr.startswith("fairtrial_apply: ")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_settling_gives_everything_away_and_follows_no_link(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    outside.touch()
    (workspace / "a").mkdir()
    (workspace / "a/file").touch()
    (workspace / "link").symlink_to(outside)

    done = apply(workspace, "settle", owned=(str(workspace),))

    assert (0, "") == (done.returncode, done.stderr)
    owners = {path.lstat().st_uid for path in (workspace, *workspace.rglob("*"))}
    assert {12345} == owners
    assert 0 == outside.stat().st_uid
