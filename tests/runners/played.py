"""Plays the bench for one small project and any runner: real files, the real tool."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import textwrap
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fairtrial.benches.here.toolchains import find_tools
from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.trials import Ending, FileContent, Places, TrialOutput
from fairtrial.runners import Command, Runner, Selection, SuiteResult, TriedTree
from fairtrial.runners.building.rebuilding import tolerant


@dataclass(frozen=True, slots=True)
class OnDisk(TriedTree):
    """The files of a folder as a tried tree."""

    folder: Path

    def __getitem__(self, path: RepoPath) -> str:
        file = self.folder / path
        if not file.is_file():
            raise KeyError(path)
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def text(self, path: RepoPath) -> str:
        file = self.folder / path
        return file.read_text(errors="replace") if file.is_file() else ""

    def __iter__(self) -> Iterator[RepoPath]:
        for path in self.folder.rglob("*"):
            if path.is_file():
                yield RepoPath(path.relative_to(self.folder).as_posix())

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(slots=True, kw_only=True)
class Played:
    """A project in a folder, and the trials that were made of it."""

    folder: Path
    runner: Runner
    command: str
    #: What the last trial handed out.
    output: TrialOutput = field(
        default_factory=lambda: TrialOutput(ending=Ending.EXITED, code=0)
    )
    #: What `PATH` begins with.
    path: str = ""
    rebuild: tuple[str, ...] = ()
    trials: int = 0

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")

    def places(self) -> Places:
        trial = self.folder / f"trial-{self.trials}"
        return Places(
            workspace=PurePosixPath(self.workspace),
            inputs=PurePosixPath(trial / "inputs"),
            outputs=PurePosixPath(trial / "outputs"),
        )

    def build(self, folder: str = "") -> None:
        """Makes what the runner's own set-up makes, packages too."""
        tree = OnDisk(self.workspace)
        files = {
            path: FileContent(mode=0o100644, data=(self.workspace / path).read_bytes())
            for path in tree
        }
        places = self.places()
        setup = self.runner.setup(files, folder, None)
        self.rebuild = (*setup.build, *setup.build_tests)
        tests = [tolerant(step, places) for step in setup.build_tests]
        brought = {p: c for p, c in setup.prepare_files.items() if p not in tree}
        for name, content in brought.items():
            (self.workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (self.workspace / name).write_bytes(content.data)
        for step in (*setup.prepare, *setup.build, *tests):
            done = subprocess.run(
                ["sh", "-c", step],
                cwd=self.workspace,
                env=self._env(self.runner.environment(places, offline=False)),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
        for name in brought:
            (self.workspace / name).unlink(missing_ok=True)

    def listed(
        self, *tests: str, timeout: float = 60.0, stale: bool = False
    ) -> SuiteResult:
        return self.perform(
            Selection(
                shape=Shape.LISTED,
                tests=tuple(map(TestId, tests)),
                test_timeout=timeout,
                rebuild=self.rebuild,
                stale=stale,
            )
        )

    def whole(self, *, timeout: float = 60.0, stale: bool = False) -> SuiteResult:
        return self.perform(
            Selection(
                shape=Shape.WHOLE,
                test_timeout=timeout,
                rebuild=self.rebuild,
                stale=stale,
            )
        )

    def inventory(self) -> SuiteResult:
        self.trials += 1
        places = self.places()
        selection = Selection(
            shape=Shape.WHOLE, test_timeout=60.0, rebuild=self.rebuild
        )
        command = self.runner.list_command(self.command, selection, places)
        self.output = self.play(command, places)
        return self.read(selection, places)

    def perform(self, selection: Selection) -> SuiteResult:
        self.trials += 1
        places = self.places()
        command = self.runner.run_command(self.command, selection, places)
        self.output = self.play(command, places)
        return self.read(selection, places)

    def read(self, selection: Selection, places: Places) -> SuiteResult:
        tree = OnDisk(self.workspace)
        return self.runner.read_results(selection, self.output, tree, places)

    def play(self, command: Command, places: Places) -> TrialOutput:
        inputs, outputs = Path(places.inputs), Path(places.outputs)
        outputs.mkdir(parents=True)
        for name, data in command.inputs.items():
            (inputs / name).parent.mkdir(parents=True, exist_ok=True)
            (inputs / name).write_bytes(data)
        began = time.monotonic()
        child = subprocess.Popen(
            command.argv,
            cwd=self.workspace,
            env=self._env(command.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        ending = Ending.EXITED
        try:
            stdout, stderr = child.communicate(timeout=240)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            stdout, stderr = child.communicate()
            ending = Ending.TIMED_OUT
        if ending is Ending.EXITED and child.returncode < 0:
            ending = Ending.SIGNALLED
        files = {
            path.relative_to(outputs).as_posix(): path.read_bytes()
            for path in outputs.rglob("*")
            if path.is_file()
        }
        return TrialOutput(
            ending=ending,
            code=abs(child.returncode),
            files=files,
            stdout=stdout,
            stderr=stderr,
            seconds=time.monotonic() - began,
        )

    def _env(self, more: Mapping[str, str]) -> dict[str, str]:
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        path = find_tools(self.runner.tools(), os.environ).env.get(
            "PATH", os.environ["PATH"]
        )
        return {
            "PATH": f"{self.path}:{path}" if self.path else path,
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "CI": "true",
            **more,
        }


def outcomes(result: SuiteResult) -> dict[str, Outcome]:
    """How each test came out, by its id."""
    return {test: one.outcome for test, one in result.results.items()}


def has(tool: str) -> bool:
    """Whether a tool is on this machine."""
    return shutil.which(tool) is not None
