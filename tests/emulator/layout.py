"""Where a job's files lie on the runner's machine, and where a container sees them.

After the runner's TrackingConfig, TempDirectoryManager and ContainerInfo.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

#: On GitHub's own machines the runner is this user, and so are the workspace's files.
RUNNER_UID = 1001


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One job's folders; `repository` is `owner/name`."""

    work: Path
    repository: str

    @property
    def pipeline(self) -> Path:
        return self.work / self.repository.partition("/")[2]

    @property
    def workspace(self) -> Path:
        return self.pipeline / self.pipeline.name

    @property
    def temp(self) -> Path:
        return self.work / "_temp"

    @property
    def home(self) -> Path:
        return self.temp / "_github_home"

    @property
    def workflow(self) -> Path:
        return self.temp / "_github_workflow"

    @property
    def file_commands(self) -> Path:
        return self.temp / "_runner_file_commands"

    @property
    def mounts(self) -> tuple[tuple[Path, str], ...]:
        """Host folder and its place in the container, in the order of the run line."""
        return (
            (self.temp, "/github/runner_temp"),
            (self.home, "/github/home"),
            (self.workflow, "/github/workflow"),
            (self.file_commands, "/github/file_commands"),
            (self.workspace, "/github/workspace"),
        )

    def create(self) -> None:
        """Fresh folders, as at a job's start: the temporary one is always emptied."""
        shutil.rmtree(self.temp, ignore_errors=True)
        shutil.rmtree(self.workspace, ignore_errors=True)
        for folder in (self.workspace, *(host for host, _ in self.mounts)):
            folder.mkdir(parents=True, exist_ok=True)
        give_to_runner(self.work)

    def to_container(self, value: str) -> str:
        """The value as a container gets it: only a whole value's prefix is a path."""
        for host, inside in reversed(self.mounts):
            if value == str(host) or value.startswith(f"{host}/"):
                return inside + value[len(str(host)) :]
        return value

    def to_host(self, value: str) -> str:
        """The way back, for the files that annotations name."""
        for host, inside in reversed(self.mounts):
            if value == inside or value.startswith(f"{inside}/"):
                return str(host) + value[len(inside) :]
        return value


def give_to_runner(folder: Path) -> None:
    """Makes a tree the runner's, where this process may."""
    if os.geteuid() != 0:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, RUNNER_UID, RUNNER_UID, follow_symlinks=False)
