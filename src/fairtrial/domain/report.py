"""The report: all that a run found, as every publication is rendered from it.

Field for field `report.json` (schema fairtrial/report/v1): fields are only added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial import __version__
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.names import SuiteName, TestId


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """Which run this is; a matrix job names its variant."""

    id: str
    attempt: int = 1
    variant: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """Whose turn it is, and what to do, in one sentence."""

    #: "none", "agent" or "person".
    actor: str
    say: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectInfo:
    """What was judged, against what, under which settings."""

    head: str
    base: str
    authority: str
    configuration: str
    #: Paths by class name; each class is present.
    changed: Mapping[str, tuple[str, ...]]
    #: The pull request's own head, where `head` is its merge with the base.
    pull_head: str | None = None
    #: Who or what made the authority that strict: "dependabot[bot] pushed".
    authority_because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInfo:
    """The suite trial at head in numbers; `seconds` is its wall time."""

    name: SuiteName
    runner: str
    listed: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    errored: int = 0
    missing: int = 0
    seconds: float = 0.0
    #: "tried", "not-affected", "head-broken", "environment", "untrusted"
    state: str = "tried"
    #: One sentence where the state is not "tried".
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureInfo:
    """What the failure looked like."""

    kind: str
    phase: str
    type: str
    message: str
    expected: str | None = None
    actual: str | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellInfo:
    """One cell of evidence: where each class came from, the company, the counts."""

    production: str
    dependencies: str
    migration: str
    tests: str
    control: str
    context: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    timed_out: int = 0
    crashed: int = 0
    errored: int = 0
    missing: int = 0
    unbuildable: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprit:
    """Changed production lines of head whose reverting makes the test pass."""

    path: str
    lines: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """What a polluter left behind that a victim trips over.

    `proven`: put alone into a fresh place it made the victim fail as it did; or, for
    parts of a process that can't be made anew, put back alone it let it pass.
    """

    resource: str
    #: What exactly: "public.orders", "tests/out.txt", "DEBUG".
    name: str
    by: tuple[TestId, ...] = ()
    proven: bool = False
    #: False: no trial could be made with it, so it may be what the victim trips over.
    tried: bool = True
    #: Rows as column to value; None is NULL. What was proven to be enough.
    rows: tuple[Mapping[str, str | None], ...] = ()
    #: So many of them, the first ones, are the smallest set that is known to be enough.
    fewest: int = 0
    #: The columns without whose values they are not enough.
    columns: tuple[str, ...] = ()
    #: One sentence: what was seen, or why it is not pinned.
    say: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waited:
    """A call in which the test spent its time: "it waited 60.0 s in Producer.send"."""

    call: str
    seconds: float
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the evidence amounts to for one test."""

    suite: SuiteName
    test: TestId
    category: Category
    side: Blame
    introduced: bool
    decision: Decision
    context: str
    unit: str
    signature: str | None = None
    bound: str | None = None
    polluters: tuple[TestId, ...] = ()
    setters: tuple[TestId, ...] = ()
    cleaners: tuple[TestId, ...] = ()
    resource: str | None = None
    #: What was left behind, pinned or said not to be.
    leftovers: tuple[Leftover, ...] = ()
    waited: tuple[Waited, ...] = ()
    #: "host:port" of what it tried to reach outside.
    reached: tuple[str, ...] = ()
    culprit: tuple[Culprit, ...] = ()
    failure: FailureInfo | None = None
    evidence: tuple[CellInfo, ...] = ()
    because: str
    next: str
    replay: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something about the run or the change that is no single test's verdict."""

    rule: str
    path: str | None = None
    line: int | None = None
    test: str | None = None
    change: str | None = None
    effect: str | None = None
    was: str | None = None
    now: str | None = None
    decision: Decision = Decision.PASS
    side: Blame = Blame.UNKNOWN
    introduced: bool = False
    because: str = ""
    #: What it is a case of, where a person may accept it or a verdict would name it.
    category: Category | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the run took beyond the suite; seconds of wall time."""

    trials: int = 0
    seconds: float = 0.0
    suite_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a run found."""

    run: RunInfo
    decision: Decision
    requires_production_change: bool
    next: Next
    subject: SubjectInfo | None
    suites: tuple[SuiteInfo, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[Finding, ...] = ()
    acceptances: tuple[str, ...] = ()
    acquitted: tuple[str, ...] = ()
    #: Levels by name, and `fingerprint`.
    conditions: Mapping[str, str] = field(default_factory=dict)
    cost: Cost = Cost()
    #: Set when the run stopped before a judgement: exit code and message.
    stopped: str | None = None
    exit_code: int = 0
    #: Sentences that every reader should see: detected settings, equal trees, limits.
    notices: tuple[str, ...] = ()
    #: The version that made the report.
    tool: str = __version__
