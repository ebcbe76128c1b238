"""Does the rule `interaction` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import interaction, judge


def test_two_halves_that_only_fail_together_block() -> None:
    expected = Judgement(
        category=Category.INTERACTION,
        side=Blame.BOTH,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and always passes at base; head's "
        "tests pass on base's production, and base's do not always fail on head's.",
        next="A person has to decide whether both are meant to change together.",
    )

    assert expected == judge(case(reading("F", "P", "P", "P"), touches=True))


def test_a_half_that_fails_by_itself_is_none() -> None:
    assert interaction.judge(case(reading("F", "P", "P", "F"), touches=True)) is None
