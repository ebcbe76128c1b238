"""Does the rule `regression` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import MATCHING, SILENT, case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import judge, regression


def test_a_regression_fails_alone_by_production() -> None:
    expected = Judgement(
        category=Category.REGRESSION,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and always passes at base; "
        "base's own version fails on head's production too.",
        next="A person has to decide: mend production, or take the change back.",
    )

    assert expected == judge(case(reading("F", "P", swap="F"), touches=True))


def test_a_new_test_that_passes_on_old_production_is_one() -> None:
    found = judge(case(reading("F", "A", "P"), touches=True))

    assert Category.REGRESSION is found.category
    assert (
        "Alone, it fails at head, and base has no such test; "
        "it passes on base's production." == found.because
    )


def test_a_failure_in_company_is_none() -> None:
    assert regression.judge(case(SILENT, reading("F", "P", swap="F"))) is None


def test_a_failure_that_base_shows_too_is_none() -> None:
    assert regression.judge(case(MATCHING, MATCHING)) is None
