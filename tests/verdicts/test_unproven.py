"""Does the rule `unproven` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import judge, unproven


def test_tests_and_production_that_changed_together_block() -> None:
    expected = Judgement(
        category=Category.UNPROVEN,
        side=Blame.UNKNOWN,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and always passes at base; nothing "
        "shows that production is innocent.",
        next="A person has to look: change tests apart, or show them passing on base.",
    )

    assert expected == judge(case(reading("F", "P", "F", "P"), touches=True))


def test_another_failure_at_base_blocks_without_being_introduced() -> None:
    found = judge(case(reading("F", "F≠")))

    assert (Category.UNPROVEN, False) == (found.category, found.introduced)
    assert "but not in the same ways" in found.because


def test_tests_that_alone_have_to_change_are_none() -> None:
    assert unproven.judge(case(reading("F", "P", "F", "P"))) is None
