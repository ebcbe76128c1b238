"""Mass failures: one canary of each kind, and what its death says."""

from __future__ import annotations

from tests.inquiry.driving import drive
from tests.inquiry.simulated import Act, World, always, padding, when

from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import ALONE, Purpose
from fairtrial.domain.paths import PathClass
from fairtrial.inquiry.casing import Halt
from fairtrial.inquiry.plan import next_experiments


def no_service(number: int) -> dict[str, Act]:
    return {
        f"s.py::t{each}": Act(fails=True, frame="connect") for each in range(number)
    }


def test_few_failures_need_no_canary() -> None:
    world = World(tests={**padding(40), "a.py::t": always(Act(fails=True))})
    world.changed = frozenset({PathClass.TEST})

    assert not drive(world).experiments(Purpose.CANARY)


def test_a_bench_without_a_service_costs_one_trial_of_each_kind() -> None:
    tests = {name: always(act) for name, act in no_service(12).items()}
    world = World(tests={**padding(8), **tests}, changed=frozenset({PathClass.TEST}))

    done = drive(world)

    assert 1 == len(done.experiments())
    assert all(
        Halt.ENVIRONMENT is done.facts(str(test)).halt for test in done.inquiry.failed
    )


def test_what_head_breaks_beside_a_missing_service_is_still_found() -> None:
    tests = {name: always(act) for name, act in no_service(12).items()}
    world = World(
        tests={**padding(8), **tests, "a.py::t": when("h1", Act(fails=True))},
        hunks=("h1",),
    )

    done = drive(world)

    assert Decision.BLOCK is done.judgement("a.py::t").decision
    assert Halt.ANSWERED is done.facts("a.py::t").halt


def test_canaries_go_first_alone_at_base() -> None:
    tests = {f"a.py::t{n}": when("h1", Act(fails=True)) for n in range(12)}
    world = World(tests={**padding(8), **tests}, hunks=("h1",))

    (first,) = next_experiments(world.open())

    assert (Purpose.CANARY, ALONE) == (first.purpose, first.context)
    assert "base" == first.tree.production.value


def test_after_enough_blocks_the_rest_is_left_alone() -> None:
    tests = {f"a.py::t{n}": when("h1", Act(fails=True)) for n in range(30)}
    world = World(tests={**padding(8), **tests}, hunks=("h1",))

    done = drive(world)

    halts = [done.facts(str(test)).halt for test in done.inquiry.failed]
    assert halts.count(Halt.ANSWERED) == 8
    assert halts.count(Halt.ENOUGH) == 22
    assert 5 == len({each.subjects for each in done.experiments(Purpose.CULPRIT)})


def test_beyond_the_bound_a_test_gets_one_trial_a_side_and_cannot_pass() -> None:
    dirty = frozenset({frozenset({"dirt"})})
    victims = {f"v.py::t{n}": always(Act(fails_with=dirty)) for n in range(28)}
    world = World(
        tests={
            "a.py::old": always(Act(leaves=frozenset({"dirt"}))),
            **padding(8),
            **victims,
        },
        changed=frozenset({PathClass.TEST}),
    )

    done = drive(world)

    halts = {test: done.facts(str(test)).halt for test in done.inquiry.failed}
    beyond = [test for test, halt in halts.items() if halt is Halt.BEYOND]
    assert 3 == len(beyond)
    for test in beyond:
        assert Decision.INCONCLUSIVE is done.judgement(str(test)).decision
        mine = [each for each in done.experiments() if each.subjects == (test,)]
        assert 2 == len(mine)
    assert Decision.PASS is done.judgement("v.py::t0").decision
