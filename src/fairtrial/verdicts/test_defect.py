"""Whether it is a defect of the test: alone, only tests make it fail."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Kind
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import tests_shown


def judge(case: Case) -> Judgement | None:
    """A defect of the test, where only tests have to change and alone decides."""
    found = standing(case)
    if found.attribution is not Attribution.TESTS or found.kind is not Kind.ALONE:
        return None
    return Judgement(
        category=Category.TEST_DEFECT,
        side=Blame.TESTS,
        introduced=True,
        decision=Decision.REPAIR,
        context=found.company.kind,
        because=tests_shown(found),
        next="Repair the test; production stays as it is.",
    )
