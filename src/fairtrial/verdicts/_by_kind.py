"""What the rules for order-dependent and flaky tests share: a judgement by side."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.standings import Standing
from fairtrial.verdicts._sentences import acquittal_shown, production_shown, tests_shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to do, by what has to change."""

    production: str
    tests: str
    #: Nothing in this change has to.
    old: str


def by_side(found: Standing, category: Category, advice: Advice) -> Judgement | None:
    """The judgement of a kind that production, tests or neither brought about."""
    if found.attribution is Attribution.PRODUCTION:
        side, decision = Blame.PRODUCTION, Decision.BLOCK
        because, then = production_shown(found), advice.production
    elif found.attribution is Attribution.TESTS:
        side, decision = Blame.TESTS, Decision.REPAIR
        because, then = tests_shown(found), advice.tests
    elif found.acquitted:
        side, decision = Blame.UNKNOWN, Decision.PASS
        because, then = acquittal_shown(found), advice.old
    else:
        return None
    return Judgement(
        category=category,
        side=side,
        introduced=not found.acquitted,
        decision=decision,
        context=found.company.kind,
        unit=found.unit,
        because=because,
        next=then,
    )
