"""A bench `here` on each kind of ground, on real processes."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fairtrial.benches.here import HereBench, HereOptions, premises
from fairtrial.benches.here.ground import Ground, survey
from fairtrial.domain.names import RepoPath, TrialId
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import (
    Delta,
    FileContent,
    Setup,
    TrialOutput,
    TrialSpec,
)

#: What the gate knows and no trial may.
SECRET = "hunter2-of-the-gate"
TREE = {
    "pkg/__init__.py": "WORD = 'frozen'\n",
    "say.py": "import pkg; print(pkg.WORD, pkg.__file__)\n",
    "folder/only.txt": "only\n",
}


def _system_python() -> str | None:
    """The version of an interpreter for everyone that can make environments."""
    for folder in ("/usr/local/bin", "/usr/bin"):
        ask = "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"
        try:
            answer = subprocess.run(
                [f"{folder}/python3", "-c", ask],
                capture_output=True,
                text=True,
                check=False,
            )
        except FileNotFoundError:
            continue
        if answer.returncode == 0:
            return answer.stdout.strip()
    return None


#: None: the tests' own interpreter, which other users may not reach.
SYSTEM_PYTHON = _system_python()

Weaken = Callable[[Ground], Ground]


def _no_walls(ground: Ground) -> Ground:
    reasons = dict.fromkeys(("files", "network", "processes"), "not in this test")
    return replace(
        ground, walls=frozenset(), overlay="", rest_read_only=False, reasons=reasons
    )


#: From what this machine really allows down to nothing at all.
GROUNDS: Mapping[str, Weaken] = {
    "whole": lambda ground: ground,
    "memory-overlay": lambda ground: replace(
        ground, overlay=ground.overlay and "memory"
    ),
    "copied": lambda ground: replace(
        ground, overlay="", reasons={**ground.reasons, "files": "not in this test"}
    ),
    "only-user": _no_walls,
    "bare": lambda ground: replace(
        _no_walls(ground),
        uid=None,
        groups=(),
        reasons={**_no_walls(ground).reasons, "user": "not in this test"},
    ),
}


@dataclass(kw_only=True)
class Place:
    """Benches that share their folders, one for each kind of ground."""

    folder: Path
    python: str | None = SYSTEM_PYTHON
    shared: dict[str, HereBench] = field(default_factory=dict)
    own: list[HereBench] = field(default_factory=list)
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def options(self, **changes: object) -> HereOptions:
        # The system's own interpreter is one that another user can reach, too.
        environ = {
            **os.environ,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "GITHUB_TOKEN": SECRET,
            "ACTIONS_RUNTIME_TOKEN": SECRET,
        }
        options = HereOptions(
            scratch=self.folder / "scratch",
            cache=self.folder / "cache",
            environ=environ,
        )
        return replace(options, **changes)  # type: ignore[arg-type]

    def bench(self, ground: str = "whole") -> HereBench:
        """A bench with both trees frozen that other tests use, too."""
        if ground not in self.shared:
            self.close()
            self.shared[ground] = self._frozen(ground, {})
        return self.shared[ground]

    def close(self) -> None:
        """Close all benches: the next one gets the same place, and its environment."""
        for bench in (*self.shared.values(), *self.own):
            bench.close()
        self.shared.clear()
        self.own.clear()

    def own_bench(self, ground: str = "whole", **changes: object) -> HereBench:
        """A bench of one test."""
        self.close()
        bench = self._frozen(ground, changes)
        self.own.append(bench)
        return bench

    def _frozen(self, ground: str, changes: Mapping[str, object]) -> HereBench:
        bench = self.empty_bench(ground, changes)
        for revision in Revision:
            bench.freeze(revision, files(TREE), Setup(python=SYSTEM_PYTHON))
        return bench

    def empty_bench(self, ground: str, changes: Mapping[str, object]) -> HereBench:
        """A bench without trees; whoever asks for it closes it."""

        def weakened(uid: int, scratch: Path, prefix: str) -> Ground:
            return GROUNDS[ground](survey(uid, scratch, prefix))

        self.close()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(premises, "survey", weakened)
            return HereBench(self.options(**changes))

    def run(
        self,
        bench: HereBench,
        script: str,
        *,
        revision: Revision = Revision.BASE,
        delta: Delta | None = None,
        inputs: Mapping[str, bytes] | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 30,
        quiet: bool = False,
        look_after: bool = False,
    ) -> TrialOutput:
        """What a shell script does in a trial."""
        return bench.run(
            TrialSpec(
                trial=TrialId(f"t{next(self.numbers)}"),
                frozen=revision,
                delta=delta or Delta(),
                argv=("sh", "-c", script),
                env=env or {},
                inputs=inputs or {},
                timeout=timeout,
                quiet=quiet,
                look_after=look_after,
            )
        )


def files(tree: Mapping[str, str]) -> dict[RepoPath, FileContent]:
    return {
        RepoPath(path): FileContent(mode=0o100644, data=text.encode())
        for path, text in tree.items()
    }


@pytest.fixture(scope="session")
def all_places() -> Iterator[Place]:
    # Not below pytest's own folder: that one is closed to other users, and /tmp is not.
    folder = Path(tempfile.mkdtemp(prefix="fairtrial-tests-"))
    folder.chmod(0o755)
    made = Place(folder=folder)
    yield made
    made.close()
    left = [*(folder / "scratch").iterdir(), *(folder / "cache/runs").glob("*.journal")]
    shutil.rmtree(folder)
    assert [] == left


@pytest.fixture
def place(all_places: Place) -> Iterator[Place]:
    yield all_places
    if all_places.own:
        all_places.close()


# Of the session, so that tests on the same ground come one after another.
@pytest.fixture(
    params=[
        pytest.param(
            name,
            marks=[pytest.mark.slow] if name in {"memory-overlay", "copied"} else [],
        )
        for name in GROUNDS
    ],
    scope="session",
)
def ground(request: pytest.FixtureRequest) -> str:
    return str(request.param)
