"""Does the heaviest answer decide, and is empty never a pass?"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.report import Finding, Next
from fairtrial.policy.decision import (
    Answer,
    Receipt,
    decide,
    requires_production_change,
    whose_turn,
)


@dataclass(frozen=True)
class Given:
    decision: Decision
    side: Blame = Blame.UNKNOWN
    introduced: bool = False


PROVEN = Receipt(complete=True, passed=1)
INCOMPLETE = Receipt(complete=False, passed=7)
EMPTY = Receipt(complete=True, passed=0)

answers = st.lists(
    st.builds(Given, st.sampled_from(Decision), st.sampled_from(Blame), st.booleans())
)


def test_nothing_failed_passes_on_a_complete_receipt() -> None:
    assert Decision.PASS is decide([], PROVEN)


@pytest.mark.parametrize("receipt", [INCOMPLETE, EMPTY])
def test_nothing_failed_is_inconclusive_without_one(receipt: Receipt) -> None:
    assert Decision.INCONCLUSIVE is decide([], receipt)
    assert Decision.INCONCLUSIVE is decide([Given(Decision.PASS)], receipt)


@given(answers, answers, st.booleans())
def test_two_parts_of_a_run_decide_like_the_heavier_one(
    one: list[Given],
    other: list[Given],
    complete: bool,
) -> None:
    receipt = Receipt(complete=complete, passed=1)
    both = decide([*one, *other], receipt)

    assert max(decide(one, receipt), decide(other, receipt)) is both


def test_an_incomplete_report_is_no_ground_for_a_repair_either() -> None:
    repair = Given(Decision.REPAIR)

    assert Decision.INCONCLUSIVE is decide([repair], INCOMPLETE)
    assert Decision.REPAIR is decide([repair], EMPTY)
    assert Decision.BLOCK is decide([repair, Given(Decision.BLOCK)], INCOMPLETE)


@given(answers)
def test_the_heaviest_answer_decides(given_answers: list[Given]) -> None:
    heaviest = max((each.decision for each in given_answers), default=Decision.PASS)

    assert heaviest is decide(given_answers, PROVEN)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (True, Given(Decision.BLOCK, Blame.PRODUCTION, introduced=True)),
        (True, Given(Decision.BLOCK, Blame.BOTH, introduced=True)),
        (False, Given(Decision.BLOCK, Blame.PRODUCTION, introduced=False)),
        (False, Given(Decision.BLOCK, Blame.UNKNOWN, introduced=True)),
        (False, Given(Decision.REPAIR, Blame.TESTS, introduced=True)),
        # Accepted by a person, or only told.
        (False, Given(Decision.PASS, Blame.PRODUCTION, introduced=True)),
    ],
)
def test_only_what_the_change_brought_to_production_requires_one(
    expected: bool,
    answer: Given,
) -> None:
    assert expected is requires_production_change([Given(Decision.PASS), answer])


def test_a_finding_counts_like_a_verdict() -> None:
    finding = Finding(
        rule="head-broken",
        decision=Decision.BLOCK,
        side=Blame.PRODUCTION,
        introduced=True,
    )

    assert Decision.BLOCK is decide([finding], PROVEN)
    assert requires_production_change([finding])


BLOCKED = Given(Decision.BLOCK, Blame.PRODUCTION, introduced=True)
LEFT_OPEN = Given(Decision.INCONCLUSIVE)
REPAIR = Given(Decision.REPAIR, Blame.TESTS, introduced=True)


@pytest.mark.parametrize(
    ("given_answers", "receipt", "actor", "say"),
    [
        ([], PROVEN, "none", "Nothing failed."),
        (
            [Given(Decision.PASS)],
            PROVEN,
            "none",
            "Nothing that failed counts against this change.",
        ),
        ([REPAIR], PROVEN, "agent", "Only tests have to change, for 1 failure."),
        (
            [REPAIR, REPAIR],
            PROVEN,
            "agent",
            "Only tests have to change, for 2 failures.",
        ),
        (
            [LEFT_OPEN],
            PROVEN,
            "person",
            "1 failure could not be judged; this blocks until somebody looks.",
        ),
        (
            [LEFT_OPEN, LEFT_OPEN, REPAIR],
            PROVEN,
            "person",
            (
                "2 failures could not be judged; this blocks until somebody looks."
                " Tests can be repaired meanwhile, for 1 failure."
            ),
        ),
        (
            [REPAIR],
            INCOMPLETE,
            "person",
            (
                "The suites' reports are not complete, so nothing is proven; look at "
                "them. Tests can be repaired meanwhile, for 1 failure."
            ),
        ),
        (
            [],
            INCOMPLETE,
            "person",
            "The suites' reports are not complete, so nothing is proven; look at them.",
        ),
        (
            [],
            EMPTY,
            "person",
            "No test passed, so nothing is proven; check that the suites run any.",
        ),
        (
            [BLOCKED, REPAIR, LEFT_OPEN],
            PROVEN,
            "person",
            (
                "A person has to decide: passing would take a production change."
                " Tests can be repaired meanwhile, for 1 failure."
            ),
        ),
        (
            [Given(Decision.BLOCK)],
            PROVEN,
            "person",
            "A person has to decide: it is not shown that tests alone have to change.",
        ),
    ],
)
def test_the_next_step_names_who_acts_and_on_what(
    given_answers: list[Answer], receipt: Receipt, actor: str, say: str
) -> None:
    assert Next(actor=actor, say=say) == whose_turn(given_answers, receipt)
