"""What is tried next, and what was seen: an experiment and its trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from fairtrial.domain.databases import Alteration, Change
from fairtrial.domain.names import RepoPath, SuiteName, TestId, TrialId
from fairtrial.domain.results import LoadedFile, Result
from fairtrial.domain.traces import Reach, Searched, Telemetry, Trace, Undone, Wait
from fairtrial.domain.trees import Tree
from fairtrial.domain.trials import LeftFile


class ContextKind(StrEnum):
    """What ran beside the test whose outcome counts."""

    #: The whole suite, or a replay of the recorded order up to the test.
    SUITE = "suite"
    #: One isolation unit.
    ALONE = "alone"
    #: Given tests first, then the one.
    AFTER = "after"


class Unit(IntEnum):
    """What "alone" is, from narrow to wide."""

    TEST = 0
    CLASS = 1
    FILE = 2
    DIRECTORY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Under which company a test ran; part of a cell's key."""

    kind: ContextKind
    unit: Unit = Unit.TEST
    #: For `after`: the tests that ran first, in order.
    after: tuple[TestId, ...] = ()


ALONE = Context(kind=ContextKind.ALONE)
SUITE = Context(kind=ContextKind.SUITE)


class Shape(StrEnum):
    """Which tests a trial runs."""

    #: The suite's own command, as it is, with its own parallelism.
    WHOLE = "whole"
    #: Exactly the listed tests, in the listed order, in one process.
    LISTED = "listed"
    #: The listed tests, with forks that ask which of them make a subject fail.
    FORKED = "forked"


class Purpose(StrEnum):
    """Why an experiment is made; for budgets and reports, never for a verdict."""

    SUITE = "suite"
    #: Lists the tests and runs none.
    INVENTORY = "inventory"
    SKIPPED = "skipped"
    CONTROL_EFFECT = "control-effect"
    #: Base's tests on head's production, where the change edits them.
    ORACLE = "oracle"
    #: Head's new tests on base's production.
    SENSITIVITY = "sensitivity"
    CANARY = "canary"
    ALONE = "alone"
    UNIT = "unit"
    REPLAY = "replay"
    WHOLE = "whole"
    RATE = "rate"
    SWAP = "swap"
    POLLUTER = "polluter"
    SETTER = "setter"
    CONFIRM = "confirm"
    NECESSITY = "necessity"
    CULPRIT = "culprit"
    #: Which lines tests run, and which mutants of them they notice.
    KILLS = "kills"
    #: Which rows, files or parts of the process are enough to make a victim fail.
    PINNING = "pinning"
    #: Which tests depend on others, before any change makes them fail.
    AUDIT = "audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One trial to be made: chosen tests, on a chosen tree, under stated company."""

    suite: SuiteName
    tree: Tree
    context: Context
    shape: Shape
    #: What runs, in order; empty for a whole suite.
    tests: tuple[TestId, ...] = ()
    #: Whose outcomes count in the cell (tree, context); empty: everyone's.
    subjects: tuple[TestId, ...] = ()
    purpose: Purpose
    #: Nothing may run beside it: a time-out counts only when seen this way (6.7).
    quiet: bool = False
    #: Files of which each test's executed lines are asked for.
    lines: frozenset[RepoPath] = frozenset()
    #: Seconds for one test and for the trial, where the suite's own are too many.
    test_timeout: float | None = None
    trial_timeout: float | None = None
    #: Rows that are put into the fresh databases before the trial begins.
    rows: tuple[Change, ...] = ()
    #: Whether to record what each test leaves behind; costs a little time.
    watched: bool = False
    #: Parts of the process to compare or put back between two tests, for runners that
    #: can: see `Trace.name` and `Resource`.
    undo: tuple[Trace, ...] = ()
    #: The last test runs in a process of its own, after the others', on their files
    #: and databases; for runners that can.
    apart: bool = False

    def context_of(self, test: TestId) -> Context:
        """The context in which a subject runs; of several, what runs before each."""
        behind = self.context.kind is ContextKind.AFTER and len(self.subjects) > 1
        if not behind or test not in self.tests:
            return self.context
        return replace(self.context, after=self.tests[: self.tests.index(test)])


class Trust(StrEnum):
    """Whether a trial's report can be believed."""

    #: Exit code, report and inventory agree.
    SOUND = "sound"
    #: They do not; nothing in it is evidence.
    CONTRADICTORY = "contradictory"
    #: The bench failed before the tests could speak.
    ERRORED = "errored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one trial showed; `order` is the order in which the tests really ran."""

    trial: TrialId
    experiment: Experiment
    results: Mapping[TestId, Result]
    trust: Trust
    #: Why it is not sound; one sentence, empty when it is.
    distrust: str = ""
    #: For each worker, the tests it ran, in order.
    orders: Mapping[str, tuple[TestId, ...]] = field(default_factory=dict)
    #: What was collected before anything ran.
    listed: tuple[TestId, ...] = ()
    #: Files that could not be collected, with the first line of the reason.
    uncollectable: Mapping[str, str] = field(default_factory=dict)
    loaded: tuple[LoadedFile, ...] = ()
    #: Repository files that act on the runner itself, such as plugins.
    steering: frozenset[RepoPath] = frozenset()
    exit_code: int | None = None
    seconds: float = 0.0
    #: Findings of the suite trial that are no test's, such as a missed threshold.
    notices: tuple[str, ...] = ()
    #: The coverage in percent that the suite demands of itself; 0 where it does not.
    threshold: float = 0.0
    #: For each measured test, the lines it ran of the files that were asked for.
    covered: Mapping[TestId, Mapping[RepoPath, frozenset[int]]] = field(
        default_factory=dict
    )
    #: What is only to be told.
    remarks: tuple[str, ...] = ()
    #: When the trial's tests began, in seconds since the epoch: `Result.started` is
    #: counted from here; 0 where the runner can't tell.
    epoch: float = 0.0
    #: What each test left behind, where it was watched; rows are in `changes`.
    traces: tuple[Trace, ...] = ()
    #: Every committed change of the trial's databases, where they were watched.
    changes: tuple[Change, ...] = ()
    #: Why not every change of every database is there; part of `blind`.
    unrecorded: tuple[str, ...] = ()
    #: What else differs in them from the template.
    alterations: tuple[Alteration, ...] = ()
    #: Files, ports and processes that the trial left, where that was asked for.
    left: tuple[LeftFile, ...] = ()
    #: Why not all of what was left behind could be seen, a sentence each.
    blind: tuple[str, ...] = ()
    waits: tuple[Wait, ...] = ()
    reached: tuple[Reach, ...] = ()
    telemetry: Telemetry = field(default_factory=Telemetry)
    #: For a forked trial, what it found.
    searched: tuple[Searched, ...] = ()
    #: What came of the last test where parts of the process were put back.
    undone: tuple[Undone, ...] = ()
    #: Why the surroundings, not the code, ended this trial; empty: they did not.
    environment: str = ""
