"""Culprit searches: which lines, which class, and within how many trials."""

from __future__ import annotations

import pytest
from tests.inquiry.driving import Outcome, drive
from tests.inquiry.simulated import Act, World, padding, when

from fairtrial.domain.experiments import Purpose
from fairtrial.domain.names import HunkId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import Revision

BROKEN = Act(fails=True)
HUNKS = tuple(f"h{number}" for number in range(32))


def tried(world: World) -> Outcome:
    done = drive(world)
    assert len(done.experiments(Purpose.CULPRIT)) <= 12
    return done


@pytest.mark.parametrize("number", [0, 1, 15, 30, 31])
def test_one_hunk_of_many_is_named(number: int) -> None:
    tests = {**padding(3), "a.py::t": when(f"h{number}", BROKEN)}

    done = tried(World(tests=tests, hunks=HUNKS))

    assert (f"h{number}",) == done.facts("a.py::t").culprit
    assert done.facts("a.py::t").culprit_is_minimal


def test_two_hunks_that_have_to_be_taken_back_together_are_both_named() -> None:
    both = (HunkId("h1"), HunkId("h6"))
    world = World(
        tests={
            **padding(3),
            "a.py::t": lambda hunks, tests: (
                BROKEN if hunks.intersection(both) else Act()
            ),
        },
        hunks=HUNKS[:8],
    )

    done = tried(world)

    assert both == done.facts("a.py::t").culprit


def test_a_reverted_tree_that_cannot_be_built_names_nothing() -> None:
    world = World(
        tests={**padding(3), "a.py::t": when("h2", BROKEN)},
        hunks=HUNKS[:4],
        unbuildable_without=frozenset({"h3"}),
    )

    done = tried(world)

    assert () == done.facts("a.py::t").culprit
    assert 1 == len(done.experiments(Purpose.CULPRIT))


def test_a_search_that_runs_out_of_trials_names_what_is_known_so_far() -> None:
    needed = frozenset(HunkId(f"h{number}") for number in (1, 9, 17, 25))
    world = World(
        tests={
            **padding(3),
            "a.py::t": lambda hunks, tests: BROKEN if hunks & needed else Act(),
        },
        hunks=HUNKS,
    )

    done = tried(world)

    facts = done.facts("a.py::t")
    assert needed <= set(facts.culprit)
    assert not facts.culprit_is_minimal


def test_dependencies_are_taken_back_first() -> None:
    world = World(
        tests={**padding(3), "a.py::t": when("h1", BROKEN)},
        hunks=("h1",),
        changed=frozenset({PathClass.DEPENDENCIES}),
    )

    first, *_ = drive(world).experiments(Purpose.CULPRIT)

    assert (Revision.HEAD, Revision.BASE) == (
        first.tree.production,
        first.tree.dependencies,
    )


def test_the_next_failure_is_first_tried_without_the_known_culprit() -> None:
    world = World(
        tests={
            **padding(30),
            "a.py::t": when("h7", BROKEN),
            "a.py::u": when("h7", BROKEN),
        },
        hunks=HUNKS[:16],
    )

    done = drive(world)

    second = [
        each for each in done.experiments(Purpose.CULPRIT) if "a.py::u" in each.tests
    ]
    assert 1 == len(second)
    assert ("h7",) == done.facts("a.py::u").culprit
