"""Whether it is non-deterministic: no company makes it always fail or pass."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.decisions import Category
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import Kind
from fairtrial.inquiry.standings import standing
from fairtrial.verdicts._by_kind import Advice, by_side

_ADVICE: Final = Advice(
    production="A person has to decide: production makes the test fail more often.",
    tests="Repair the tests: they make this one fail more often.",
    old="Nothing in this change; the test was as flaky before.",
)


def judge(case: Case) -> Judgement | None:
    """A non-deterministic test, by production or by tests, or as flaky as at base."""
    found = standing(case)
    if found.kind is not Kind.NON_DETERMINISTIC:
        return None
    return by_side(found, Category.NON_DETERMINISTIC, _ADVICE)
