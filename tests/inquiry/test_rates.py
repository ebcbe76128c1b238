"""Flakes: repeated up to a rate, and acquitted only on proof."""

from __future__ import annotations

import pytest
from tests.inquiry.driving import drive
from tests.inquiry.simulated import PASS, Act, World, always, by_tests, padding, when

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.experiments import ALONE, ContextKind, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import BASE_TESTS

TESTS = frozenset({PathClass.TEST})


@pytest.mark.parametrize("seed", range(6))
def test_a_flake_is_repeated_and_never_blamed_on_the_change(seed: int) -> None:
    world = World(
        tests={"a.py::t": always(Act(rate=0.5)), **padding(200)},
        changed=TESTS,
        seed=seed,
    )

    done = drive(world)

    for test in done.inquiry.failed:
        judgement = done.judgement(str(test))
        assert judgement.decision in (Decision.PASS, Decision.INCONCLUSIVE)
        assert done.suite_runs() <= 4 + 1e-6


def test_an_old_flake_at_the_front_of_the_suite_passes() -> None:
    decisions = set()
    for seed in range(12):
        world = World(
            tests={"a.py::t": always(Act(rate=0.5)), **padding(200)},
            changed=TESTS,
            seed=seed,
        )
        done = drive(world)
        decisions |= {done.judgement(str(t)).decision for t in done.inquiry.failed}

    assert Decision.PASS in decisions


def test_a_flake_that_production_brought_blocks() -> None:
    world = World(
        tests={**padding(40), "a.py::t": when("h1", Act(rate=0.7), PASS)},
        hunks=("h1",),
        seed=1,
    )

    done = drive(world)

    judgement = done.judgement("a.py::t")
    assert (Category.NON_DETERMINISTIC, Decision.BLOCK) == (
        judgement.category,
        judgement.decision,
    )
    rates = done.experiments(Purpose.RATE)
    assert rates
    assert all(each.context == ALONE for each in rates)


def test_swaps_of_a_flake_are_run_as_often_as_the_flake() -> None:
    world = World(
        tests={**padding(40), "a.py::t": by_tests(Act(rate=0.7), PASS)},
        hunks=("h1",),
        changed=TESTS,
        seed=1,
    )

    done = drive(world)

    swaps = [
        each
        for each in done.experiments(Purpose.SWAP)
        if each.tree == BASE_TESTS and each.context.kind is ContextKind.ALONE
    ]
    assert 20 == len(swaps)
    assert Decision.BLOCK is done.judgement("a.py::t").decision


def test_a_failure_that_is_never_seen_again_is_looked_for_alone() -> None:
    world = World(
        tests={**padding(40), "a.py::t": always(PASS)},
        changed=TESTS,
        fails_once=frozenset({"a.py::t"}),
    )

    done = drive(world)

    alone = [
        each
        for each in done.experiments()
        if each.context == ALONE and TestId("a.py::t") in each.subjects
    ]
    assert len(alone) >= 20
    assert Decision.INCONCLUSIVE is done.judgement("a.py::t").decision
