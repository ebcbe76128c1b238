"""Small projects, from the red suite to the verdict."""

from __future__ import annotations

from tests.inquiry.driving import drive
from tests.inquiry.simulated import (
    PASS,
    Act,
    World,
    always,
    by_tests,
    padding,
    when,
)

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import Purpose
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome
from fairtrial.domain.settings import BudgetSettings
from fairtrial.inquiry.casing import Halt

TESTS = frozenset({PathClass.TEST})
DIRTY = frozenset({frozenset({"dirt"})})
LEAVES = Act(leaves=frozenset({"dirt"}))
VICTIM = Act(fails_with=DIRTY)
BROKEN = Act(fails=True)


def test_a_regression_is_told_with_its_lines_in_few_trials() -> None:
    world = World(
        tests={**padding(20), "a.py::t": when("h3", BROKEN)},
        hunks=("h1", "h2", "h3", "h4"),
    )

    done = drive(world)

    judgement = done.judgement("a.py::t")
    assert (Category.REGRESSION, Blame.PRODUCTION) == (
        judgement.category,
        judgement.side,
    )
    assert ("h3",) == done.facts("a.py::t").culprit
    assert len(done.experiments()) <= 25
    assert not done.experiments(Purpose.REPLAY, Purpose.WHOLE)


def test_an_edited_test_that_is_wrong_is_a_test_defect() -> None:
    world = World(
        tests={**padding(5), "a.py::t": by_tests(BROKEN, PASS)},
        changed=TESTS,
        edited=frozenset({"a.py::t"}),
    )

    done = drive(world)

    judgement = done.judgement("a.py::t")
    assert (Category.TEST_DEFECT, Decision.REPAIR) == (
        judgement.category,
        judgement.decision,
    )


def test_an_old_failure_passes() -> None:
    world = World(tests={**padding(5), "a.py::t": always(BROKEN)}, changed=TESTS)

    done = drive(world)

    assert Category.PRE_EXISTING is done.judgement("a.py::t").category
    assert Decision.PASS is done.judgement("a.py::t").decision
    assert done.suite_runs() <= 4


def test_a_new_test_that_never_passed_blocks() -> None:
    world = World(
        tests={**padding(5), "a.py::new": by_tests(BROKEN, None)},
        changed=TESTS,
        edited=frozenset({"a.py::new"}),
    )

    done = drive(world)

    judgement = done.judgement("a.py::new")
    assert (Category.UNPROVEN, Decision.BLOCK) == (
        judgement.category,
        judgement.decision,
    )


def test_a_new_test_that_passes_on_the_old_code_is_a_regression() -> None:
    world = World(
        tests={
            **padding(5),
            "a.py::new": lambda hunks, tests: (
                None if tests.value == "base" else (BROKEN if "h1" in hunks else PASS)
            ),
        },
        hunks=("h1",),
        changed=TESTS,
        edited=frozenset({"a.py::new"}),
    )

    done = drive(world)

    judgement = done.judgement("a.py::new")
    assert (Category.REGRESSION, Decision.BLOCK) == (
        judgement.category,
        judgement.decision,
    )
    assert ("h1",) == done.facts("a.py::new").culprit


def test_a_file_that_base_cannot_collect_proves_nothing() -> None:
    world = World(
        tests={
            **padding(5),
            "a.py::t": by_tests(BROKEN, Act(unbuildable=True)),
        },
        changed=TESTS,
    )

    done = drive(world)

    assert Category.BASE_BROKEN is done.judgement("a.py::t").category


def test_a_file_that_head_cannot_collect_has_failed() -> None:
    world = World(
        tests={**padding(5), "a.py::t": when("h1", Act(unbuildable=True))},
        hunks=("h1",),
    )

    done = drive(world)

    assert Decision.BLOCK is done.judgement("a.py::t").decision


def test_production_and_tests_that_only_fail_together_block() -> None:
    world = World(
        tests={
            **padding(5),
            "a.py::t": lambda hunks, tests: (
                BROKEN if "h1" in hunks and tests.value == "head" else PASS
            ),
        },
        hunks=("h1",),
        changed=TESTS,
    )

    done = drive(world)

    assert Category.INTERACTION is done.judgement("a.py::t").category


def test_a_hang_is_tried_again_with_nothing_beside_it() -> None:
    hangs = Act(fails=True, outcome=Outcome.TIMED_OUT)
    world = World(tests={**padding(5), "a.py::t": when("h1", hangs)}, hunks=("h1",))

    done = drive(world)

    assert all(each.quiet for each in done.experiments())
    assert Category.REGRESSION is done.judgement("a.py::t").category


def test_a_failure_that_only_parallel_suites_show_is_not_judged() -> None:
    world = World(
        tests={**padding(12), "a.py::t": always(PASS)},
        changed=TESTS,
        workers=2,
        races=frozenset({"a.py::t"}),
    )

    done = drive(world)

    assert Decision.INCONCLUSIVE is done.judgement("a.py::t").decision
    assert done.suite_runs() <= 4


def test_time_that_is_over_ends_the_inquiry() -> None:
    world = World(
        tests={**padding(5), "a.py::t": when("h1", BROKEN)},
        hunks=("h1",),
        budget=BudgetSettings(minutes=0.0005),
    )

    done = drive(world)

    assert Halt.BUDGET is done.facts("a.py::t").halt
    assert Decision.INCONCLUSIVE is done.judgement("a.py::t").decision
