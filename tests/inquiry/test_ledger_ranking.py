"""The ledger names likely polluters, and the search tries them before it halves."""

from __future__ import annotations

from dataclasses import replace

from tests.inquiry.driving import drive
from tests.inquiry.ledgers import insert, observation
from tests.inquiry.simulated import Act, World, always, failed, padding

from fairtrial.domain.experiments import Experiment, Observation, Purpose, Shape
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Result
from fairtrial.inquiry.ledger.ranking import ranked

WINDOWS = {"a": (1.0, 1.0), "b": (2.0, 1.0), "c": (3.0, 1.0), "v": (4.0, 1.0)}
EARLIER = tuple(map(TestId, "abc"))


def saying(message: str, seen: Observation) -> Observation:
    """The same, with the victim's failure."""
    victim = seen.results[TestId("v")]
    made = failed(TestId("v"), message)
    result: Result = replace(victim, outcome=made.outcome, failure=made.failure)
    return replace(seen, results={**seen.results, TestId("v"): result})


CHANGES = [
    insert("public.audit", 1.5, id="1", note="x"),
    insert("public.orders", 2.5, id="1", discount=None),
    insert("public.orders", 2.6, id="2", discount=None),
    insert("public.audit", 3.5, id="2", note="x"),
]


def test_who_wrote_what_the_failure_names_comes_first() -> None:
    seen = saying("KeyError: 'discount'", observation(CHANGES, WINDOWS))

    assert ("b", "c", "a") == ranked(seen, TestId("v"), EARLIER)


def test_tests_that_are_not_asked_about_are_not_named() -> None:
    seen = observation(CHANGES, WINDOWS)

    assert ("b",) == ranked(seen, TestId("v"), (TestId("b"), TestId("x")))


def test_without_a_ledger_there_are_no_guesses() -> None:
    blind = observation(CHANGES, WINDOWS, unrecorded=("no slot is left",))

    assert () == ranked(blind, TestId("v"), EARLIER)
    assert () == ranked(None, TestId("v"), EARLIER)
    assert () == ranked(observation([], WINDOWS), TestId("v"), EARLIER)


def test_what_came_after_the_victim_began_is_nobody_s_guess() -> None:
    late = observation([insert("public.orders", 4.5, id="1")], WINDOWS)

    assert () == ranked(late, TestId("v"), EARLIER)


class Ledgered(World):
    """A world whose opening trial has a ledger with the polluter's row in it."""

    def perform(self, experiment: Experiment) -> Observation:
        made = super().perform(experiment)
        if experiment.purpose is not Purpose.SUITE:
            return made
        results = {
            test: replace(result, started=float(place), seconds=1.0)
            for place, (test, result) in enumerate(made.results.items())
        }
        place = list(results).index(TestId("pad.py::p5"))
        row = insert("orders", place + 0.5, id="1")
        return replace(
            made, results=results, changes=(row,), epoch=observation([], {}).epoch
        )


def test_a_search_with_a_ledger_asks_for_the_writer_first() -> None:
    tests = padding(200)
    tests["pad.py::p5"] = always(Act(leaves=frozenset({"row"})))
    tests["victim.py::v"] = always(Act(fails_with=frozenset({frozenset({"row"})})))

    done = drive(Ledgered(tests=tests))

    assert (TestId("pad.py::p5"),) == done.facts("victim.py::v").polluters
    searched = [
        each
        for each in done.experiments(Purpose.POLLUTER)
        if each.shape is Shape.LISTED
    ]
    assert 1 == len(searched)
