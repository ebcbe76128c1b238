"""Accounts, trees and outputs for tests of the rules that all runners share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Selection, SuiteResult, TriedTree
from fairtrial.runners.reports.plain import Account, Told, suite_result

PLACES = Places(
    workspace=PurePosixPath("/w/workspace"),
    inputs=PurePosixPath("/w/inputs"),
    outputs=PurePosixPath("/w/outputs"),
)
A, B, C = (TestId(f"t/a.x::{name}") for name in "abc")


@dataclass(frozen=True)
class FakeTree(TriedTree):
    """A tree of texts."""

    texts: Mapping[str, str] = field(default_factory=lambda: {"t/a.x": "a\nb\nc\n"})

    def __getitem__(self, path: RepoPath) -> str:
        return hashlib.sha256(self.texts[path].encode()).hexdigest()

    def __iter__(self) -> Iterator[RepoPath]:
        return iter(RepoPath(path) for path in self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, path: RepoPath) -> str:
        return self.texts.get(path, "")


def exited(code: int = 0, **files: bytes) -> TrialOutput:
    named = {name.replace("_", "."): data for name, data in files.items()}
    return TrialOutput(ending=Ending.EXITED, code=code, files=named)


def told(test: TestId, outcome: Outcome = Outcome.PASSED) -> Told:
    return Told(test=test, outcome=outcome)


def asked(*tests: TestId, rebuild: tuple[str, ...] = ()) -> Selection:
    shape = Shape.LISTED if tests else Shape.WHOLE
    return Selection(shape=shape, tests=tests, test_timeout=60.0, rebuild=rebuild)


def judged(
    account: Account, selection: Selection, output: TrialOutput | None = None
) -> SuiteResult:
    tree = FakeTree()
    return suite_result(selection, output or exited(), account, tree, "/w/workspace")
