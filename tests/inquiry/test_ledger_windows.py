"""A change belongs to the test that ran when it was committed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.ledgers import EPOCH, insert, observation

from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import Outcome
from fairtrial.inquiry.ledger.windows import before, begun, owned, unjoinable

ONE_WORKER = {"a": (1.0, 1.0), "b": (3.0, 1.0), "c": (5.0, 0.5)}


def owners(observation: Observation) -> list[tuple[str, ...]]:
    return [each.tests for each in owned(observation)]


@pytest.mark.parametrize(
    ("at", "tests"),
    [
        (0.5, ()),
        (1.0, ("a",)),
        (1.999, ("a",)),
        # What comes between two tests, such as a slow tear-down, is the first one's.
        (2.5, ("a",)),
        (2.999999, ("a",)),
        (3.0, ("b",)),
        (5.5, ("c",)),
        (5.6, ()),
    ],
)
def test_a_window_reaches_from_a_test_s_start_to_the_next_one_s(
    at: float, tests: tuple[str, ...]
) -> None:
    seen = observation([insert("orders", at, id="1")], ONE_WORKER)

    assert [tests] == owners(seen)


def test_a_change_beside_several_workers_belongs_to_each_of_their_tests() -> None:
    seen = observation(
        [insert("t", 1.5, id="1"), insert("t", 2.5, id="2"), insert("t", 4.5, id="3")],
        {"a": (1.0, 1.0), "x": (2.0, 1.0), "b": (4.0, 1.0)},
        workers={"a": "w0", "x": "w1", "b": "w0"},
    )

    assert [("a",), ("a", "x"), ("b",)] == owners(seen)


def test_the_order_in_which_results_are_reported_changes_nothing() -> None:
    seen = observation([insert("t", 3.5, id="1")], ONE_WORKER)
    turned = replace(seen, results=dict(reversed(list(seen.results.items()))))

    assert owned(seen) == owned(turned)


def test_what_was_committed_in_a_test_s_own_set_up_was_not_there_before_it() -> None:
    changes = [insert("t", 2.0, id="1"), insert("t", 3.0, id="2")]
    seen = observation(changes, ONE_WORKER)

    assert [changes[0]] == [each.change for each in before(seen, TestId("b"))]
    assert EPOCH + 3.0 == begun(seen, TestId("b"))


def test_before_a_test_that_never_ran_is_everything() -> None:
    changes = [insert("t", 2.0, id="1"), insert("t", 3.0, id="2")]
    seen = observation(changes, ONE_WORKER)

    assert changes == [each.change for each in before(seen, TestId("unknown"))]


def test_a_test_that_never_ran_owns_nothing() -> None:
    seen = observation([insert("t", 3.5, id="1")], ONE_WORKER)
    lost = replace(seen.results[TestId("b")], outcome=Outcome.MISSING)
    seen = replace(seen, results={**seen.results, TestId("b"): lost})

    assert [("a",)] == owners(seen)
    assert begun(seen, TestId("b")) is None


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (observation([], ONE_WORKER), ""),
        (observation([insert("t", id="1")], ONE_WORKER, watched=False), ""),
        (observation([], ONE_WORKER, watched=False), "it was not watched"),
        (
            observation([], ONE_WORKER, unrecorded=("no slot is left", "and more")),
            "no slot is left",
        ),
        (
            observation([], ONE_WORKER, epoch=0.0),
            "the runner does not tell when its tests ran",
        ),
        (
            observation([], ONE_WORKER, trust=Trust.ERRORED),
            "its report can't be believed",
        ),
    ],
)
def test_what_can_t_be_joined_says_why(seen: Observation, why: str) -> None:
    assert why == unjoinable(seen)


def test_no_tests_own_nothing() -> None:
    assert [()] == owners(observation([insert("t", id="1")], {}))
