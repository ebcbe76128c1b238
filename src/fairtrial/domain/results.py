"""What one trial says of one test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial.domain.names import RepoPath, TestId


class Outcome(StrEnum):
    """How one attempt at one test ended."""

    #: It ran and held; an XPASS(strict) counts as passed too.
    PASSED = "passed"
    #: It ran and did not hold, in set-up, call or tear-down.
    FAILED = "failed"
    #: It ran out of its time with nothing beside it on a sound bench.
    TIMED_OUT = "timed_out"
    #: It took its process with it, with nothing beside it on a sound bench.
    CRASHED = "crashed"
    #: It chose not to run; an expected failure counts here too.
    SKIPPED = "skipped"
    #: The bench's doing; proves nothing.
    ERRORED = "errored"
    #: Asked for and not reported; proves nothing.
    MISSING = "missing"
    #: Its file can't be built or collected in this tree.
    UNBUILDABLE = "unbuildable"


#: Outcomes that count as "a failure was seen".
FAILURES = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.CRASHED})


class Phase(StrEnum):
    """Where in a test's life something happened."""

    COLLECT = "collect"
    SETUP = "setup"
    CALL = "call"
    TEARDOWN = "teardown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What makes two failures the same failure; the message is no part of it.

    Frames are "path::qualified.name#digest", where the digest is of the normalised
    syntax tree of the function, so that shifted lines and formatting change nothing.
    Crashes and time-outs are equal only with the same innermost frame.
    """

    outcome: Outcome
    phase: Phase
    exception: str
    test_frame: str | None
    production_frame: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failure as seen: for people, and for telling it from another failure."""

    phase: Phase
    type: str
    message: str
    where: str | None
    expected: str | None = None
    actual: str | None = None
    text: str = ""
    signature: Signature
    #: The innermost frame outside the test's own body; clusters failures (6.5).
    outside_frame: str | None = None
    #: A data race, sanitizer report, deadlock, or crash in production: never acquitted.
    never_acquitted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one trial reported of one test; times in seconds since the trial began."""

    test: TestId
    outcome: Outcome
    failure: Failure | None = None
    reason: str = ""
    seconds: float = 0.0
    started: float = 0.0
    worker: str = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFile:
    """A repository file that the tested process loaded, and what it held."""

    path: RepoPath
    sha256: str
