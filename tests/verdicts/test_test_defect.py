"""Does the rule `test_defect` answer where it should, and only there?"""

from __future__ import annotations

from dataclasses import replace

from tests.verdicts.made import SILENT, case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import judge, test_defect


def test_a_test_defect_fails_alone_by_tests() -> None:
    expected = Judgement(
        category=Category.TEST_DEFECT,
        side=Blame.TESTS,
        introduced=True,
        decision=Decision.REPAIR,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and always passes at base; "
        "base's own version passes on head's production.",
        next="Repair the test; production stays as it is.",
    )

    assert expected == judge(case(reading("F", "P", "F", "P")))


def test_tests_that_fail_only_in_company_are_none() -> None:
    assert test_defect.judge(case(SILENT, reading("F", "P", "F", "P"))) is None


def test_production_that_fails_is_none() -> None:
    assert test_defect.judge(case(reading("F", "P", "F", "F"))) is None


def test_beside_production_it_takes_equal_demands() -> None:
    beside = case(reading("F", "P", "F", "P"), touches=True)
    equal = replace(beside, demands_equal=True)

    assert test_defect.judge(beside) is None
    assert Category.UNPROVEN is judge(beside).category
    assert Category.TEST_DEFECT is judge(equal).category
    assert Decision.REPAIR is judge(equal).decision


def test_equal_demands_prove_nothing_where_base_fails_on_heads_production() -> None:
    for swap, category in (
        ("F", Category.REGRESSION),
        ("F≠", Category.REGRESSION),
        ("mixed", Category.INCONCLUSIVE),
        ("U", Category.CONTRACT_REMOVED),
    ):
        found = case(reading("F", "P", "F", swap), touches=True)

        assert category is judge(replace(found, demands_equal=True)).category
