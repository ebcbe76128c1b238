"""Does the rule `base_broken` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import base_broken, judge


def test_a_base_that_cannot_be_collected_is_inconclusive() -> None:
    expected = Judgement(
        category=Category.BASE_BROKEN,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.INCONCLUSIVE,
        context=ContextKind.ALONE,
        because="Alone, it fails at head, and base's version can't be collected.",
        next="Mend the base first: its version of the file has to be collectable.",
    )

    assert expected == judge(case(reading("F", "U")))


def test_a_base_that_runs_is_none() -> None:
    assert base_broken.judge(case(reading("F", "P", swap="F"))) is None
