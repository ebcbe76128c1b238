"""Cases and facts: what is handed on of an inquiry, finished or not."""

from __future__ import annotations

from dataclasses import replace

from tests.inquiry.driving import drive
from tests.inquiry.simulated import Act, World, always, padding, when

from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import ALONE, ContextKind
from fairtrial.domain.names import TestId
from fairtrial.domain.paths import PathClass
from fairtrial.inquiry.casing import Halt, case_of, facts_of
from fairtrial.inquiry.summaries import Summary
from fairtrial.verdicts import judge

TEST = TestId("a.py::t")
DIRTY = frozenset({frozenset({"dirt"})})


def test_an_unasked_case_knows_nothing_and_is_inconclusive() -> None:
    world = World(
        tests={**padding(3), TEST: when("h1", Act(fails=True))}, hunks=("h1",)
    )

    case = case_of(world.open(), TEST)

    assert (Summary.UNKNOWN, Summary.UNKNOWN) == (case.alone.head, case.suite.head)
    assert Decision.INCONCLUSIVE is judge(case).decision


def test_a_case_says_what_the_change_touched() -> None:
    world = World(
        tests={**padding(3), TEST: always(Act(fails=True))},
        hunks=("h1",),
        edited=frozenset({TEST}),
    )

    case = case_of(world.open(), TEST)

    assert case.touches_production
    assert case.edited


def test_facts_name_the_context_that_decided() -> None:
    world = World(
        tests={
            "o.py::p": when("h1", Act(leaves=frozenset({"dirt"}))),
            **padding(9),
            TEST: always(Act(fails_with=DIRTY)),
        },
        hunks=("h1",),
    )

    done = drive(world)

    context = done.facts(TEST).context
    assert ContextKind.AFTER is context.kind
    assert (TestId("o.py::p"),) == context.after == done.facts(TEST).polluters


def test_a_finished_inquiry_is_not_cut_short_by_time_that_ran_out_later() -> None:
    world = World(
        tests={**padding(3), TEST: always(Act(fails=True))},
        changed=frozenset({PathClass.TEST}),
    )
    done = drive(world)

    late = replace(done.inquiry, spent=10_000_000.0)

    assert Halt.ANSWERED is facts_of(late, TEST).halt
    assert ALONE == facts_of(late, TEST).context


def test_an_unfinished_one_is() -> None:
    world = World(
        tests={**padding(3), TEST: always(Act(fails=True))},
        changed=frozenset({PathClass.TEST}),
    )

    late = replace(world.open(), spent=10_000_000.0)

    assert Halt.BUDGET is facts_of(late, TEST).halt
