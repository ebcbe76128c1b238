"""Whether it is unproven that production is innocent."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import facts


def judge(case: Case) -> Judgement | None:
    """Unproven, where nothing shows that production is innocent."""
    found = standing(case)
    if found.attribution is not Attribution.UNPROVEN:
        return None
    return Judgement(
        category=Category.UNPROVEN,
        side=Blame.UNKNOWN,
        introduced=found.introduced,
        decision=Decision.BLOCK,
        context=found.company.kind,
        unit=found.unit,
        because=f"{facts(found)}; nothing shows that production is innocent.",
        next="A person has to look: change tests apart, or show them passing on base.",
    )
