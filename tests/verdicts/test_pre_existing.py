"""Does the rule `pre_existing` answer where it should, and only there?"""

from __future__ import annotations

from dataclasses import replace

from tests.verdicts.made import MATCHING, SILENT, case

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.judgements import Judgement
from fairtrial.verdicts import judge, pre_existing


def test_a_failure_that_base_shows_alike_passes() -> None:
    expected = Judgement(
        category=Category.PRE_EXISTING,
        side=Blame.UNKNOWN,
        introduced=False,
        decision=Decision.PASS,
        context=ContextKind.ALONE,
        because="Alone, it always fails at head and at base, in the same ways, and "
        "base fails in its own suite.",
        next="Nothing in this change; the failure was here before.",
    )

    assert expected == judge(case(MATCHING, MATCHING))


def test_a_victim_whose_polluter_is_not_known_is_one() -> None:
    found = judge(case(SILENT, MATCHING))

    assert (Category.PRE_EXISTING, ContextKind.SUITE) == (found.category, found.context)


def test_an_opening_failure_that_base_did_not_show_is_none() -> None:
    unseen = replace(case(MATCHING, MATCHING), opening_seen_at_base=False)

    assert pre_existing.judge(unseen) is None


def test_an_explained_victim_is_none() -> None:
    assert pre_existing.judge(case(SILENT, MATCHING, after=MATCHING)) is None
