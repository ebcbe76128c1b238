"""Whether it is the base that can't be collected where the test is."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import facts


def judge(case: Case) -> Judgement | None:
    """Base broken, where base has nothing to compare with."""
    found = standing(case)
    if found.attribution is not Attribution.BASE_BROKEN:
        return None
    return Judgement(
        category=Category.BASE_BROKEN,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=found.company.kind,
        unit=found.unit,
        because=f"{facts(found)}.",
        next="Mend the base first: its version of the file has to be collectable.",
    )
