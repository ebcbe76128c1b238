"""One class per way to stop; only `cli.main` catches them.

FairtrialError
├── ConfigurationError   2   settings or usage
├── BenchUnavailable     3   no bench can stand at all
├── NothingToJudge       4   no suite has a test at either side
├── BenchFailed              one trial could not be run (never a verdict)
│   └── SurroundingsLost     because a database or a service is gone
├── TreeBroken               a tree's prepare or build fails (a verdict, not a stop)
└── ServiceError             GitHub or the engine did not answer (never a verdict)
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from fairtrial.domain.trees import Revision


class ExitCode(IntEnum):
    """What the process says to whoever waits for it; documented in the README."""

    #: Nothing failed that counts against this change.
    PASS = 0
    #: A bug in Fairtrial.
    BUG = 1
    #: The configuration or the command line is wrong.
    CONFIGURATION = 2
    #: No bench can stand at all.
    NO_BENCH = 3
    #: No suite has a test at either side.
    NOTHING_TO_JUDGE = 4
    #: Only tests have to change.
    REPAIR = 10
    #: It could not be told; this blocks.
    INCONCLUSIVE = 11
    #: Passing would take a production change, or a person has to decide.
    BLOCK = 12
    #: Interrupted by SIGINT or SIGTERM.
    INTERRUPTED = 130


class FairtrialError(Exception):
    """Something that stops a run, said as: what happened, what it means, what to do."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUG

    def __init__(self, happened: str, *, means: str = "", remedy: str = "") -> None:
        super().__init__(happened)
        self.happened = happened
        self.means = means
        self.remedy = remedy

    def diagnostics(self) -> str:
        """The whole message, a line for each part that there is."""
        parts = (self.happened, self.means, self.remedy)
        return "\n".join(part for part in parts if part)


class ConfigurationError(FairtrialError):
    """The configuration or the command line is wrong."""

    exit_code = ExitCode.CONFIGURATION


class BenchUnavailable(FairtrialError):  # noqa: N818 - said as people say it
    """No bench can stand at all."""

    exit_code = ExitCode.NO_BENCH


class NothingToJudge(FairtrialError):  # noqa: N818 - said as people say it
    """No suite has a test at either side."""

    exit_code = ExitCode.NOTHING_TO_JUDGE


class TreeBroken(FairtrialError):  # noqa: N818 - said as people say it
    """A tree's prepare or build step failed; what that means depends on the side."""

    def __init__(self, revision: Revision, step: str, output: str) -> None:
        super().__init__(f"{revision.value}: `{step}` failed")
        self.revision = revision
        self.step = step
        self.output = output


class BenchFailed(FairtrialError):  # noqa: N818 - said as people say it
    """One trial could not be run; an errored attempt, never a verdict."""


class SurroundingsLost(BenchFailed):
    """A database or a service that the suite needs is gone; an errored attempt."""


class ServiceError(FairtrialError):
    """An outside service did not answer as it should; never a verdict."""
