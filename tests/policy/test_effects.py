"""What an edit of a test amounts to: the whole table, swept, with its laws."""

from __future__ import annotations

from itertools import product

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.settings import Authority
from fairtrial.policy.effects import (
    Consequence,
    Edit,
    Effect,
    Killed,
    Oracle,
    consequence_of,
    effect_of,
)

#: Edits that take something away from what a test demands.
LESS = (Edit.WEAKENED, Edit.GONE)
#: Edits after which a test demands something else.
ELSE = (Edit.ARRANGED, Edit.RE_SPECIFIED)

#: edit: EQUAL, STRONGER, ARRANGED, RE_SPECIFIED, WEAKENED, GONE.
TABLE = {
    (Oracle.HOLDS, Killed.KEPT): "-- -- -- -- lo --",
    (Oracle.HOLDS, Killed.LOST): "we we we we we we",
    (Oracle.HOLDS, Killed.UNMEASURED): "-- -- -- ch we we",
    (Oracle.CONTAMINATED, Killed.KEPT): "-- -- -- -- lo --",
    (Oracle.CONTAMINATED, Killed.LOST): "we we we we we we",
    (Oracle.CONTAMINATED, Killed.UNMEASURED): "-- -- -- ch we we",
    (Oracle.RED_BEFORE, None): "we we ch ch we we",
    (Oracle.BROKEN_BEFORE, None): "-- -- -- ch we we",
    (Oracle.CONTRACT_REMOVED, None): "-- -- re re re re",
    (Oracle.OTHERWISE, None): "un un ch ch un un",
    (Oracle.FAILS, None): "hi hi ch ch hi hi",
    (Oracle.UNKNOWN, None): "?? ?? ?? ?? ?? ??",
}
WORDS = {
    "--": Effect.NOTHING,
    "we": Effect.WEAKENS,
    "lo": Effect.LOOKS_WEAKER,
    "ch": Effect.CHANGES_EXPECTATION,
    "re": Effect.REMOVES_CONTRACT,
    "un": Effect.HIDES_UNPROVEN,
    "hi": Effect.HIDES_FAILURE,
    "??": Effect.UNTOLD,
}


def expected(edit: Edit, oracle: Oracle, killed: Killed) -> Effect:
    row = TABLE.get((oracle, killed)) or TABLE[oracle, None]
    return WORDS[row.split()[list(Edit).index(edit)]]


@pytest.mark.parametrize("oracle", Oracle)
def test_the_table(oracle: Oracle) -> None:
    for edit, killed in product(Edit, Killed):
        assert expected(edit, oracle, killed) is effect_of(edit, oracle, killed), (
            edit,
            killed,
        )


def decisions(edit: Edit, oracle: Oracle) -> set[Decision]:
    found = set()
    for killed, authority in product(Killed, Authority):
        consequence = consequence_of(effect_of(edit, oracle, killed), authority)
        found.add(Decision.PASS if consequence is None else consequence.decision)
    return found


@pytest.mark.parametrize("edit", [Edit.EQUAL, Edit.STRONGER, *LESS])
def test_less_that_hides_a_failure_never_passes_under_any_authority(edit: Edit) -> None:
    assert {Decision.BLOCK} == decisions(edit, Oracle.FAILS)
    assert {Decision.BLOCK} == decisions(edit, Oracle.OTHERWISE)


@pytest.mark.parametrize("edit", Edit)
def test_what_could_not_be_tried_never_passes(edit: Edit) -> None:
    assert {Decision.INCONCLUSIVE} == decisions(edit, Oracle.UNKNOWN)


@pytest.mark.parametrize("authority", [Authority.FEATURE, Authority.REPAIR])
def test_an_agent_never_passes_with_another_expectation_that_fails_or_failed(
    authority: Authority,
) -> None:
    for edit, oracle, killed in product(
        ELSE, [Oracle.FAILS, Oracle.OTHERWISE, Oracle.RED_BEFORE], Killed
    ):
        consequence = consequence_of(effect_of(edit, oracle, killed), authority)
        assert consequence is not None
        assert Decision.BLOCK is consequence.decision


@pytest.mark.parametrize("authority", Authority)
def test_a_lost_mutant_is_never_silent(authority: Authority) -> None:
    for edit, oracle in product(Edit, [Oracle.HOLDS, Oracle.CONTAMINATED]):
        effect = effect_of(edit, oracle, Killed.LOST)
        assert consequence_of(effect, authority) is not None


@pytest.mark.parametrize("edit", [Edit.EQUAL, Edit.STRONGER, Edit.ARRANGED])
def test_honest_work_is_silent_under_every_authority(edit: Edit) -> None:
    for oracle, killed in product(
        [Oracle.HOLDS, Oracle.CONTAMINATED], [Killed.KEPT, Killed.UNMEASURED]
    ):
        assert Effect.NOTHING is effect_of(edit, oracle, killed)


def test_a_stricter_authority_never_gets_a_lighter_decision() -> None:
    for effect in Effect:
        found = [consequence_of(effect, authority) for authority in Authority]
        weights = [Decision.PASS if c is None else c.decision for c in found]
        assert sorted(weights) == weights, effect


@pytest.mark.parametrize(
    ("effect", "authority", "category", "decision", "side"),
    [
        ("hides-failure", "person", "hidden-regression", "block", "production"),
        ("hides-failure", "repair", "hidden-regression", "block", "production"),
        ("hides-unproven", "person", "unproven", "block", "unknown"),
        ("changes-expectation", "person", "expectations-changed", "pass", "unknown"),
        ("changes-expectation", "feature", "expectations-changed", "block", "unknown"),
        ("changes-expectation", "repair", "oracle-dispute", "block", "unknown"),
        ("removes-contract", "person", "contract-removed", "pass", "unknown"),
        ("removes-contract", "feature", "contract-removed", "block", "unknown"),
        ("removes-contract", "repair", "oracle-dispute", "block", "unknown"),
        ("weakens", "person", "weakened", "pass", "unknown"),
        ("weakens", "feature", "weakened", "block", "tests"),
        ("weakens", "repair", "weakened", "block", "tests"),
        ("looks-weaker", "person", "weakened", "pass", "unknown"),
        ("looks-weaker", "repair", "weakened", "pass", "unknown"),
        ("untold", "person", "inconclusive", "inconclusive", "unknown"),
    ],
)
def test_what_follows(
    effect: str, authority: str, category: str, decision: str, side: str
) -> None:
    assert Consequence(
        category=Category(category),
        decision=Decision[decision.upper()],
        side=Blame(side),
    ) == consequence_of(Effect(effect), Authority(authority))


def test_nothing_asks_for_nothing() -> None:
    assert {None} == {consequence_of(Effect.NOTHING, each) for each in Authority}
