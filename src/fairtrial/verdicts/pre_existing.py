"""Whether the failure was here before, and nothing explains it further."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._sentences import acquittal_shown


def judge(case: Case) -> Judgement | None:
    """Pre-existing, where base was seen failing alike and no kind was shown."""
    found = standing(case)
    if not found.acquitted or found.kind is not None:
        return None
    return Judgement(
        category=Category.PRE_EXISTING,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.PASS,
        context=found.company.kind,
        unit=found.unit,
        because=acquittal_shown(found),
        next="Nothing in this change; the failure was here before.",
    )
