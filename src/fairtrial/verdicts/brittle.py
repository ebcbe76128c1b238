"""Whether it is brittle: alone it fails at both sides, and needs others first."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.decisions import Category
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Kind
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._by_kind import Advice, by_side

_ADVICE: Final = Advice(
    production="A person has to decide: production no longer sets or bears the state.",
    tests="Repair the tests: let the test set the state that it needs.",
    old="Nothing in this change; let the test set its own state when you can.",
)


def judge(case: Case) -> Judgement | None:
    """A brittle test, by production or tests; an old one where its setter is known."""
    found = standing(case)
    if found.kind is not Kind.BRITTLE:
        return None
    return by_side(found, Category.BRITTLE, _ADVICE)
