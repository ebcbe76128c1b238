"""A laboratory with tables instead of a bench: tests that commit rows and read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import cast

from tests.inquiry.ledgers import EPOCH, Tables
from tests.inquiry.simulated import failed

from fairtrial.domain.databases import Change, DatabaseSettings
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.report import Verdict
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.stand import Stand

#: What a test does: it looks at the tables, commits changes, and says why it fails.
Body = Callable[[Tables], tuple[Sequence[Change], str]]


def commits(*changes: Change) -> Body:
    """A test that passes and leaves rows."""
    return lambda tables: (changes, "")


def wants(holds: Callable[[Tables], bool], why: str) -> Body:
    """A test that fails with `why` unless something holds."""
    return lambda tables: ((), "" if holds(tables) else why)


@dataclass
class Databases:
    """A suite with one database; each test takes a second."""

    tests: dict[str, Body]
    unrecorded: tuple[str, ...] = ()
    #: Workers of the suite trial; a listed trial has one.
    workers: int = 1
    #: Whether suite trials record what is committed.
    watching: bool = True
    #: Seconds by which the server's clock is ahead in the suite trial.
    ahead: float = 0.0
    #: Whether the engine knows when changes were committed; else it compares at last.
    timed: bool = True
    #: Why the surroundings are lost, once rows are put in.
    lost: str = ""
    #: Why rows can't be put in.
    refuses: Callable[[Sequence[Change]], str] = lambda rows: ""
    databases: tuple[DatabaseSettings, ...] = (DatabaseSettings(name="main"),)
    #: A fresh database.
    tables: Callable[[], Tables] = Tables
    made: list[Experiment] = field(default_factory=list)

    def perform(self, experiments: Sequence[Experiment]) -> tuple[Observation, ...]:
        return tuple(map(self._perform, experiments))

    def _perform(self, experiment: Experiment) -> Observation:
        self.made.append(experiment)
        trial = TrialId(f"t{len(self.made)}")
        why = self.refuses(experiment.rows) or (self.lost if experiment.rows else "")
        if why:
            return Observation(
                trial=trial,
                experiment=experiment,
                results={},
                trust=Trust.ERRORED,
                distrust=why,
                environment=self.lost,
            )
        tables = self.tables()
        for change in experiment.rows:
            tables.make(change)
        results: dict[TestId, Result] = {}
        committed: list[Change] = []
        whole = experiment.shape is Shape.WHOLE
        workers = self.workers if whole else 1
        ahead = self.ahead if whole else 0.0
        for place, test in enumerate(experiment.tests or map(TestId, self.tests)):
            changes, failure = self.tests[test](tables)
            for change in changes:
                tables.make(change)
                at = EPOCH + place + 0.5 + ahead if self.timed else 0.0
                committed.append(replace(change, at=at))
            passed = Result(test=test, outcome=Outcome.PASSED)
            results[test] = replace(
                failed(test, failure) if failure else passed,
                started=float(place),
                seconds=float(workers),
                worker=f"w{place % workers}",
            )
        return Observation(
            trial=trial,
            experiment=experiment,
            results=results,
            trust=Trust.SOUND,
            epoch=EPOCH,
            changes=tuple(committed) if experiment.watched else (),
            unrecorded=self.unrecorded if experiment.watched else (),
        )

    def inquiry(self) -> Inquiry:
        """The inquiry when the suite has run."""
        experiment = Experiment(
            suite=SuiteName("unit"),
            tree=HEAD,
            context=SUITE,
            shape=Shape.WHOLE,
            purpose=Purpose.SUITE,
            watched=self.watching,
        )
        (opening,) = self.perform([experiment])
        self.made.clear()
        names = tuple(map(TestId, self.tests))
        return Inquiry(
            suite=SuiteName("unit"),
            evidence=Evidence(observations=(opening,)),
            failed=tuple(t for t, r in opening.results.items() if r.failure),
            touches_production=False,
            orders={"w0": names},
            listed=names,
            base_listed=names,
        )

    @property
    def stand(self) -> Stand:
        """As much of a stand as a pinner asks for."""
        stand = SimpleNamespace(
            suite=SimpleNamespace(
                name=SuiteName("unit"), runner="other", databases=self.databases
            ),
            laboratory=SimpleNamespace(perform=self.perform),
        )
        return cast(Stand, stand)


def brief(clock: Callable[[], float] = lambda: 0.0) -> Brief:
    """As much of a brief as a pinner asks for."""
    progress = SimpleNamespace(doing=lambda text: None)
    world = SimpleNamespace(progress=progress, clock=clock)
    return cast(Brief, SimpleNamespace(world=world))


def victim(test: str, *polluters: str) -> Verdict:
    """A victim's verdict."""
    return Verdict(
        suite=SuiteName("unit"),
        test=TestId(test),
        category=Category.VICTIM,
        side=Blame.TESTS,
        introduced=True,
        decision=Decision.REPAIR,
        context="after",
        unit="test",
        polluters=tuple(map(TestId, polluters)),
        because="it fails after another",
        next="repair the tests",
    )
