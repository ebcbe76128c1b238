"""The book: the same counts as the evidence, and what does not count."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from tests.inquiry.driving import drive
from tests.inquiry.simulated import Act, World, always, padding, when
from tests.inquiry.test_laws_of_the_plan import STEADY, worlds

from fairtrial.domain.experiments import ALONE, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.inquiry.asking import listed
from fairtrial.inquiry.book import Book


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(STEADY))
def test_a_book_counts_as_the_evidence_does(world: World) -> None:
    inquiry = drive(world).inquiry
    book = Book(inquiry)

    for observation in inquiry.evidence.observations[1:]:
        experiment = observation.experiment
        for test in experiment.subjects:
            cell = inquiry.evidence.cell(test, experiment.tree, experiment.context)
            seen = book.attempts(test, experiment.tree, experiment.context)
            assert cell.count(Outcome.PASSED) == seen.passed
            assert cell.count(*FAILURES) == seen.failed


def test_a_time_out_beside_others_does_not_count_and_is_tried_quietly() -> None:
    hangs = Act(fails=True, outcome=Outcome.TIMED_OUT)
    world = World(tests={**padding(3), "a.py::t": always(Act(fails=True))})
    inquiry = world.open()
    test = TestId("a.py::t")
    loud = listed(Book(inquiry), test, inquiry.head, ALONE, Purpose.ALONE)
    world.tests["a.py::t"] = always(hangs)

    book = Book(inquiry.plus([world.perform(loud)]))

    seen = book.attempts(test, inquiry.head, ALONE)
    assert (0, 1) == (seen.counted, seen.asked)
    assert book.is_quiet(test)
    again = listed(book, test, inquiry.head, ALONE, Purpose.ALONE)
    assert again.quiet
    assert (
        1
        == Book(inquiry.plus([world.perform(again)]))
        .attempts(test, inquiry.head, ALONE)
        .counted
    )


def test_trees_that_are_equal_share_their_attempts() -> None:
    world = World(
        tests={**padding(3), "a.py::t": when("h1", Act(fails=True))}, hunks=("h1",)
    )
    inquiry = drive(world).inquiry
    book = Book(inquiry)
    test = TestId("a.py::t")

    at_head = book.attempts(test, inquiry.head, ALONE)

    assert at_head == book.attempts(test, inquiry.base_tests, ALONE)
    assert 3 == at_head.failed
