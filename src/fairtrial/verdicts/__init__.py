"""What the evidence of one failed test amounts to: one rule per file, a partition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from fairtrial.domain.decisions import Category
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case
from fairtrial.verdicts import (
    base_broken,
    brittle,
    contract_removed,
    inconclusive,
    interaction,
    non_deterministic,
    pre_existing,
    regression,
    test_defect,
    unproven,
    victim,
)


class Rule(Protocol):
    """A module of this package; it answers for its own category and no other."""

    def judge(self, case: Case) -> Judgement | None:
        """The judgement where the rule's category fits the case, else None."""


#: Their order means nothing: exactly one of them answers each case.
RULES: Final[Mapping[Category, Rule]] = {
    Category.REGRESSION: regression,
    Category.VICTIM: victim,
    Category.BRITTLE: brittle,
    Category.NON_DETERMINISTIC: non_deterministic,
    Category.INTERACTION: interaction,
    Category.UNPROVEN: unproven,
    Category.CONTRACT_REMOVED: contract_removed,
    Category.TEST_DEFECT: test_defect,
    Category.PRE_EXISTING: pre_existing,
    Category.BASE_BROKEN: base_broken,
    Category.INCONCLUSIVE: inconclusive,
}


def judge(case: Case) -> Judgement:
    """The one judgement of a case.

    Raises AssertionError, a bug in Fairtrial, when not exactly one rule answers.
    """
    answers = [
        answer for rule in RULES.values() if (answer := rule.judge(case)) is not None
    ]
    if len(answers) != 1:
        categories = [answer.category.value for answer in answers]
        raise AssertionError(f"not exactly one rule answers: {categories} for {case}")
    return answers[0]
