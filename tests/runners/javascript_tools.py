"""Small projects in JavaScript, run by the real tool through a runner's own command."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pytest

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Command, Order, Runner, Selection, SuiteResult, TriedTree


class Files(TriedTree):
    """The files of a project as they are now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getitem__(self, path: RepoPath) -> str:
        try:
            data = (self.folder / path.lstrip("/")).read_bytes()
        except OSError:
            raise KeyError(path) from None
        return hashlib.sha256(data).hexdigest()

    def text(self, path: RepoPath) -> str:
        place = self.folder / path.lstrip("/")
        return place.read_text() if place.is_file() else ""

    def __iter__(self) -> Iterator[RepoPath]:
        for place in self.folder.rglob("*"):
            if "node_modules" not in place.parts and place.is_file():
                yield RepoPath(str(place.relative_to(self.folder)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def installed(folder: Path, *packages: str) -> Path:
    """A `node_modules` with these packages; skips where there is no npm."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm on this machine")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"name": "x", "version": "1.0.0"}')
    words = ["npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit"]
    subprocess.run([*words, "-s", *packages], cwd=folder, check=True, timeout=300)
    return folder / "node_modules"


@dataclass(kw_only=True)
class Project:
    """One project, and what is known of its last trial."""

    runner: Runner
    command: str
    folder: Path
    modules: Path
    test_timeout: float = 60.0
    output: TrialOutput | None = None
    trials: int = field(default=0)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True)
        (self.root / "node_modules").symlink_to(self.modules)

    @property
    def root(self) -> Path:
        return self.folder / "workspace"

    def write(self, texts: Mapping[str, str]) -> None:
        for path, text in texts.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def listed(self, *tests: str, thresholds: bool = False) -> SuiteResult:
        return self._run(self._selection(Shape.LISTED, tests, thresholds=thresholds))

    def whole(
        self, *, thresholds: bool = False, order: Order | None = None
    ) -> SuiteResult:
        selection = self._selection(Shape.WHOLE, (), thresholds=thresholds, order=order)
        return self._run(selection)

    def inventory(self) -> SuiteResult:
        selection = self._selection(Shape.WHOLE, ())
        places = self._places()
        return self._read(
            selection, self.runner.list_command(self.command, selection, places), places
        )

    def _selection(
        self,
        shape: Shape,
        tests: tuple[str, ...],
        *,
        thresholds: bool = False,
        order: Order | None = None,
    ) -> Selection:
        return Selection(
            shape=shape,
            tests=tuple(map(TestId, tests)),
            test_timeout=self.test_timeout,
            thresholds=thresholds,
            order=order,
        )

    def _places(self) -> Places:
        self.trials += 1
        own = self.folder / f"trial-{self.trials}"
        for name in ("inputs", "outputs"):
            (own / name).mkdir(parents=True)
        return Places(
            workspace=PurePosixPath(self.root),
            inputs=PurePosixPath(own / "inputs"),
            outputs=PurePosixPath(own / "outputs"),
        )

    def _run(self, selection: Selection) -> SuiteResult:
        places = self._places()
        command = self.runner.run_command(self.command, selection, places)
        return self._read(selection, command, places)

    def _read(
        self, selection: Selection, command: Command, places: Places
    ) -> SuiteResult:
        for name, data in command.inputs.items():
            (Path(places.inputs) / name).write_bytes(data)
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "CI": "true"}
        with subprocess.Popen(
            command.argv,
            cwd=self.root,
            env={**env, "LANG": "C.UTF-8", **command.env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as child:
            try:
                stdout, stderr = child.communicate(timeout=100)
            finally:
                if child.returncode is None:
                    os.killpg(child.pid, signal.SIGKILL)
        out = Path(places.outputs)
        signalled = child.returncode < 0
        self.output = TrialOutput(
            ending=Ending.SIGNALLED if signalled else Ending.EXITED,
            code=abs(child.returncode),
            files={
                str(place.relative_to(out)): place.read_bytes()
                for place in sorted(out.rglob("*"))
                if place.is_file()
            },
            stdout=stdout,
            stderr=stderr,
        )
        return self.runner.read_results(
            selection, self.output, Files(self.root), places
        )


def outcomes(result: SuiteResult) -> dict[str, str]:
    """The outcome of each test."""
    return {test: one.outcome.value for test, one in result.results.items()}
