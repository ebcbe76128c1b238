"""Does the rule `test_defect` answer where it should, and only there?"""

from __future__ import annotations

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
