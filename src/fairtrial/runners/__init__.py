"""Pure translators: commands out, bytes of result files in.

The laboratory owns processes; a runner only says what to run and what came of it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import LoadedFile, Result
from fairtrial.domain.traces import Reach, Searched, Trace, Undone, Wait
from fairtrial.domain.trials import FileContent, Places, Setup, TrialOutput

#: What every trial's command finds in its environment, so that a guard can tell it
#: from a run beside the sanctioned path: a signpost, and no secret.
SANCTIONED: Final[Mapping[str, str]] = {"FAIRTRIAL_RUN": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a bench runs for one trial."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Ids that run first, in this order, unlisted ones after; `only`: no others."""

    first: tuple[TestId, ...]
    only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What one trial runs.

    `tests` is empty for `Shape.WHOLE`. `order` applies to whole suites only.
    """

    shape: Shape
    tests: tuple[TestId, ...] = ()
    order: Order | None = None
    #: Seconds one test may take.
    test_timeout: float
    #: Coverage thresholds count in the suite trial only.
    thresholds: bool = False
    #: Files of which each test's executed lines are asked for; none, as a rule.
    lines: frozenset[RepoPath] = frozenset()
    #: Whose failures a forked trial asks about.
    subjects: tuple[TestId, ...] = ()
    #: Whether to tell what each test leaves behind in the process.
    watched: bool = False
    #: Parts of the process that are put back before the last listed test.
    undo: tuple[Trace, ...] = ()
    #: Whether the last listed test runs in a process of its own, after the others'.
    apart: bool = False
    #: The suite's build steps, those of its tests last; see `rebuilding`.
    rebuild: tuple[str, ...] = ()
    #: Whether the tree differs from the one that was built, so that they are due.
    stale: bool = False
    #: The files in which it differs, as far as they are there.
    changed: tuple[RepoPath, ...] = ()
    #: The configured command for one test, with `{test}` in it, and the globs of the
    #: reports that are read; for the generic runner alone.
    one: str = ""
    reports: tuple[str, ...] = ()


class TriedTree(Mapping[RepoPath, str]):
    """The files of a tried tree: for each path, the SHA-256 of its content."""

    @abstractmethod
    def text(self, path: RepoPath) -> str:
        """What a file holds, decoded with replacements; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """A suite that a tree seems to have; `folder` is "" at the root."""

    name: str
    runner: str
    command: str
    folder: str = ""
    #: What told it, for people.
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """What a runner's report amounts to; everything in it was checked."""

    results: Mapping[TestId, Result]
    trust: Trust
    distrust: str = ""
    orders: Mapping[str, tuple[TestId, ...]] = field(default_factory=dict)
    listed: tuple[TestId, ...] = ()
    uncollectable: Mapping[str, str] = field(default_factory=dict)
    loaded: tuple[LoadedFile, ...] = ()
    #: Repository files that act on the runner itself, such as plugins.
    steering: frozenset[RepoPath] = frozenset()
    notices: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    #: The coverage in percent that the suite demands of itself; 0 where it does not.
    threshold: float = 0.0
    #: For each measured test, the lines it ran of the files that were asked for.
    covered: Mapping[TestId, Mapping[RepoPath, frozenset[int]]] = field(
        default_factory=dict
    )
    #: The test that was running when the process ended before its time.
    interrupted_at: TestId | None = None
    #: Tests that were listed and never got to run because of it.
    unreached: tuple[TestId, ...] = ()
    #: When the tests began, in seconds since the epoch.
    epoch: float = 0.0
    traces: tuple[Trace, ...] = ()
    waits: tuple[Wait, ...] = ()
    reached: tuple[Reach, ...] = ()
    searched: tuple[Searched, ...] = ()
    undone: tuple[Undone, ...] = ()
    #: Why not all of what was left behind could be seen, a sentence each.
    blind: tuple[str, ...] = ()


class Runner(Protocol):
    """A module of this package; it needs to import or subclass nothing."""

    def run_command(
        self, command: str, selection: Selection, places: Places
    ) -> Command:
        """What to run for a selection; `command` is the suite's own, for `sh -c`."""

    def read_results(
        self,
        selection: Selection,
        output: TrialOutput,
        tree: TriedTree,
        places: Places,
    ) -> SuiteResult:
        """What the report amounts to, with its receipt."""

    def list_command(
        self,
        command: str,
        selection: Selection,
        places: Places,
        order: Order | None = None,
    ) -> Command:
        """What to run to list the suite's tests, in its order, without running one.

        Of `selection` only what says how the tree is built counts.
        """

    def widen(
        self, test: TestId, unit: Unit, listed: tuple[TestId, ...]
    ) -> tuple[TestId, ...]:
        """The listed tests that make up the unit around a test, in listed order."""

    def again(self, test: TestId) -> TestId | None:
        """The id of a second run of a test in the same process; None: it can't."""

    def keeps_out(self, name: str, test: TestId) -> bool:
        """Whether a file that can't be collected keeps a test from running."""

    def file_of(self, test: TestId) -> RepoPath:
        """The file that holds a test."""

    def forks(self) -> bool:
        """Whether it can make a forked trial."""

    def place_of(self, test: TestId) -> Place:
        """Where a test is written; all parameter rows of a test have one place."""

    def detect(
        self, paths: Collection[RepoPath], read: Callable[[RepoPath], str]
    ) -> tuple[Detected, ...]:
        """The suites of its kind that a tree with these paths seems to have."""

    def setup(
        self, files: Mapping[RepoPath, FileContent], folder: str, python: str | None
    ) -> Setup:
        """How a suite's bench is made where the configuration does not say.

        `files` is the whole tree, `folder` where the suite's own manifest lies.
        """

    def tools(self) -> tuple[str, ...]:
        """Programs that the suite needs on the bench, such as "go"; not Python."""

    def environment(self, places: Places, *, offline: bool) -> Mapping[str, str]:
        """Variables of steps and trials, such as where packages are kept."""

    def channelled(self) -> bool:
        """Whether results go through the bench's channel, out of the tests' reach."""


# A runner imports the nouns above, so they have to stand before it is imported.
from fairtrial.runners import (  # noqa: E402
    cargo,
    ctest,
    django,
    generic,
    go,
    gradle,
    jest,
    maven,
    mocha,
    nextest,
    phpunit,
    playwright,
    pytest,
    rspec,
    unittest,
    vitest,
)

#: A module per runner; the configuration's `runner:` names one.
RUNNERS: Final[dict[str, Runner]] = {
    "pytest": pytest,
    "unittest": unittest,
    "django": django,
    "generic": generic,
    "mocha": mocha,
    "cargo": cargo,
    "go": go,
    "playwright": playwright,
    "jest": jest,
    "vitest": vitest,
    "nextest": nextest,
    "maven": maven,
    "gradle": gradle,
    "ctest": ctest,
    "rspec": rspec,
    "phpunit": phpunit,
}
