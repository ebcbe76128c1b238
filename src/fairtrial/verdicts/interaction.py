"""Whether only head's production and head's tests together fail."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import facts


def judge(case: Case) -> Judgement | None:
    """An interaction, where either half of the change passes with base's other half."""
    found = standing(case)
    if found.attribution is not Attribution.INTERACTION:
        return None
    return Judgement(
        category=Category.INTERACTION,
        side=Blame.BOTH,
        introduced=True,
        decision=Decision.BLOCK,
        context=found.company.kind,
        unit=found.unit,
        because=(
            f"{facts(found)}; head's tests pass on base's production, and base's do "
            "not always fail on head's."
        ),
        next="A person has to decide whether both are meant to change together.",
    )
