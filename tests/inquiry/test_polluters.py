"""Victims and brittle tests: who pollutes them, who sets their state."""

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

TESTS = frozenset({PathClass.TEST})
DIRTY = frozenset({frozenset({"dirt"})})
LEAVES = Act(leaves=frozenset({"dirt"}))
VICTIM = Act(fails_with=DIRTY)
BROKEN = Act(fails=True)


def test_an_old_contamination_passes_and_names_its_polluter() -> None:
    world = World(
        tests={
            **padding(30),
            "a.py::p": always(LEAVES),
            **padding(30, "q.py"),
            "a.py::v": always(VICTIM),
        },
        changed=TESTS,
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.PASS) == (judgement.category, judgement.decision)
    assert ("a.py::p",) == done.facts("a.py::v").polluters


def test_a_new_polluting_test_is_repaired_in_tests() -> None:
    world = World(
        tests={
            **padding(9),
            "n.py::new": by_tests(LEAVES, None),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
        },
        changed=TESTS,
        edited=frozenset({"n.py::new"}),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.REPAIR) == (
        judgement.category,
        judgement.decision,
    )
    assert ("n.py::new",) == done.facts("a.py::v").polluters


def test_a_leak_in_production_blocks_although_the_victim_passes_alone() -> None:
    world = World(
        tests={
            **padding(9),
            "b.py::innocent": when("h2", LEAVES),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1", "h2", "h3"),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Blame.PRODUCTION, Decision.BLOCK) == (
        judgement.category,
        judgement.side,
        judgement.decision,
    )
    assert ("b.py::innocent",) == done.facts("a.py::v").polluters
    assert ("h2",) == done.facts("a.py::v").culprit


def test_many_victims_of_many_new_polluters_are_told_in_few_trials() -> None:
    world = World(
        tests={
            **{f"n.py::new{n}": by_tests(LEAVES, None) for n in range(8)},
            **padding(9),
            **{f"a.py::v{n}": always(VICTIM) for n in range(8)},
        },
        changed=TESTS,
        edited=frozenset(f"n.py::new{n}" for n in range(8)),
    )

    done = drive(world)

    found = {done.judgement(f"a.py::v{n}").decision for n in range(8)}
    assert {Decision.REPAIR} == found
    assert len(done.inquiry.evidence.observations) < 150


def test_an_old_contamination_does_not_mask_a_new_failure() -> None:
    world = World(
        tests={
            "a.py::p": always(LEAVES),
            **padding(9),
            "a.py::v": when("h1", Act(fails=True), VICTIM),
        },
        hunks=("h1",),
    )

    done = drive(world)

    assert Category.REGRESSION is done.judgement("a.py::v").category


def test_an_old_polluter_does_not_hide_a_new_one() -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            "b.py::innocent": when("h1", LEAVES),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1",),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.BLOCK) == (judgement.category, judgement.decision)
    assert ("b.py::innocent",) == done.facts("a.py::v").polluters


def test_a_new_polluter_behind_an_old_one_and_its_cleaner_is_found() -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            "o.py::cleaner": always(Act(cleans=frozenset({"dirt"}))),
            **padding(9),
            "b.py::innocent": when("h1", LEAVES),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1",),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.BLOCK) == (judgement.category, judgement.decision)
    assert ("b.py::innocent",) == done.facts("a.py::v").polluters


def test_a_cleaner_that_production_broke_blocks_in_the_suite() -> None:
    clean = Act(cleans=frozenset({"dirt"}))
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            "c.py::cleaner": when("h1", PASS, clean),
            **padding(9),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1",),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.BLOCK) == (judgement.category, judgement.decision)
    assert done.suite_runs() <= 8


def test_a_cleaner_that_the_change_removed_is_repaired_in_tests() -> None:
    clean = Act(cleans=frozenset({"dirt"}))
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            "c.py::cleaner": by_tests(None, clean),
            **padding(9),
            "a.py::v": always(VICTIM),
        },
        changed=TESTS,
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.REPAIR) == (
        judgement.category,
        judgement.decision,
    )


def test_a_setter_that_production_broke_blocks_although_both_fail_alone() -> None:
    sets = Act(leaves=frozenset({"state"}))
    world = World(
        tests={
            **padding(9),
            "s.py::setter": when("h1", PASS, sets),
            **padding(9, "q.py"),
            "a.py::v": always(Act(needs=frozenset({"state"}))),
        },
        hunks=("h0", "h1"),
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.BRITTLE, Blame.PRODUCTION, Decision.BLOCK) == (
        judgement.category,
        judgement.side,
        judgement.decision,
    )
    assert ("s.py::setter",) == done.facts("a.py::v").setters
    assert ("h1",) == done.facts("a.py::v").culprit


def test_a_setter_that_the_change_removed_is_repaired_in_tests() -> None:
    sets = Act(leaves=frozenset({"state"}))
    world = World(
        tests={
            **padding(9),
            "a.py::setter": by_tests(None, sets),
            "a.py::v": always(Act(needs=frozenset({"state"}))),
        },
        changed=TESTS,
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.BRITTLE, Decision.REPAIR) == (
        judgement.category,
        judgement.decision,
    )
    assert ("a.py::setter",) == done.facts("a.py::v").setters


def test_two_polluters_that_only_pollute_together_are_both_found() -> None:
    both = frozenset({frozenset({"one", "two"})})
    world = World(
        tests={
            **padding(20),
            "b.py::one": when("h1", Act(leaves=frozenset({"one"}))),
            **padding(20, "q.py"),
            "c.py::two": always(Act(leaves=frozenset({"two"}))),
            **padding(20, "r.py"),
            "a.py::v": always(Act(fails_with=both)),
        },
        hunks=("h1",),
    )

    done = drive(world)

    assert ("b.py::one", "c.py::two") == done.facts("a.py::v").polluters
    assert Decision.BLOCK is done.judgement("a.py::v").decision


def test_loading_a_file_is_told_from_running_its_tests() -> None:
    world = World(
        tests={
            **padding(9),
            "b.py::p": when("h1", Act(loads=frozenset({"dirt"}))),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1",),
    )

    done = drive(world)

    assert ("b.py::p",) == done.facts("a.py::v").load_time
    assert Decision.BLOCK is done.judgement("a.py::v").decision


def test_a_new_victim_of_an_old_polluter_is_repaired_in_tests() -> None:
    world = World(
        tests={
            "b.py::old": always(LEAVES),
            **padding(5),
            "a.py::new": by_tests(VICTIM, None),
        },
        changed=TESTS,
        edited=frozenset({"a.py::new"}),
    )

    done = drive(world)

    judgement = done.judgement("a.py::new")
    assert (Category.VICTIM, Decision.REPAIR) == (
        judgement.category,
        judgement.decision,
    )


def test_a_file_that_is_loaded_and_runs_later_can_pollute() -> None:
    world = World(
        tests={
            **padding(9),
            "a.py::v": always(VICTIM),
            "z.py::late": always(Act(loads=frozenset({"dirt"}))),
        },
        changed=TESTS,
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.PASS) == (judgement.category, judgement.decision)
    assert ("z.py::late",) == done.facts("a.py::v").load_time


def test_a_change_that_moves_a_polluter_before_its_victim_does_not_pass() -> None:
    world = World(
        tests={
            "b.py::moved": by_tests(LEAVES, None),
            **padding(9),
            "a.py::v": always(VICTIM),
            "c.py::moved": by_tests(None, LEAVES),
        },
        changed=TESTS,
    )

    done = drive(world)

    assert Decision.REPAIR is done.judgement("a.py::v").decision


def test_several_old_polluters_are_all_found_before_it_passes() -> None:
    old = {f"o{number}.py::t": always(LEAVES) for number in range(4)}
    world = World(
        tests={**padding(9), **old, **padding(9, "q.py"), "a.py::v": always(VICTIM)},
        changed=TESTS,
    )

    done = drive(world)

    judgement = done.judgement("a.py::v")
    assert (Category.VICTIM, Decision.PASS) == (judgement.category, judgement.decision)


def test_what_was_found_for_one_victim_is_the_first_guess_for_the_next() -> None:
    world = World(
        tests={
            **padding(30),
            "o.py::old": always(LEAVES),
            **padding(30, "q.py"),
            "a.py::v": always(VICTIM),
            "a.py::w": always(VICTIM),
        },
        changed=TESTS,
    )

    done = drive(world)

    searches = done.experiments(Purpose.POLLUTER)
    assert len([each for each in searches if "a.py::w" in each.subjects]) <= 2
    assert ("o.py::old",) == done.facts("a.py::w").polluters
