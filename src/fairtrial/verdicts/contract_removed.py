"""Whether head's production has no place for the base's version of the test."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import facts


def judge(case: Case) -> Judgement | None:
    """Contract removed, where base's test can't run on head's production at all."""
    found = standing(case)
    if found.attribution is not Attribution.CONTRACT_REMOVED:
        return None
    return Judgement(
        category=Category.CONTRACT_REMOVED,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=found.company.kind,
        unit=found.unit,
        because=f"{facts(found)}; base's version can't run on head's production.",
        next="A person has to decide whether what the base's test relies on may go.",
    )
