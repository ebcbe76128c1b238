"""Forks only choose trials: right, wrong or silent, the same is confirmed cold."""

from __future__ import annotations

import pytest
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

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.experiments import Purpose, Shape
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import Revision

TESTS = frozenset({PathClass.TEST})
LEAVES = Act(leaves=frozenset({"dirt"}))
VICTIM = Act(fails_with=frozenset({frozenset({"dirt"})}))

EVERY = pytest.mark.parametrize("forks", ["none", "right", "wrong", "hostile"])


@EVERY
def test_a_polluter_is_found_whatever_forks_say(forks: str) -> None:
    world = World(
        tests={
            **padding(30),
            "b.py::p": when("h1", LEAVES),
            **padding(30, "q.py"),
            "a.py::v": always(VICTIM),
        },
        hunks=("h1",),
        forks=forks,
    )

    done = drive(world)

    assert ("b.py::p",) == done.facts("a.py::v").polluters
    assert Decision.BLOCK is done.judgement("a.py::v").decision


@EVERY
def test_a_setter_is_found_whatever_forks_say(forks: str) -> None:
    sets = Act(leaves=frozenset({"state"}))
    world = World(
        tests={
            **padding(9),
            "s.py::setter": when("h1", PASS, sets),
            **padding(9, "q.py"),
            "a.py::v": always(Act(needs=frozenset({"state"}))),
        },
        hunks=("h1",),
        forks=forks,
    )

    done = drive(world)

    assert ("s.py::setter",) == done.facts("a.py::v").setters


def test_what_forks_found_takes_few_trials() -> None:
    both = frozenset({frozenset({"one", "two"})})
    world = World(
        tests={
            **padding(200),
            "b.py::one": always(Act(leaves=frozenset({"one"}))),
            **padding(200, "q.py"),
            "c.py::two": always(Act(leaves=frozenset({"two"}))),
            **padding(200, "r.py"),
            "a.py::v": always(Act(fails_with=both)),
        },
        changed=TESTS,
        forks="right",
    )

    done = drive(world)

    assert ("b.py::one", "c.py::two") == done.facts("a.py::v").polluters
    forked, *cold = done.experiments(Purpose.POLLUTER)
    assert Shape.FORKED is forked.shape
    assert 3 >= len(cold)
    assert all(len(each.tests) < 4 for each in cold)


def test_victims_of_one_worker_share_a_forked_trial() -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            **{f"a.py::v{n}": always(VICTIM) for n in range(5)},
        },
        changed=TESTS,
        forks="right",
    )

    done = drive(world)

    forked = [each for each in done.experiments() if each.shape is Shape.FORKED]
    assert 1 == len(forked)
    assert {f"a.py::v{n}" for n in range(5)} == set(forked[0].subjects)


def test_what_a_forked_trial_shows_is_no_evidence() -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            "a.py::v": always(VICTIM),
        },
        changed=TESTS,
        forks="right",
    )
    told = drive(world)
    asked = drive(World(tests=world.tests, changed=TESTS))

    assert told.judgement("a.py::v") == asked.judgement("a.py::v")
    assert Category.VICTIM is told.judgement("a.py::v").category


def test_a_second_polluter_is_asked_of_a_second_forked_trial() -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            "p.py::other": always(LEAVES),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
        },
        changed=TESTS,
        forks="right",
    )

    done = drive(world)

    forked = [each for each in done.experiments() if each.shape is Shape.FORKED]
    assert 2 == len(forked)


def test_rows_that_forks_found_together_are_confirmed_before_the_order_is_run() -> None:
    world = World(
        tests={
            **padding(9),
            **{f"a.py::row{number}": always(LEAVES) for number in range(4)},
            **padding(9, "q.py"),
            "z.py::v": always(VICTIM),
        },
        changed=TESTS,
        forks="right",
    )

    done = drive(world)

    purposes = [each.purpose for each in done.experiments()]
    forked = [each for each in done.experiments() if each.shape is Shape.FORKED]
    assert 1 == len(forked)
    assert 1 == purposes.count(Purpose.NECESSITY)
    assert Category.VICTIM is done.judgement("z.py::v").category
    named = done.facts("z.py::v").polluters
    assert set(named) <= {f"a.py::row{number}" for number in range(4)}
    assert named


def test_of_many_new_rows_that_forks_found_few_are_confirmed() -> None:
    rows = [f"n.py::row{number}" for number in range(7)]
    world = World(
        tests={
            **padding(9),
            **{row: by_tests(LEAVES, None) for row in rows},
            **padding(9, "q.py"),
            "z.py::v": always(VICTIM),
        },
        changed=TESTS,
        edited=frozenset(rows),
        forks="right",
    )

    done = drive(world)

    assert Decision.REPAIR is done.judgement("z.py::v").decision
    at_base = [
        each
        for each in done.experiments(Purpose.CONFIRM)
        if each.tree.production is Revision.BASE and each.subjects == ("z.py::v",)
    ]
    confirmed = {each.context.after for each in at_base}
    assert 3 == len(confirmed)


def test_a_cleaner_is_named_when_it_was_confirmed_cold() -> None:
    clean = Act(cleans=frozenset({"dirt"}))
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            "a.py::v": always(VICTIM),
            "a.py::clean": always(clean),
        },
        changed=TESTS,
        forks="right",
        undoes=("a.py::clean", "pad.py::p1"),
    )

    done = drive(world)

    assert ("a.py::clean",) == done.facts("a.py::v").cleaners


def test_why_forks_could_not_tell_is_told() -> None:
    tests = {"o.py::old": always(LEAVES), **padding(9), "a.py::v": always(VICTIM)}
    silent = drive(World(tests=tests, changed=TESTS, forks="hostile"))
    right = drive(World(tests=tests, changed=TESTS, forks="right"))

    assert "a thread" == silent.facts("a.py::v").hostile
    assert "" == right.facts("a.py::v").hostile
