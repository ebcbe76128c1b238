"""Does the rule `non_deterministic` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import SILENT, case, flaky, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Rates
from fairtrial.verdicts import judge, non_deterministic


def test_a_test_that_production_makes_flakier_blocks() -> None:
    expected = Judgement(
        category=Category.NON_DETERMINISTIC,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.ALONE,
        because="Alone, it fails at head significantly more often than at base; base's "
        "own version fails on head's production too.",
        next="A person has to decide: production makes the test fail more often.",
    )
    flakier = flaky("mixed", "P", Rates.FLAKIER, swaps=Rates.FLAKIER)

    assert expected == judge(case(flakier, touches=True))


def test_a_test_that_was_as_flaky_before_passes() -> None:
    expected = Judgement(
        category=Category.NON_DETERMINISTIC,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.PASS,
        context=ContextKind.SUITE,
        because="In the suite, it fails at base as often as at head, in the same ways.",
        next="Nothing in this change; the test was as flaky before.",
    )

    assert expected == judge(case(SILENT, flaky("mixed", "mixed", Rates.NOT_FLAKIER)))


def test_a_flake_alone_takes_base_seen_failing_in_its_own_suite() -> None:
    as_before = flaky("mixed", "mixed", Rates.NOT_FLAKIER)
    passing = judge(case(as_before, reading("P", "mixed")))

    assert (Category.NON_DETERMINISTIC, Decision.PASS) == (
        passing.category,
        passing.decision,
    )
    assert Decision.INCONCLUSIVE is judge(case(as_before, SILENT)).decision


def test_a_test_that_always_fails_in_company_and_not_alone_is_none() -> None:
    in_company = case(SILENT, reading("F", "P", swap="F"))

    assert non_deterministic.judge(in_company) is None


def test_a_test_without_a_clear_run_alone_is_one_when_the_suite_convicts() -> None:
    found = judge(case(reading("A", "P"), reading("F", "P", swap="F")))

    assert Category.NON_DETERMINISTIC is found.category
