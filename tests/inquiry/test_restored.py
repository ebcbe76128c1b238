"""Base's tests by themselves, where their file can't be built on head's production."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.driving import drive
from tests.inquiry.simulated import PASS, Act, World, padding

from fairtrial.domain.contracts import Lack, Missing
from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.names import HunkId, OverlayId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.settings import BudgetSettings
from fairtrial.domain.trees import Revision

TEST = "a.py::t"
BROKEN = Act(fails=True)
HALF = Missing(lack=Lack.NAME, owner="calc", name="half")
UNBUILDABLE = Act(unbuildable=True)
BOTH = frozenset({PathClass.PRODUCTION, PathClass.TEST})


def world(
    base_tests: Act,
    by_itself: Act | None,
    *,
    head_tests: Act = BROKEN,
    equal: bool = False,
) -> World:
    """A test that fails at head; X is `base_tests`, T is `head_tests`."""

    def behaviour(hunks: frozenset[HunkId], tests: Revision) -> Act:
        if tests is Revision.HEAD:
            return BROKEN if hunks else head_tests
        return base_tests if hunks else PASS

    return World(
        tests={**padding(3), TEST: behaviour},
        hunks=("h1",),
        changed=BOTH,
        edited=frozenset({TEST}),
        by_itself={} if by_itself is None else {TEST: by_itself},
        demands_equal=frozenset({TEST}) if equal else frozenset(),
        removed=frozenset({HALF}),
    )


def overlays(made: World) -> list[OverlayId | None]:
    trees = [each.experiment.tree for each in made.trials]
    return [tree.overlay for tree in trees if tree.overlay is not None]


@pytest.mark.parametrize(
    ("by_itself", "head_tests", "equal", "expected"),
    [
        (None, BROKEN, False, Category.CONTRACT_REMOVED),
        (UNBUILDABLE, BROKEN, False, Category.CONTRACT_REMOVED),
        (Act(misses="half"), BROKEN, False, Category.CONTRACT_REMOVED),
        (Act(misses="double"), BROKEN, False, Category.REGRESSION),
        (BROKEN, BROKEN, False, Category.REGRESSION),
        (BROKEN, BROKEN, True, Category.REGRESSION),
        (PASS, BROKEN, False, Category.UNPROVEN),
        (PASS, BROKEN, True, Category.TEST_DEFECT),
        (PASS, PASS, False, Category.INTERACTION),
        (PASS, PASS, True, Category.INTERACTION),
    ],
)
def test_what_base_test_shows_by_itself_stands_for_its_whole_file(
    by_itself: Act | None, head_tests: Act, equal: bool, expected: Category
) -> None:
    made = world(UNBUILDABLE, by_itself, head_tests=head_tests, equal=equal)

    done = drive(made)

    assert expected is done.judgement(TEST).category


def test_it_is_tried_three_times_and_no_more() -> None:
    made = world(UNBUILDABLE, BROKEN)

    drive(made)

    assert [OverlayId(TEST)] * 3 == overlays(made)


@pytest.mark.parametrize("whole", [PASS, BROKEN, Act(misses="half")])
def test_a_file_that_can_be_built_is_tried_whole(whole: Act) -> None:
    made = world(whole, BROKEN)

    drive(made)

    assert [] == overlays(made)


def test_a_test_that_fails_for_want_of_a_removed_name_has_lost_its_contract() -> None:
    done = drive(world(Act(misses="half"), None))

    judgement = done.judgement(TEST)
    assert Category.CONTRACT_REMOVED is judgement.category
    assert Blame.PRODUCTION is judgement.side
    assert Decision.BLOCK is judgement.decision


def test_a_test_that_was_not_edited_fails_for_what_production_removed() -> None:
    made = World(
        tests={
            **padding(3),
            TEST: lambda hunks, tests: Act(misses="half") if hunks else PASS,
        },
        hunks=("h1",),
        removed=frozenset({HALF}),
    )

    assert Category.REGRESSION is drive(made).judgement(TEST).category


def test_nothing_is_decided_while_it_is_still_to_be_tried() -> None:
    done = drive(world(UNBUILDABLE, BROKEN))
    inquiry = done.inquiry
    seen = [
        each
        for each in inquiry.evidence.observations
        if each.experiment.tree.overlay is None
    ]
    evidence = Evidence(observations=tuple(seen), changed=inquiry.evidence.changed)
    spent = BudgetSettings(minutes=0)

    early = replace(done, inquiry=replace(inquiry, evidence=evidence, budget=spent))

    assert Category.INCONCLUSIVE is early.judgement(TEST).category


def test_equal_demands_make_a_test_defect_beside_unrelated_production() -> None:
    judgement = drive(world(PASS, None, equal=True)).judgement(TEST)

    assert (Category.TEST_DEFECT, Blame.TESTS, Decision.REPAIR) == (
        judgement.category,
        judgement.side,
        judgement.decision,
    )


def test_other_demands_beside_unrelated_production_are_unproven() -> None:
    judgement = drive(world(PASS, None)).judgement(TEST)

    assert (Category.UNPROVEN, Decision.BLOCK) == (
        judgement.category,
        judgement.decision,
    )
