"""Plays the bench for one small project: real files, a real pytest, real outputs."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Failure, Outcome, Result
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Command, Order, Selection, SuiteResult
from fairtrial.runners import pytest as runner

#: Of what is listed, nothing is selected.
LISTING = Selection(shape=Shape.WHOLE, test_timeout=3600.0)


@dataclass(slots=True, kw_only=True)
class Specimen:
    """A project in a folder, and the trials that were made of it."""

    folder: Path
    python: Path = Path(sys.executable)
    #: Which pytest it is tried with: "own", "pytest7", "pytest8", "pytest9".
    name: str = "own"
    #: What the last trial handed out.
    output: TrialOutput = field(
        default_factory=lambda: TrialOutput(ending=Ending.EXITED, code=0)
    )
    trials: int = 0

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")

    def tree(self) -> dict[RepoPath, str]:
        return {
            RepoPath(path.relative_to(self.workspace).as_posix()): hashlib.sha256(
                path.read_bytes()
            ).hexdigest()
            for path in self.workspace.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    def places(self) -> Places:
        trial = self.folder / f"trial-{self.trials}"
        return Places(
            workspace=PurePosixPath(self.workspace),
            inputs=PurePosixPath(trial / "inputs"),
            outputs=PurePosixPath(trial / "outputs"),
        )

    def alone(self, *tests: str, **settings: float) -> SuiteResult:
        return self.listed(tests, timeout=settings.get("timeout", 60.0))

    def listed(
        self,
        tests: tuple[str, ...],
        command: str = "python -m pytest -q",
        timeout: float = 60.0,
        env: Mapping[str, str] | None = None,
    ) -> SuiteResult:
        return self.perform(
            Selection(
                shape=Shape.LISTED,
                tests=tuple(map(TestId, tests)),
                test_timeout=timeout,
            ),
            command,
            env=env or {},
        )

    def whole(
        self,
        command: str = "python -m pytest -q",
        *,
        order: Order | None = None,
        thresholds: bool = False,
        timeout: float = 60.0,
        env: Mapping[str, str] | None = None,
    ) -> SuiteResult:
        selection = Selection(
            shape=Shape.WHOLE,
            order=order,
            test_timeout=timeout,
            thresholds=thresholds,
        )
        return self.perform(selection, command, env=env or {})

    def inventory(
        self, command: str = "python -m pytest -q", order: Order | None = None
    ) -> SuiteResult:
        self.trials += 1
        places = self.places()
        self.output = self.play(
            runner.list_command(command, LISTING, places, order), places, {}, 60
        )
        selection = Selection(shape=Shape.WHOLE, test_timeout=60)
        return runner.read_results(selection, self.output, self.tree(), places)

    def perform(
        self,
        selection: Selection,
        command: str,
        *,
        env: Mapping[str, str],
        trial_timeout: float = 60,
    ) -> SuiteResult:
        self.trials += 1
        places = self.places()
        asked = runner.run_command(command, selection, places)
        tree = self.tree()
        self.output = self.play(asked, places, env, trial_timeout)
        return runner.read_results(selection, self.output, tree, places)

    def play(
        self,
        command: Command,
        places: Places,
        env: Mapping[str, str],
        timeout: float,
    ) -> TrialOutput:
        inputs, outputs = Path(places.inputs), Path(places.outputs)
        home = inputs.parent / "home"
        for folder in (inputs, outputs, home):
            folder.mkdir(parents=True)
        for name, data in command.inputs.items():
            (inputs / name).write_bytes(data)
        begun = time.monotonic()
        process = subprocess.Popen(
            command.argv,
            cwd=self.workspace,
            env={
                "PATH": f"{self.python.parent}{os.pathsep}/usr/bin{os.pathsep}/bin",
                "HOME": str(home),
                "TMPDIR": str(home),
                "LANG": "C.UTF-8",
                **env,
                **command.env,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        ending = Ending.EXITED
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            ending = Ending.TIMED_OUT
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
        code = process.returncode
        if code < 0 and ending is Ending.EXITED:
            ending, code = Ending.SIGNALLED, -code
        return TrialOutput(
            ending=ending,
            code=abs(code),
            files={path.name: path.read_bytes() for path in outputs.iterdir()},
            stdout=stdout,
            stderr=stderr,
            seconds=time.monotonic() - begun,
        )


def outcomes(result: SuiteResult) -> dict[str, str]:
    """What came of each test, of a report that is believed."""
    assert Trust.SOUND is result.trust, result.distrust
    return {test: each.outcome.value for test, each in result.results.items()}


def the(result: SuiteResult, test: str, outcome: Outcome) -> Result:
    """The result of one test, which has to be of this outcome."""
    assert Trust.SOUND is result.trust, result.distrust
    found = result.results[TestId(test)]
    assert outcome is found.outcome, found
    return found


def failure(
    result: SuiteResult, test: str, outcome: Outcome = Outcome.FAILED
) -> Failure:
    """The failure of one test, which has to have one."""
    found = the(result, test, outcome).failure
    assert found is not None
    return found
