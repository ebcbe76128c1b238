"""One test of one tree: who does it, in few trials, whatever is known before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.inquiry.simulated import Act, World, always, padding

from fairtrial.domain.experiments import Observation, Purpose, Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.lone import Lone, lone
from fairtrial.inquiry.roles import Role
from fairtrial.inquiry.state import Inquiry

Opening = Callable[[World, str], Inquiry]

LEAVES = Act(leaves=frozenset({"dirt"}))
VICTIM = Act(fails_with=frozenset({frozenset({"dirt"})}))
EVERY = pytest.mark.parametrize("forks", ["none", "right", "wrong", "hostile"])


def opened(world: World, test: str) -> Inquiry:
    """The search behind the suite: head against itself."""
    return replace(
        world.open(), failed=(TestId(test),), base_listed=world.listing(HEAD)
    )


def ordered(world: World, test: str) -> Inquiry:
    """The search where only the order is known."""
    inquiry = opened(world, test)
    (first,) = inquiry.evidence.observations
    unseen = replace(first, results={})
    evidence = replace(inquiry.evidence, observations=(unseen,))
    return replace(inquiry, evidence=evidence)


def drive(
    world: World, inquiry: Inquiry, test: str, *, every: bool = False
) -> tuple[Lone, list[Observation]]:
    """The search to its end, with the trials that it took."""
    begun = len(world.trials)
    for _ in range(300):
        found = lone(inquiry, TestId(test), every=every)
        if not found.asks:
            return found, world.trials[begun:]
        assert all(each.tree == HEAD for each in found.asks)
        inquiry = inquiry.plus([world.perform(each) for each in found.asks])
    raise AssertionError("it goes in circles")


def polluted(forks: str) -> World:
    return World(
        tests={
            **padding(30),
            "b.py::p": always(LEAVES),
            **padding(30, "q.py"),
            "a.py::v": always(VICTIM),
        },
        forks=forks,
    )


@EVERY
@pytest.mark.parametrize("opening", [opened, ordered])
def test_a_polluter_is_found(forks: str, opening: Opening) -> None:
    world = polluted(forks)

    found, _ = drive(world, opening(world, "a.py::v"), "a.py::v")

    assert found.hunt is not None
    assert Role.POLLUTER is found.hunt.role
    assert (("b.py::p",),) == found.hunt.sets


def test_it_takes_a_forked_trial_and_three_small_ones() -> None:
    world = polluted("right")

    _, trials = drive(world, ordered(world, "a.py::v"), "a.py::v")

    forked = [each for each in trials if each.experiment.shape is Shape.FORKED]
    assert (1, 4) == (len(forked), len(trials))
    assert all(len(each.experiment.tests) < 3 for each in trials if each not in forked)


def test_rows_that_forks_found_beside_it_cost_no_more_trials() -> None:
    world = World(
        tests={
            **padding(30),
            **{f"b.py::row{number}": always(LEAVES) for number in range(5)},
            **padding(30, "q.py"),
            "a.py::v": always(VICTIM),
        },
        forks="right",
    )

    found, trials = drive(world, ordered(world, "a.py::v"), "a.py::v")

    assert 1 == len(found.hunt.sets if found.hunt is not None else ())
    assert 4 == len(trials)


@EVERY
@pytest.mark.parametrize("opening", [opened, ordered])
def test_a_setter_is_found(forks: str, opening: Opening) -> None:
    world = World(
        tests={
            **padding(9),
            "s.py::setter": always(Act(leaves=frozenset({"state"}))),
            **padding(9, "q.py"),
            "a.py::v": always(Act(needs=frozenset({"state"}))),
        },
        forks=forks,
    )

    found, _ = drive(world, opening(world, "a.py::v"), "a.py::v")

    assert found.hunt is not None
    assert Role.SETTER is found.hunt.role
    assert (("s.py::setter",),) == found.hunt.sets


@EVERY
def test_all_polluters_are_found_where_that_is_asked(forks: str) -> None:
    world = World(
        tests={
            "o.py::old": always(LEAVES),
            **padding(9),
            "p.py::other": always(LEAVES),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
        },
        forks=forks,
    )

    found, trials = drive(world, opened(world, "a.py::v"), "a.py::v", every=True)

    assert found.hunt is not None
    assert {"o.py::old", "p.py::other"} == {each for (each,) in found.hunt.sets}
    assert found.hunt.necessary
    assert Purpose.NECESSITY in {each.experiment.purpose for each in trials}


@EVERY
@pytest.mark.parametrize("opening", [opened, ordered])
def test_a_sound_test_is_soon_told(forks: str, opening: Opening) -> None:
    world = World(tests={**padding(9), "a.py::v": always(Act())}, forks=forks)

    found, trials = drive(world, opening(world, "a.py::v"), "a.py::v")

    assert found.hunt is None
    assert "it passes alone, and in its order too" == found.why
    assert len(trials) <= 6
