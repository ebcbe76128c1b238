"""What is known from another time chooses trials, and changes no verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.inquiry.driving import drive
from tests.inquiry.simulated import Act, World, always, padding
from tests.inquiry.test_laws_of_the_plan import STEADY, worlds

from fairtrial.domain.experiments import Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.paths import PathClass
from fairtrial.inquiry.state import Inquiry

Prior = Mapping[TestId, tuple[tuple[TestId, ...], ...]]

IDS = st.sampled_from(
    [TestId(f"{file}.py::t{n}") for file in "abc" for n in range(4)]
    + [TestId("gone.py::t")]
)
PRIORS = st.dictionaries(
    IDS,
    st.lists(st.lists(IDS, max_size=3).map(tuple), max_size=6).map(tuple),
    max_size=6,
)


@dataclass(kw_only=True)
class Informed(World):
    """A project about which somebody says that he knows it."""

    prior: Prior = field(default_factory=dict)

    def open(self) -> Inquiry:
        return replace(super().open(), prior=self.prior)


def informed(world: World, prior: Prior) -> Informed:
    """The same project, untried."""
    made = {
        each.name: getattr(world, each.name)
        for each in fields(World)
        if each.name != "trials"
    }
    return Informed(**made, prior=prior)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(STEADY), PRIORS)
def test_no_prior_whatsoever_changes_a_verdict(world: World, prior: Prior) -> None:
    without = drive(informed(world, {}))
    having = drive(informed(world, prior))

    assert without.inquiry.failed == having.inquiry.failed
    for test in without.inquiry.failed:
        assert without.judgement(test) == having.judgement(test)


def contaminated(prior: Prior) -> Informed:
    world = World(
        tests={
            **padding(300),
            "a.py::p": always(Act(leaves=frozenset({"dirt"}))),
            **padding(300, "q.py"),
            "b.py::v": always(Act(fails_with=frozenset({frozenset({"dirt"})}))),
        },
        changed=frozenset({PathClass.TEST}),
    )
    return informed(world, prior)


def test_a_right_guess_spares_the_search() -> None:
    right: Prior = {TestId("b.py::v"): ((TestId("a.py::p"),),)}

    slow, quick = drive(contaminated({})), drive(contaminated(right))

    assert slow.facts("b.py::v").polluters == quick.facts("b.py::v").polluters
    assert slow.judgement("b.py::v") == quick.judgement("b.py::v")
    assert 1 == len(quick.experiments(Purpose.POLLUTER))
    assert 1 < len(slow.experiments(Purpose.POLLUTER))


def test_wrong_guesses_cost_a_few_trials_however_many_there_are() -> None:
    wrong = tuple((TestId(f"pad.py::p{n}"),) for n in range(200))

    slow = drive(contaminated({}))
    slower = drive(contaminated({TestId("b.py::v"): wrong}))

    assert slow.facts("b.py::v").polluters == slower.facts("b.py::v").polluters
    made = len(slower.experiments(Purpose.POLLUTER))
    assert made <= len(slow.experiments(Purpose.POLLUTER)) + 4
