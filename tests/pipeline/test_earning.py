"""What is told of a touched test: nothing hides behind something else."""

from __future__ import annotations

import pytest

from fairtrial.domain.demands import Aspect, Change, Difference, Place
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.report import Finding
from fairtrial.domain.settings import Authority
from fairtrial.pipeline.earning import SHOWN, Earned, finding_of
from fairtrial.pipeline.oracle import Tried
from fairtrial.pipeline.touched import Touched
from fairtrial.policy.effects import Edit, Effect, Oracle, consequence_of

PATH = RepoPath("tests/test_cart.py")


def difference(was: str, now: str, change: Change = Change.RE_SPECIFIED) -> Difference:
    return Difference(
        rule="expected-changed",
        aspect=Aspect.ASSERTION,
        change=change,
        path=PATH,
        line=7,
        was=was,
        now=now,
    )


def told(*differences: Difference, effect: Effect, edit: Edit) -> Finding:
    test = TestId(f"{PATH}::test_total")
    earned = Earned(
        one=Touched(
            place=Place(path=PATH, names=("test_total",)),
            edit=edit,
            base=(test,),
            head=(test,),
            differences=differences,
        ),
        tried=Tried(oracle=Oracle.FAILS),
        effect=effect,
    )
    consequence = consequence_of(effect, Authority.PERSON)
    assert consequence is not None
    return finding_of(earned, consequence)


def test_every_heavy_difference_is_shown_beside_the_first() -> None:
    found = told(
        difference("a == 1", "a == 2"),
        difference("x", "x, seed", Change.EQUAL),
        difference("b == 3", "b == 4"),
        effect=Effect.CHANGES_EXPECTATION,
        edit=Edit.RE_SPECIFIED,
    )

    assert ("a == 1; b == 3", "a == 2; b == 4") == (found.was, found.now)
    assert (PATH, 7, "expected-changed") == (found.path, found.line, found.rule)


def test_how_many_more_there_are_is_said() -> None:
    many = [difference(f"old {n}", f"new {n}") for n in range(SHOWN + 3)]

    found = told(*many, effect=Effect.CHANGES_EXPECTATION, edit=Edit.RE_SPECIFIED)

    assert found.was is not None
    assert found.was.endswith("; and 3 more")


def test_a_test_without_a_difference_is_told_by_its_place() -> None:
    found = told(effect=Effect.HIDES_FAILURE, edit=Edit.GONE)

    assert ("test-gone", None, None) == (found.rule, found.was, found.now)
    assert f"{PATH}::test_total" == found.test
    assert found.introduced


@pytest.mark.parametrize("effect", [e for e in Effect if e is not Effect.NOTHING])
def test_every_effect_has_its_sentence(effect: Effect) -> None:
    assert told(effect=effect, edit=Edit.WEAKENED).because
