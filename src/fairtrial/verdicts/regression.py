"""Whether it is a regression: alone, production makes it fail."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Kind
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import production_shown


def judge(case: Case) -> Judgement | None:
    """A regression, where production has to change and alone decides."""
    found = standing(case)
    if found.attribution is not Attribution.PRODUCTION or found.kind is not Kind.ALONE:
        return None
    return Judgement(
        category=Category.REGRESSION,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=found.company.kind,
        because=production_shown(found),
        next="A person has to decide: mend production, or take the change back.",
    )
