"""Does the rule `contract_removed` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import contract_removed, judge


def test_a_test_that_production_has_no_place_for_blocks() -> None:
    expected = Judgement(
        category=Category.CONTRACT_REMOVED,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and always passes at base; base's "
        "version can't run on head's production.",
        next="A person has to decide whether what the base's test relies on may go.",
    )

    assert expected == judge(case(reading("F", "P", swap="U"), touches=True))


def test_a_test_that_still_runs_is_none() -> None:
    assert contract_removed.judge(case(reading("F", "P", swap="F"))) is None
