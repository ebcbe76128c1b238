"""Sources of public projects as repositories with one change each, and the gate."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from specimens import commit, git


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One source distribution on the package index, which holds its tests, too."""

    name: str
    version: str
    sha256: str

    def unpacked(self, folder: Path) -> Path:
        """Its sources below a folder; the test is skipped where no index answers."""
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
                *("--no-binary", self.name, "--dest", str(folder)),
                f"{self.name}=={self.version}",
            ],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        archives = list(folder.glob("*.tar.gz"))
        if done.returncode != 0 or len(archives) != 1:
            pytest.skip(f"{self.name} can't be had here: {done.stderr[-300:]}")
        assert self.sha256 == hashlib.sha256(archives[0].read_bytes()).hexdigest()
        with tarfile.open(archives[0]) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = (one for one in folder.iterdir() if one.is_dir())
        return unpacked


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a gate said."""

    code: int
    report: dict[str, Any]
    printed: str

    @property
    def story(self) -> str:
        """All of it, for a failed assertion."""
        return f"{self.printed}\n{json.dumps(self.report, indent=1)}"

    def verdict(self, test: str) -> dict[str, Any]:
        """The one verdict of a test."""
        (one,) = (each for each in self.report["verdicts"] if each["test"] == test)
        return dict(one)


def repository(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder made a repository, its base the sources with these files in them."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, files, "Base")
    return folder


def change(folder: Path, branch: str, files: Mapping[str, str]) -> None:
    """A branch beside main with these texts behind what the files hold there."""
    git(folder, "checkout", "--quiet", "-b", branch, "main")
    texts = {name: (folder / name).read_text() + more for name, more in files.items()}
    commit(folder, texts, branch)


def arguments(repo: Path, head: str, report_dir: Path) -> list[str]:
    """How the gate is called."""
    return [
        *(sys.executable, "-m", "fairtrial", "gate", f"--repo={repo}", "--base=main"),
        *(f"--head={head}", "--bench=here", f"--report-dir={report_dir}"),
    ]


def gate(repo: Path, head: str, report_dir: Path) -> Judged:
    """The gate on a branch, as somebody calls it."""
    done = subprocess.run(
        arguments(repo, head, report_dir),
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=900,
    )
    return judged(done.returncode, report_dir, done.stdout + done.stderr)


def judged(code: int, report_dir: Path, printed: str) -> Judged:
    """What a gate that has ended said."""
    path = report_dir / "report.json"
    assert path.exists(), printed
    return Judged(code=code, report=json.loads(path.read_text()), printed=printed)
