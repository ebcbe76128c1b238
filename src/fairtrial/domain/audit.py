"""What an audit found before any change has tripped over it; times in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial import __version__
from fairtrial.domain.names import SuiteName, TestId


class Weakness(StrEnum):
    """In which way a test depends on what it does not say."""

    #: It passes alone and fails behind its polluters.
    VICTIM = "victim"
    #: It fails alone and passes behind its state-setters.
    BRITTLE = "brittle"
    #: It passes and, in the state that it leaves behind, fails.
    NON_IDEMPOTENT = "non-idempotent"
    #: It did both under the same conditions.
    NON_DETERMINISTIC = "non-deterministic"


class AuditState(StrEnum):
    """How far a suite's audit came."""

    #: Every pair was covered.
    COMPLETE = "complete"
    #: The budget ended before.
    UNFINISHED = "unfinished"
    #: Its own run can't be believed, or has no test that passes.
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFinding:
    """One test with a weakness that experiments have confirmed."""

    suite: SuiteName
    test: TestId
    weakness: Weakness
    #: Sets each of which makes it fail; empty: none was confirmed within the budget.
    polluters: tuple[tuple[TestId, ...], ...] = ()
    #: Sets behind each of which it passes.
    setters: tuple[tuple[TestId, ...], ...] = ()
    #: Runs in which it passed and failed, where counts are the evidence.
    passed: int = 0
    failed: int = 0
    because: str
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSuite:
    """How one suite was audited, and how much of it."""

    name: SuiteName
    runner: str
    state: AuditState
    #: One sentence where the state is not "complete".
    note: str = ""
    tests: int = 0
    #: Seconds of one run of it.
    seconds: float = 0.0
    #: Runs in its own order.
    repeats: int = 0
    #: A test that never failed in them fails less often than this, at 95 %.
    rate_below: float | None = None
    #: Orders that were tried, and how many would cover every pair.
    orders: int = 0
    orders_needed: int = 0
    #: Ordered pairs of neighbours that ran one right behind the other.
    pairs: int = 0
    pairs_covered: int = 0
    #: Tests that ran twice in one process.
    twice: int = 0
    #: Tests that fail in the suite's own order: the audit says nothing of them.
    failing: tuple[TestId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """All that one audit found."""

    #: The commit that the tree stands on; a working tree may hold more.
    commit: str
    #: git's id of what was tried.
    tree: str
    suites: tuple[AuditedSuite, ...] = ()
    findings: tuple[AuditFinding, ...] = ()
    trials: int = 0
    seconds: float = 0.0
    exit_code: int = 0
    tool: str = __version__
