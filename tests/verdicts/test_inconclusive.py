"""Does the rule `inconclusive` answer where it should, and only there?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.verdicts.made import MATCHING, NOTHING, SILENT, case, flaky, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case, Rates
from fairtrial.verdicts import inconclusive, judge


def test_a_failure_that_is_not_seen_again_is_inconclusive() -> None:
    expected = Judgement(
        category=Category.INCONCLUSIVE,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.SUITE,
        because="In the suite, the failure was not seen again at head; nothing is "
        "proven.",
        next="Run the gate again with a larger budget, or mend the test's flakiness.",
    )

    assert expected == judge(case(SILENT, SILENT))


UNSEEN = replace(case(MATCHING, MATCHING), opening_seen_at_base=False)
RACE = replace(case(MATCHING, MATCHING), never_acquitted=True)


@pytest.mark.parametrize(
    ("found", "because"),
    [
        (
            case(reading("F", "P")),
            (
                "Alone, it always fails at head and always passes at base; the swaps "
                "of production and tests do not tell which has to change."
            ),
        ),
        (
            UNSEEN,
            (
                "In the suite, it always fails at head and at base, in the same ways; "
                "base was not seen failing in every way that head failed."
            ),
        ),
        (
            RACE,
            (
                "Alone, it always fails at head and at base, in the same ways; a race, "
                "deadlock or crash in production is never acquitted."
            ),
        ),
        (
            case(flaky("mixed", "P", Rates.UNDECIDED), SILENT),
            (
                "Alone, it passes and fails, and the runs do not tell head from base; "
                "nothing is proven."
            ),
        ),
        (
            case(NOTHING, NOTHING),
            "Alone, too little was seen of it at head or at base; nothing is proven.",
        ),
    ],
)
def test_the_reason_says_what_keeps_it_from_being_told(
    found: Case, because: str
) -> None:
    assert because == judge(found).because


def test_a_conviction_without_swaps_is_introduced_all_the_same() -> None:
    assert judge(case(reading("F", "P"))).introduced


def test_an_acquittal_is_none() -> None:
    assert inconclusive.judge(case(MATCHING, MATCHING)) is None


def test_a_proven_answer_is_none() -> None:
    assert inconclusive.judge(case(reading("F", "P", swap="F"))) is None
