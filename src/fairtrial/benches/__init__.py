"""Where trials run: the one interface that every bench satisfies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import (
    FileContent,
    Levels,
    Places,
    Setup,
    TrialOutput,
    TrialSpec,
)


class Bench(Protocol):
    """A place that is frozen once per tree and thawed for each trial."""

    @property
    def places(self) -> Places:
        """Where things are inside the bench."""

    @property
    def parallel(self) -> int:
        """How many trials may run side by side."""

    @property
    def own_loopback(self) -> bool:
        """Whether each trial has a loopback of its own, so that ports can be fixed."""

    def levels(self) -> Levels:
        """Which isolation this bench reaches on this machine."""

    def fingerprint(self) -> str:
        """A digest of the conditions that must be equal between compared trials."""

    def freeze(
        self, revision: Revision, files: Mapping[RepoPath, FileContent], setup: Setup
    ) -> None:
        """Build one tree once and keep it.

        Raises TreeBroken when a step of the project fails, BenchUnavailable when
        the bench itself can't stand. Base is frozen first.
        """

    def run(self, spec: TrialSpec) -> TrialOutput:
        """Run one trial from its frozen tree; raises BenchFailed when it can't.

        May be called from several threads at once, up to `parallel`.
        """

    def close(self) -> None:
        """Leave nothing behind; safe to call twice and while being interrupted."""
