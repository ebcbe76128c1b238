"""Does the rule `brittle` answer where it should, and only there?"""

from __future__ import annotations

from dataclasses import replace

from tests.verdicts.made import MATCHING, SILENT, case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind, Unit
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import brittle, judge


def test_a_setter_broken_in_production_blocks() -> None:
    expected = Judgement(
        category=Category.BRITTLE,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.SUITE,
        because="In the suite, it always fails at head and always passes at base; "
        "base's own version fails on head's production too.",
        next="A person has to decide: production no longer sets or bears the state.",
    )

    assert expected == judge(case(MATCHING, reading("F", "P", swap="F")))


def test_a_wider_unit_only_gives_the_trial_its_shape() -> None:
    shaped = replace(
        case(MATCHING, reading("F", "P", swap="F")),
        wider=reading("F", "P", swap="F"),
        unit=Unit.FILE,
    )
    found = judge(shaped)

    assert (ContextKind.SUITE, Unit.FILE) == (found.context, found.unit)
    assert found.because.startswith("In its file, it always fails at head")


def test_a_setter_broken_in_tests_is_repaired() -> None:
    found = judge(case(MATCHING, reading("F", "P", "F", "P")))

    assert Category.BRITTLE is found.category
    assert (Blame.TESTS, Decision.REPAIR) == (found.side, found.decision)
    assert "Repair the tests: let the test set the state that it needs." == found.next


def test_an_old_brittle_test_with_its_setter_passes() -> None:
    found = judge(case(MATCHING, MATCHING, after=SILENT))

    assert Category.BRITTLE is found.category
    assert (Blame.UNKNOWN, Decision.PASS) == (found.side, found.decision)
    assert (
        "Nothing in this change; let the test set its own state when you can."
        == found.next
    )


def test_a_setter_that_does_not_help_at_base_explains_nothing() -> None:
    assert brittle.judge(case(MATCHING, MATCHING, after=reading("P", "F"))) is None
