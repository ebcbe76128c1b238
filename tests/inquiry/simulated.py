"""A laboratory without a bench: small models of projects that answer experiments."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from fairtrial.domain.contracts import Missing
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
    Unit,
)
from fairtrial.domain.names import HunkId, OverlayId, SuiteName, TestId, TrialId
from fairtrial.domain.paths import PERSONS_CLASSES, PathClass
from fairtrial.domain.results import (
    FAILURES,
    Failure,
    Outcome,
    Phase,
    Result,
    Signature,
)
from fairtrial.domain.settings import BudgetSettings
from fairtrial.domain.traces import Searched
from fairtrial.domain.trees import HEAD, Revision, Tree
from fairtrial.inquiry.state import Inquiry

SUITE_NAME = SuiteName("unit")

NO_BUDGET = BudgetSettings()


@dataclass(frozen=True, kw_only=True)
class Act:
    """What a test does in one tree: tokens stand for state that outlives a test."""

    fails: bool = False
    #: Fails when all tokens of one of these sets are there.
    fails_with: frozenset[frozenset[str]] = frozenset()
    #: Fails unless one of these tokens is there; empty: needs nothing.
    needs: frozenset[str] = frozenset()
    leaves: frozenset[str] = frozenset()
    cleans: frozenset[str] = frozenset()
    #: Left as soon as its file is loaded.
    loads: frozenset[str] = frozenset()
    #: How often it fails for no reason.
    rate: float = 0.0
    outcome: Outcome = Outcome.FAILED
    #: Where it fails; failures are the same failure when this is equal.
    frame: str = "here"
    unbuildable: bool = False
    #: It fails for want of this name.
    misses: str = ""


#: What a test does, given the active production hunks and whose tests these are;
#: None where that tree has no such test.
Behaviour = Callable[[frozenset[HunkId], Revision], Act | None]


def always(act: Act) -> Behaviour:
    """The same in every tree."""
    return lambda hunks, tests: act


def when(hunk: str, then: Act, otherwise: Act | None = None) -> Behaviour:
    """`then` where a production hunk is active, else `otherwise`."""
    other = Act() if otherwise is None else otherwise
    return lambda hunks, tests: then if HunkId(hunk) in hunks else other


def by_tests(head: Act | None, base: Act | None) -> Behaviour:
    """What head's version of the test does, and base's."""
    return lambda hunks, tests: head if tests is Revision.HEAD else base


PASS = Act()


@dataclass(kw_only=True)
class World:
    """A project at both sides, with everything that its change did."""

    #: In listed order: "file.py::name" to behaviour; a dict for each worker or one.
    tests: dict[str, Behaviour]
    hunks: tuple[str, ...] = ()
    changed: frozenset[PathClass] = frozenset()
    workers: int = 1
    edited: frozenset[str] = frozenset()
    demands_equal: frozenset[str] = frozenset()
    #: What base's version of a test does by itself on head's production.
    by_itself: dict[str, Act] = field(default_factory=dict)
    removed: frozenset[Missing] = frozenset()
    #: Which trials the bench loses: called with the number of the trial.
    loses: Callable[[int], bool] = lambda number: False
    #: Reverted trees that can't be built.
    unbuildable_without: frozenset[str] = frozenset()
    seed: int = 0
    budget: BudgetSettings = NO_BUDGET
    seconds_a_test: float = 0.01
    #: Tests that fail for no reason in the opening trial.
    fails_once: frozenset[str] = frozenset()
    #: What forks of one run say: nothing, what is so, what is not, or nothing but why.
    forks: str = "none"
    #: Cleaners that they name.
    undoes: tuple[str, ...] = ()
    #: In a suite with its own parallelism these fail whatever else they do.
    races: frozenset[str] = frozenset()
    trials: list[Observation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.hunk_ids = tuple(HunkId(hunk) for hunk in self.hunks)
        if self.hunks:
            self.changed |= {PathClass.PRODUCTION}

    def _active(self, tree: Tree) -> frozenset[HunkId]:
        if tree.production is Revision.BASE:
            return frozenset()
        return frozenset(self.hunk_ids) - tree.reverted

    def act(self, test: TestId, tree: Tree) -> Act | None:
        """What a test does in a tree."""
        if str(test) not in self.tests:
            return None
        if tree.reverted & {HunkId(hunk) for hunk in self.unbuildable_without}:
            return Act(unbuildable=True)
        if tree.overlay is not None:
            return self.by_itself.get(tree.overlay)
        return self.tests[str(test)](self._active(tree), tree.tests)

    def listing(self, tree: Tree) -> tuple[TestId, ...]:
        """The tests that a tree has and can collect, file by file."""
        return tuple(test for tests in self.files(tree).values() for test in tests)

    def files(self, tree: Tree) -> dict[str, list[TestId]]:
        """The tests of each file that a tree can collect."""
        found: dict[str, list[TestId]] = {}
        for name in self.tests:
            act = self.act(TestId(name), tree)
            if act is not None and not act.unbuildable:
                found.setdefault(name.split("::")[0], []).append(TestId(name))
        return found

    def orders(self, tree: Tree) -> dict[str, tuple[TestId, ...]]:
        """The workers' orders: tests are dealt round by file."""
        dealt: dict[str, list[TestId]] = {}
        for number, tests in enumerate(self.files(tree).values()):
            dealt.setdefault(f"w{number % self.workers}", []).extend(tests)
        return {worker: tuple(tests) for worker, tests in dealt.items()}

    def process(
        self, tree: Tree, tests: Iterable[TestId], beside: Iterable[TestId] = ()
    ) -> dict[TestId, Result]:
        """What one process reports that is given these tests, in this order.

        Their files are loaded first, and those of the tests `beside` them.
        """
        found: dict[TestId, Result] = {}
        asked = list(tests)
        state: set[str] = set()
        loading = (*asked, *beside)
        files = {test.split("::")[0] for test in loading if self.act(test, tree)}
        for test in self.listing(tree):
            act = self.act(test, tree)
            if act is not None and test.split("::")[0] in files:
                state |= act.loads
        for test in asked:
            act = self.act(test, tree)
            if act is None:
                found[test] = Result(test=test, outcome=Outcome.SKIPPED)
            elif act.unbuildable:
                found[test] = Result(test=test, outcome=Outcome.UNBUILDABLE)
            else:
                found[test] = self._result(test, act, state)
                state -= act.cleans
                state |= act.leaves
        return found

    def _result(self, test: TestId, act: Act, state: set[str]) -> Result:
        reason = ""
        if act.misses:
            return missing(test, act.misses)
        if act.fails:
            reason = act.frame
        elif any(tokens <= state for tokens in act.fails_with):
            reason = "dirty"
        elif act.needs and not act.needs & state:
            reason = "unset"
        elif act.rate and self.random.random() < act.rate:
            reason = "chance"
        if not reason:
            return Result(test=test, outcome=Outcome.PASSED)
        return failed(test, reason, act.outcome)

    def perform(self, experiment: Experiment) -> Observation:
        """One trial."""
        number = len(self.trials) + 1
        tree = experiment.tree
        orders: dict[str, tuple[TestId, ...]] = {}
        results: dict[TestId, Result] = {}
        trust = Trust.SOUND
        if self.loses(number):
            trust = Trust.ERRORED
        elif experiment.shape is Shape.WHOLE:
            orders = self.orders(tree)
            for order in orders.values():
                results |= self.process(tree, order, self.listing(tree))
            racing = self.races | (self.fails_once if number == 1 else frozenset())
            for name in racing:
                results[TestId(name)] = failed(TestId(name), "race", Outcome.FAILED)
        elif experiment.shape is Shape.LISTED:
            results = self.process(tree, experiment.tests)
        observation = Observation(
            trial=TrialId(f"t{number}"),
            experiment=experiment,
            results=results,
            trust=trust,
            orders=orders,
            listed=self.listing(tree),
            seconds=self.seconds_a_test * max(1, len(results)),
            searched=self.search(experiment),
        )
        self.trials.append(observation)
        return observation

    def search(self, experiment: Experiment) -> tuple[Searched, ...]:
        """What a forked trial finds for each subject: one set, and others like it."""
        if experiment.shape is not Shape.FORKED:
            return ()
        if self.forks == "hostile":
            return tuple(
                Searched(victim=each, hostile="a thread")
                for each in experiment.subjects
            )
        found = []
        for subject in experiment.subjects:
            before = experiment.tests[: experiment.tests.index(subject)]
            one = self._needed(experiment, subject, before)
            if self.forks == "wrong":
                one = before[:1]
            cleaners = tuple(TestId(test) for test in self.undoes)
            sets = (one, *self._alike(experiment, subject, one)) if one else ()
            found.append(Searched(victim=subject, sets=sets, cleaners=cleaners))
        return tuple(found)

    def _alike(
        self, experiment: Experiment, subject: TestId, one: tuple[TestId, ...]
    ) -> Iterator[tuple[TestId, ...]]:
        """Earlier tests of the same file that each do what one test does."""
        before = experiment.tests[: experiment.tests.index(subject)]
        if len(one) > 1 or self.forks == "wrong":
            return

        def outcome(*tests: TestId) -> Outcome:
            listed = (*tests, subject)
            done = self.process(experiment.tree, listed, experiment.tests)
            return done[subject].outcome

        file = one[0].split("::")[0]
        for test in before:
            near = test.split("::")[0] == file and test not in one
            if near and outcome(test) is outcome(*one):
                yield (test,)

    def _needed(
        self, experiment: Experiment, subject: TestId, before: tuple[TestId, ...]
    ) -> tuple[TestId, ...]:
        """What can't be left out, without which it does otherwise."""

        def outcome(tests: tuple[TestId, ...]) -> Outcome:
            listed = (*tests, subject)
            done = self.process(experiment.tree, listed, experiment.tests)
            return done[subject].outcome

        last = outcome(before)
        if last is outcome(()):
            return ()
        kept = list(before)
        for test in before:
            fewer = [each for each in kept if each != test]
            if outcome(tuple(fewer)) is last:
                kept = fewer
        return tuple(kept)

    def open(self) -> Inquiry:
        """The inquiry after the suite trial at head."""
        first = self.perform(
            Experiment(
                suite=SUITE_NAME,
                tree=HEAD,
                context=SUITE,
                shape=Shape.WHOLE,
                purpose=Purpose.SUITE,
            )
        )
        ran = [test for order in first.orders.values() for test in order]
        base = self.listing(BASE_TREE)
        lost = [
            test
            for test in base
            if (act := self.act(test, HEAD)) is not None and act.unbuildable
        ]
        bad = FAILURES
        return Inquiry(
            suite=SUITE_NAME,
            evidence=Evidence(observations=(first,), changed=self.changed),
            failed=(*(t for t in ran if first.results[t].outcome in bad), *lost),
            touches_production=bool(self.changed & PERSONS_CLASSES),
            orders=first.orders,
            listed=first.listed,
            base_listed=base,
            edited=frozenset(TestId(name) for name in self.edited),
            demands_equal=frozenset(TestId(name) for name in self.demands_equal),
            restorable={TestId(name): OverlayId(name) for name in self.by_itself},
            removed=self.removed,
            hunks=self.hunk_ids,
            widen=self.widen,
            forks=self.forks != "none",
            budget=self.budget,
            suite_seconds=first.seconds,
        )

    def widen(self, test: TestId, unit: Unit) -> tuple[TestId, ...]:
        """File and directory; there are no classes here."""
        match unit:
            case Unit.TEST | Unit.CLASS:
                return (test,)
            case Unit.FILE:
                file = test.split("::")[0]
                return tuple(
                    TestId(name) for name in self.tests if name.split("::")[0] == file
                )
            case Unit.DIRECTORY:
                return tuple(TestId(name) for name in self.tests)


BASE_TREE = Tree(
    production=Revision.BASE,
    dependencies=Revision.BASE,
    migration=Revision.BASE,
    tests=Revision.BASE,
)


def missing(test: TestId, name: str) -> Result:
    """A failure for want of a name."""
    result = failed(test, name)
    assert result.failure is not None
    message = f"module 'calc' has no attribute '{name}'"
    failure = replace(result.failure, type="AttributeError", message=message)
    return replace(result, failure=failure)


def failed(test: TestId, reason: str, outcome: Outcome = Outcome.FAILED) -> Result:
    """A failure whose signature is the test and the reason."""
    signature = Signature(
        outcome=outcome,
        phase=Phase.CALL,
        exception="AssertionError",
        test_frame=f"{test}#{reason}",
        production_frame=None,
    )
    failure = Failure(
        phase=Phase.CALL,
        type="AssertionError",
        message=reason,
        where=None,
        signature=signature,
        outside_frame=reason,
    )
    return Result(test=test, outcome=outcome, failure=failure)


def padding(count: int, file: str = "pad.py") -> dict[str, Behaviour]:
    """Tests that do nothing."""
    return {f"{file}::p{number}": always(PASS) for number in range(count)}
