"""Whether it is a victim: alone it passes, and other tests make it fail."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.decisions import Category
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Kind
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._by_kind import Advice, by_side

_ADVICE: Final = Advice(
    production="A person has to decide: production leaves it behind or stumbles on it.",
    tests="Repair the tests: let the polluter clean up, or the victim bring its state.",
    old="Nothing in this change; mend the polluter when you can.",
)


def judge(case: Case) -> Judgement | None:
    """A victim, by production or by tests; an old one where its polluter is known."""
    found = standing(case)
    if found.kind is not Kind.VICTIM:
        return None
    return by_side(found, Category.VICTIM, _ADVICE)
