"""Laws that hold for an inquiry into any small project."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.inquiry.driving import drive
from tests.inquiry.simulated import BASE_TREE, Act, Behaviour, World

from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import ContextKind, Purpose
from fairtrial.domain.names import HunkId, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome
from fairtrial.domain.trees import BASE_TESTS, HEAD, Revision, Tree

TOKENS = st.sampled_from(("x", "y", "z"))
SETS = st.frozensets(TOKENS, max_size=2)
STEADY = st.builds(
    Act,
    fails=st.sampled_from((False, False, False, False, True)),
    fails_with=st.frozensets(st.frozensets(TOKENS, min_size=1, max_size=2), max_size=1),
    needs=st.one_of(st.just(frozenset[str]()), st.just(frozenset[str]()), SETS),
    leaves=SETS,
    cleans=st.one_of(st.just(frozenset[str]()), SETS),
    loads=st.one_of(st.just(frozenset[str]()), st.just(frozenset[str]()), SETS),
    unbuildable=st.sampled_from((False,) * 9 + (True,)),
)
FLAKY = st.builds(Act, rate=st.sampled_from((0.1, 0.5, 0.9)), leaves=SETS)


@dataclass(frozen=True)
class Versions:
    """A test's acts, by production and by tests."""

    acts: tuple[Act | None, ...]
    hunk: str | None
    edited: bool

    def __call__(self, hunks: frozenset[HunkId], tests: Revision) -> Act | None:
        changed = self.hunk is not None and HunkId(self.hunk) in hunks
        edited = self.edited and tests is Revision.HEAD
        return self.acts[2 * changed + edited]


def behaviours(acts: st.SearchStrategy[Act]) -> st.SearchStrategy[Behaviour]:
    """A test that the change may or may not have touched, at either end."""
    return st.builds(
        Versions,
        acts=st.tuples(*[st.one_of(acts, acts, acts, st.none())] * 4),
        hunk=st.sampled_from((None, None, "h1", "h2", "h3")),
        edited=st.sampled_from((False, False, True)),
    )


def worlds(acts: st.SearchStrategy[Act]) -> st.SearchStrategy[World]:
    """Small projects in up to three files."""
    names = st.lists(
        st.sampled_from([f"{file}.py::t{n}" for file in "abc" for n in range(4)]),
        min_size=1,
        max_size=9,
        unique=True,
    )
    return names.flatmap(
        lambda chosen: st.builds(
            World,
            tests=st.fixed_dictionaries({name: behaviours(acts) for name in chosen}),
            hunks=st.sampled_from(((), ("h1", "h2", "h3"))),
            changed=st.just(frozenset({PathClass.TEST})),
            workers=st.sampled_from((1, 1, 2)),
            seed=st.integers(0, 3),
            forks=st.sampled_from(("none", "right", "wrong", "hostile")),
        )
    )


def _in_suite(world: World, tree: Tree, test: TestId) -> Outcome | None:
    """How a test ends in the tree's own suite, in the order of head's workers."""
    for order in world.orders(tree).values():
        if test in order:
            return world.process(tree, order, world.listing(tree))[test].outcome
    return None


def _alone(world: World, tree: Tree, test: TestId) -> Outcome:
    return world.process(tree, (test,))[test].outcome


ROOMY = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


@ROOMY
@given(worlds(STEADY))
def test_what_the_change_broke_never_passes(world: World) -> None:
    done = drive(world)

    for test in done.inquiry.failed:
        decision = done.judgement(test).decision
        base = _in_suite(world, BASE_TREE, test)
        if base is not Outcome.FAILED:
            assert decision is not Decision.PASS
        alone = (_alone(world, HEAD, test), _alone(world, BASE_TREE, test))
        if alone == (Outcome.FAILED, Outcome.PASSED):
            assert decision >= Decision.REPAIR
            if _alone(world, BASE_TESTS, test) is Outcome.FAILED:
                assert Decision.BLOCK is decision


@ROOMY
@given(worlds(STEADY))
def test_only_tests_have_to_change_only_where_only_tests_changed(world: World) -> None:
    done = drive(world)

    for test in done.inquiry.failed:
        if done.judgement(test).decision is Decision.REPAIR:
            assert not done.inquiry.touches_production


@ROOMY
@given(worlds(st.one_of(STEADY, FLAKY)), st.sets(st.integers(2, 60)))
def test_every_inquiry_ends_within_its_bounds(world: World, lost: set[int]) -> None:
    world.loses = lambda number: number in lost

    done = drive(world)

    shared = done.experiments(Purpose.REPLAY, Purpose.WHOLE, Purpose.RATE)
    everything = sum(len(order) for order in done.inquiry.orders.values())
    assert everything == 0 or done.suite_runs() <= 8 + 1e-6
    assert all(each.subjects for each in shared)
    culprits = done.experiments(Purpose.CULPRIT)
    for test in done.inquiry.failed:
        assert sum(test in each.subjects for each in culprits) <= 12
    assert all(
        each.tests[-1] in each.subjects
        for each in done.experiments()
        if each.context.kind is ContextKind.AFTER and each.context.after
    )


@ROOMY
@given(worlds(FLAKY), st.sets(st.integers(2, 60)))
def test_a_lost_trial_never_makes_a_failure_pass(world: World, lost: set[int]) -> None:
    world.loses = lambda number: number in lost

    done = drive(world)

    for test in done.inquiry.failed:
        if done.judgement(test).decision is Decision.PASS:
            seen = [
                each.results[test].outcome
                for each in world.trials[1:]
                if test in each.results
                and each.experiment.tree == BASE_TREE
                and each.experiment.context.kind is ContextKind.SUITE
                and test in each.experiment.subjects
            ]
            assert Outcome.FAILED in seen
