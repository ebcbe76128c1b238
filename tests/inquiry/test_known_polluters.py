"""Victims of a polluter that was confirmed for another: cheap, and not believed."""

from __future__ import annotations

from tests.inquiry.driving import drive
from tests.inquiry.simulated import Act, World, always, padding

from fairtrial.domain.decisions import Category
from fairtrial.domain.experiments import Purpose
from fairtrial.domain.paths import PathClass

TESTS = frozenset({PathClass.TEST})
LEAVES = Act(leaves=frozenset({"dirt"}))
VICTIM = Act(fails_with=frozenset({frozenset({"dirt"})}))


def test_a_further_victim_of_a_known_polluter_costs_four_trials_beyond_alone() -> None:
    def trials(victims: int) -> list[Purpose]:
        world = World(
            tests={
                **padding(9),
                "a.py::p": always(LEAVES),
                **padding(9, "q.py"),
                **{f"a.py::v{n}": always(VICTIM) for n in range(victims)},
            },
            changed=TESTS,
        )
        done = drive(world)
        for n in range(victims):
            assert Category.VICTIM is done.judgement(f"a.py::v{n}").category
            assert ("a.py::p",) == done.facts(f"a.py::v{n}").polluters
        made = done.inquiry.evidence.observations
        return [each.experiment.purpose for each in made]

    few, many = trials(3), trials(8)

    assert 1 == many.count(Purpose.NECESSITY)
    # Each side twice behind the polluter; alone three times at head.
    assert 5 * (4 + 3) == len(many) - len(few)


def test_a_victim_that_a_known_polluter_does_not_explain_finds_its_own() -> None:
    other = Act(fails_with=frozenset({frozenset({"mud"})}))
    world = World(
        tests={
            **padding(9),
            "b.py::p": always(Act(leaves=frozenset({"mud"}))),
            "a.py::p": always(LEAVES),
            **padding(9, "q.py"),
            "a.py::v": always(VICTIM),
            "a.py::w": always(other),
            "a.py::x": always(VICTIM),
        },
        changed=TESTS,
    )

    done = drive(world)

    assert {Category.VICTIM} == {
        done.judgement(f"a.py::{name}").category for name in "vwx"
    }
    assert ("a.py::p",) == done.facts("a.py::v").polluters
    assert ("b.py::p",) == done.facts("a.py::w").polluters
    assert ("a.py::p",) == done.facts("a.py::x").polluters
