# ruff: noqa: E501 - a table with a row a line
from __future__ import annotations

import pytest
from tests.integrity.sources import told
from tests.integrity.written import asserted, between, equal, made, rules
from tests.integrity.written import test_of as written_test

from fairtrial.domain.demands import (
    Aspect,
    AssertionKind,
    Change,
    Demand,
    Source,
)

K = AssertionKind
WEAKENED, STRONGER = Change.WEAKENED, Change.STRONGER
RE_SPECIFIED, EQUAL = Change.RE_SPECIFIED, Change.EQUAL
FIVE = equal("total(_)", "5", inputs="[2, 3]")

ROWS: list[tuple[str, Demand, Demand, str, Change]] = [
    ("value", FIVE, equal("total(_)", "6", inputs="[2, 3]"), "expected-changed", RE_SPECIFIED),
    ("input", FIVE, equal("total(_)", "5", inputs="[5]"), "input-changed", RE_SPECIFIED),
    ("subject", FIVE, equal("count(_)", "5", inputs="[2, 3]"), "subject-changed", RE_SPECIFIED),
    ("not none", FIVE, asserted(K.NOT_NONE, inputs="[2, 3]"), "assertion-weakened", WEAKENED),
    ("truth", FIVE, asserted(K.TRUE, inputs="[2, 3]"), "assertion-weakened", WEAKENED),
    ("type", FIVE, asserted(K.TYPE, inputs="[2, 3]", expected="int"), "assertion-weakened", WEAKENED),
    ("negated", FIVE, equal("total(_)", "5", inputs="[2, 3]", kind=K.NOT_EQUAL), "assertion-weakened", WEAKENED),
    ("close", FIVE, equal("total(_)", "5", inputs="[2, 3]", kind=K.CLOSE, tolerance="abs=1"), "assertion-weakened", WEAKENED),
    ("hollow", FIVE, asserted(K.VACUOUS, "True"), "assertion-vacuous", WEAKENED),
    ("constant", FIVE, equal("2 + 3", "5"), "assertion-vacuous", WEAKENED),
    ("custom", FIVE, asserted(K.CUSTOM, inputs="[2, 3]"), "assertion-weakened", WEAKENED),
    ("rounded", FIVE, equal("round(_)", "5", inputs="total([2, 3])"), "subject-normalised", WEAKENED),
    ("derived", FIVE, equal("total(_)", "total([2, 3])", inputs="[2, 3]", source=Source.SUBJECT), "expected-derived", WEAKENED),
    ("computed", FIVE, equal("total(_)", "2 + 3", inputs="[2, 3]", source=Source.COMPUTED), "expected-derived", WEAKENED),
    ("guarded", FIVE, equal("total(_)", "5", inputs="[2, 3]", guard="x"), "guard-added", WEAKENED),
    ("identity", FIVE, equal("total(_)", "5", inputs="[2, 3]", kind=K.IDENTICAL), "assertion-respelled", EQUAL),
    ("is true", asserted(K.TRUE), equal("total(_)", "True", kind=K.IDENTICAL), "assertion-respelled", EQUAL),
    ("choice of booleans", asserted(K.TRUE), asserted(K.CONTAINS, expected="one of (True, False)"), "assertion-weakened", WEAKENED),
    ("opposite", asserted(K.TRUE), asserted(K.FALSE), "assertion-negated", RE_SPECIFIED),
    ("falsy", asserted(K.TRUE), equal("total(_)", "0"), "assertion-negated", RE_SPECIFIED),
    ("none any more", asserted(K.NONE), asserted(K.NOT_NONE), "assertion-weakened", WEAKENED),
    ("tighter", asserted(K.NOT_NONE), equal("total(_)", "5"), "assertion-strengthened", STRONGER),
    ("error, any", asserted(K.RAISES, expected="ValueError"), asserted(K.RAISES_ANY), "assertion-weakened", WEAKENED),
    ("error, broad", asserted(K.RAISES, expected="ValueError"), asserted(K.RAISES, expected="Throwable"), "assertion-weakened", WEAKENED),
    ("error, more", asserted(K.RAISES, expected="ValueError"), asserted(K.RAISES, expected="(ValueError, KeyError)"), "assertion-weakened", WEAKENED),
    ("error, other", asserted(K.RAISES, expected="ValueError"), asserted(K.RAISES, expected="KeyError"), "expected-changed", RE_SPECIFIED),
    ("message gone", asserted(K.RAISES, expected='ValueError matching "x"'), asserted(K.RAISES, expected="ValueError"), "assertion-weakened", WEAKENED),
    ("message asked", asserted(K.RAISES, expected="ValueError"), asserted(K.RAISES, expected='ValueError matching "x"'), "assertion-strengthened", STRONGER),
    ("no error", asserted(K.RAISES, expected="ValueError"), asserted(K.NOT_RAISES), "assertion-weakened", WEAKENED),
    ("less text", asserted(K.CONTAINS, expected='"total: 5"'), asserted(K.CONTAINS, expected='"total"'), "assertion-weakened", WEAKENED),
    ("more text", asserted(K.CONTAINS, expected='"total"'), asserted(K.CONTAINS, expected='"total: 5"'), "assertion-strengthened", STRONGER),
    ("left out", asserted(K.CONTAINS, expected='"a"'), asserted(K.CONTAINS, expected='not "a"'), "assertion-weakened", WEAKENED),
    ("more to choose", asserted(K.CONTAINS, expected="one of (1, 2)"), asserted(K.CONTAINS, expected="one of (1, 2, 3)"), "assertion-weakened", WEAKENED),
    ("lower bound", asserted(K.ORDERED, expected="> 5"), asserted(K.ORDERED, expected="> 0"), "assertion-weakened", WEAKENED),
    ("bound included", asserted(K.ORDERED, expected="> 5"), asserted(K.ORDERED, expected=">= 5"), "assertion-weakened", WEAKENED),
    ("higher bound", asserted(K.ORDERED, expected="> 5"), asserted(K.ORDERED, expected="> 6"), "assertion-strengthened", STRONGER),
    ("half a range", asserted(K.ORDERED, expected="0 < _ < 9"), asserted(K.ORDERED, expected="> 0"), "assertion-weakened", WEAKENED),
    ("wider range", asserted(K.ORDERED, expected="0 < _ < 9"), asserted(K.ORDERED, expected="0 < _ < 99"), "assertion-weakened", WEAKENED),
    ("subtypes", asserted(K.TYPE, expected="int", tolerance="exact"), asserted(K.TYPE, expected="int"), "assertion-weakened", WEAKENED),
    ("arguments gone", asserted(K.CALLED, expected="1, 2"), asserted(K.CALLED), "assertion-weakened", WEAKENED),
    ("wider", asserted(K.CLOSE, expected="5", tolerance="abs=0.1"), asserted(K.CLOSE, expected="5", tolerance="abs=2"), "tolerance-widened", WEAKENED),
    ("narrower", asserted(K.CLOSE, expected="5", tolerance="abs=2"), asserted(K.CLOSE, expected="5", tolerance="abs=0.1"), "tolerance-narrowed", STRONGER),
    ("one of two wider", asserted(K.CLOSE, expected="5", tolerance="abs=1, rel=1e-6"), asserted(K.CLOSE, expected="5", tolerance="abs=2, rel=1e-9"), "tolerance-widened", WEAKENED),
    ("fewer places", asserted(K.CLOSE, expected="5", tolerance="places=7"), asserted(K.CLOSE, expected="5", tolerance="places=2"), "tolerance-widened", WEAKENED),
    ("another way", asserted(K.CLOSE, expected="5", tolerance="abs=1"), asserted(K.CLOSE, expected="5", tolerance="LIMIT"), "tolerance-widened", WEAKENED),
]  # fmt: skip


@pytest.mark.parametrize(
    ("was", "now", "rule", "change"),
    [row[1:] for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_an_assertion_that_became_another_one(
    was: Demand, now: Demand, rule: str, change: Change
) -> None:
    found = between(written_test("a", was), written_test("a", now))

    assert change is rules(found)[rule]
    assert change is found.change
    assert not found.identical


def test_an_assertion_that_a_handler_swallows_is_told_once() -> None:
    swallowed = asserted(K.EQUAL, inputs="[2, 3]", expected="5")
    now = Demand(
        aspect=Aspect.SWALLOWED,
        kind=K.EQUAL,
        subject=swallowed.subject,
        inputs=swallowed.inputs,
        expected=swallowed.expected,
    )

    found = between(written_test("a", swallowed), written_test("a", now))

    assert {"exception-swallowed": WEAKENED} == rules(found)


def test_an_assertion_that_counts_again_is_no_new_one() -> None:
    now = asserted(K.EQUAL, expected="5")
    was = Demand(
        aspect=Aspect.UNREACHABLE, kind=K.EQUAL, subject="total(_)", expected="5"
    )

    found = between(written_test("a", was), written_test("a", now))

    assert {"code-reachable": STRONGER} == rules(found)


def test_an_assertion_before_the_step_it_was_after_is_another_one() -> None:
    def step(line: int) -> Demand:
        return made(Aspect.ARRANGEMENT, "cart.add(_)", line=line)

    was = written_test("a", step(1), equal("cart.total(_)", "1", line=2))
    now = written_test("a", step(2), equal("cart.total(_)", "1", line=1))

    assert {"assertion-moved": RE_SPECIFIED} == rules(between(was, now))


def test_a_lost_assertion_is_told_with_its_line_and_text() -> None:
    found = between(
        written_test("a", FIVE, equal("count(_)", "1", line=7)),
        written_test("a", FIVE),
    )

    (difference,) = found.differences
    assert ("assertion-removed", 7, "assert count(_) == 1", "") == (
        difference.rule,
        difference.line,
        difference.was,
        difference.now,
    )


RESULT = """\
import time
from cart import total

def test_total():
    begun = time.time()
    found = total([1, 2])
    taken = time.time() - begun
    assert taken < 5
    assert "1" in found
    assert len(found) == 2
"""
RAISING = """\
import pytest
from cart import total

def test_total():
    with pytest.raises({error}):
        total({given})
"""


def heaviest(head: str) -> Change:
    (only,) = told({"tests/test_a.py": RESULT}, {"tests/test_a.py": head}).values()
    return only.change


def test_a_call_that_has_to_raise_where_it_gave_a_result_is_another_demand() -> None:
    head = RAISING.format(error="ValueError", given="[1, 2]")

    assert Change.RE_SPECIFIED is heaviest(head)


@pytest.mark.parametrize(
    ("error", "given"), [("Exception", "[1, 2]"), ("ValueError", "[3]")]
)
def test_any_error_or_another_call_is_no_substitute(error: str, given: str) -> None:
    assert Change.WEAKENED is heaviest(RAISING.format(error=error, given=given))


def test_what_is_lost_beside_a_call_that_stays_is_lost() -> None:
    head = RAISING.format(error="ValueError", given="[1, 2]")
    head += "    assert time.time() > 0\n"
    base = RESULT + "    assert time.time() > 0\n"

    (only,) = told({"tests/test_a.py": base}, {"tests/test_a.py": head}).values()

    assert Change.WEAKENED is only.change
