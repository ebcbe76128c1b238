"""Whether too little was seen, or what was seen proves nothing."""

from __future__ import annotations

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Says
from fairtrial.inquiry.standings import Standing, standing
from fairtrial.verdicts._sentences import facts


def judge(case: Case) -> Judgement | None:
    """Inconclusive, where no answer is proven; it holds the merge up all the same."""
    found = standing(case)
    if found.acquitted or found.attribution not in (
        Attribution.NOTHING,
        Attribution.LACKING,
        Attribution.INCONCLUSIVE,
    ):
        return None
    return Judgement(
        category=Category.INCONCLUSIVE,
        side=Blame.UNKNOWN,
        introduced=found.introduced,
        decision=Decision.INCONCLUSIVE,
        context=found.company.kind,
        unit=found.unit,
        because=f"{facts(found)}; {_want(case, found)}.",
        next="Run the gate again with a larger budget, or mend the test's flakiness.",
    )


def _want(case: Case, found: Standing) -> str:
    """What keeps it from being told."""
    if case.never_acquitted:
        return "a race, deadlock or crash in production is never acquitted"
    match found.said:
        case Says.CONVICTS | Says.FLAKIER | Says.NEW:
            return "the swaps of production and tests do not tell which has to change"
        case Says.MATCHES | Says.NOT_FLAKIER:
            return "base was not seen failing in every way that head failed"
        case (
            Says.SILENT
            | Says.UNKNOWN
            | Says.UNDECIDED
            | Says.UNPROVEN
            | Says.BASE_BROKEN
        ):
            return "nothing is proven"
