"""What was not tried to the end can't pass, and a proven block stands."""

from __future__ import annotations

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.casing import Facts, Halt
from fairtrial.pipeline.judging import halted

BY_DECISION = {
    Decision.PASS: Category.PRE_EXISTING,
    Decision.REPAIR: Category.TEST_DEFECT,
    Decision.INCONCLUSIVE: Category.INCONCLUSIVE,
    Decision.BLOCK: Category.REGRESSION,
}


def judgement(decision: Decision) -> Judgement:
    return Judgement(
        category=BY_DECISION[decision],
        side=Blame.UNKNOWN,
        introduced=decision is Decision.BLOCK,
        decision=decision,
        context=ContextKind.ALONE,
        because="seen",
        next="nothing",
    )


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("halt", Halt)
def test_a_halt_never_makes_a_verdict_lighter(decision: Decision, halt: Halt) -> None:
    told = halted(Facts(halt=halt), judgement(decision))

    assert told.decision >= decision


@pytest.mark.parametrize("halt", [halt for halt in Halt if halt is not Halt.ANSWERED])
def test_nothing_passes_that_was_not_tried_to_the_end(halt: Halt) -> None:
    told = halted(Facts(halt=halt), judgement(Decision.PASS))

    assert told.decision is Decision.INCONCLUSIVE


@pytest.mark.parametrize("halt", Halt)
def test_a_proven_block_stands(halt: Halt) -> None:
    block = judgement(Decision.BLOCK)

    assert block == halted(Facts(halt=halt), block)


@pytest.mark.parametrize("decision", Decision)
def test_an_answered_inquiry_changes_nothing(decision: Decision) -> None:
    assert judgement(decision) == halted(Facts(), judgement(decision))
