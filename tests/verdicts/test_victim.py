"""Does the rule `victim` answer where it should, and only there?"""

from __future__ import annotations

from tests.verdicts.made import MATCHING, SILENT, case, reading

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import judge, victim


def test_a_victim_by_production_blocks_although_it_passes_alone() -> None:
    expected = Judgement(
        category=Category.VICTIM,
        side=Blame.PRODUCTION,
        introduced=True,
        decision=Decision.BLOCK,
        context=ContextKind.AFTER,
        because="After the tests named here, it always fails at head and always passes "
        "at base; base's own version fails on head's production too.",
        next="A person has to decide: production leaves it behind or stumbles on it.",
    )
    leak = case(
        SILENT,
        reading("F", "P", swap="F"),
        after=reading("F", "P", swap="F"),
        touches=True,
    )

    assert expected == judge(leak)


def test_a_victim_by_tests_is_repaired() -> None:
    expected = Judgement(
        category=Category.VICTIM,
        side=Blame.TESTS,
        introduced=True,
        decision=Decision.REPAIR,
        context=ContextKind.SUITE,
        because="In the suite, it always fails at head and always passes at base; "
        "base's own version passes on head's production.",
        next="Repair the tests: let the polluter clean up, or the victim bring its "
        "state.",
    )

    assert expected == judge(case(SILENT, reading("F", "P", "F", "P")))


def test_a_new_victim_of_an_old_polluter_is_repaired() -> None:
    found = judge(case(reading("P", "A", "P"), reading("F", "A", "F")))

    assert (Category.VICTIM, Decision.REPAIR) == (found.category, found.decision)
    assert (
        "In the suite, it fails at head, and base has no such test; it fails on base's "
        "production too, where it passes alone." == found.because
    )


def test_an_old_victim_with_its_polluter_passes() -> None:
    expected = Judgement(
        category=Category.VICTIM,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.PASS,
        context=ContextKind.AFTER,
        because="After the tests named here, it always fails at head and at base, in "
        "the same ways, and base fails in its own suite.",
        next="Nothing in this change; mend the polluter when you can.",
    )

    assert expected == judge(case(SILENT, MATCHING, after=MATCHING))


def test_an_old_victim_without_its_polluter_is_none() -> None:
    assert victim.judge(case(SILENT, MATCHING)) is None


def test_a_victim_whose_swaps_were_not_seen_is_none() -> None:
    assert victim.judge(case(SILENT, reading("F", "P"))) is None
