"""Do the five laws of judgement hold for every combination of summaries?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verdicts.sweep import (
    EQUAL,
    F_OTHERWISE,
    MIXED,
    SLICES,
    A,
    F,
    P,
    Slice,
    Trace,
    readings,
    steps,
    trace,
    traces,
)

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.judgements import Judgement
from fairtrial.inquiry.cases import Case, Reading
from fairtrial.inquiry.contexts import Company, tried
from fairtrial.inquiry.standings import Standing, standing
from fairtrial.verdicts import RULES, judge

#: What leaves the most traces, and what leaves the heaviest.
TYPICAL = (
    Slice(touches=False, edited=False, alone=P),
    Slice(touches=True, edited=True, alone=F),
)

#: What the default tier sweeps with a third context; the slow one sweeps the rest.
QUICK = ((TYPICAL[0], Company.AFTER), (TYPICAL[1], Company.WIDER))

#: Rules read the standing and one flag, so that one case speaks for all like it.
JUDGED: dict[tuple[Standing, bool], Judgement] = {}


def judgement(case: Case) -> Judgement:
    key = (standing(case), case.never_acquitted)
    if key not in JUDGED:
        answers = [rule.judge(case) for rule in RULES.values()]
        given_answers = [answer for answer in answers if answer is not None]
        assert 1 == len(given_answers), case
        JUDGED[key] = given_answers[0]
    return JUDGED[key]


def no_conviction_passes(case: Case, decision: Decision) -> bool:
    """No context in which head always fails and base always passes leaves with pass."""
    convicts = any(
        reading.head is F and reading.base is P for reading in tried(case).values()
    )
    return not convicts or decision is not Decision.PASS


def a_repair_is_clean(case: Case, decision: Decision) -> bool:
    """A repair takes base's version passing on head's production, and no touch."""
    if decision is not Decision.REPAIR:
        return True
    reading = tried(case)[standing(case).company]
    always_failing = reading.head is F and reading.base is P
    clean = reading.base_tests is P and (
        always_failing or reading.base_tests_never_failed
    )
    new = reading.base is A and case.alone.head_tests is P
    return (clean or new) and (not case.touches_production or case.demands_equal)


def a_pass_was_seen_at_base(case: Case, decision: Decision) -> bool:
    """A pass takes base seen failing in its own suite, with head's signatures."""
    seen = case.suite.base in {F, MIXED} or (
        # Head passes there, so that it has no signature but the opening one.
        case.suite.base is F_OTHERWISE and case.suite.head in {P, MIXED}
    )
    return decision is not Decision.PASS or (seen and case.opening_seen_at_base)


def check(case: Case) -> Decision:
    decision = judgement(case).decision
    assert no_conviction_passes(case, decision), case
    assert a_repair_is_clean(case, decision), case
    assert a_pass_was_seen_at_base(case, decision), case
    return decision


def lighter(before: Decision, after: Decision) -> bool:
    """Whether a step breaks the fourth law."""
    if before is Decision.BLOCK:
        return after is not Decision.BLOCK
    return before is Decision.REPAIR and after is Decision.PASS


def combinations(
    chosen: Slice, companies: tuple[Company, ...]
) -> Iterator[tuple[tuple[Trace, ...], Case]]:
    """Every combination of traces in these contexts, with a case that leaves it."""
    known = [traces(chosen, company).items() for company in companies]
    for items in product(*known):
        found = dict(zip(companies, (reading for _, reading in items), strict=True))
        yield tuple(left for left, _ in items), chosen.case(found)


def sweep(chosen: Slice, companies: tuple[Company, ...]) -> int:
    """Judges every combination in these contexts, and every step between them."""
    decisions = {
        combination: check(case)
        for combination, case in combinations(chosen, companies)
    }
    for place, company in enumerate(companies):
        rests = {(each[:place], each[place + 1 :]) for each in decisions}
        for (before, after), (left, right) in product(steps(chosen, company), rests):
            was = decisions[(*left, before, *right)]

            assert not lighter(was, decisions[(*left, after, *right)])
    return len(decisions)


@pytest.mark.parametrize("chosen", [*SLICES, *EQUAL])
def test_the_laws_hold_for_all_that_alone_and_suite_can_show(chosen: Slice) -> None:
    assert 1_000 < sweep(chosen, (Company.ALONE, Company.SUITE))


@pytest.mark.parametrize(
    ("chosen", "third"),
    [
        pytest.param(each, third, marks=() if quick else pytest.mark.slow)
        for each, third in product(SLICES, (Company.AFTER, Company.WIDER))
        for quick in [(each, third) in QUICK]
    ],
)
def test_the_laws_hold_with_a_third_context(chosen: Slice, third: Company) -> None:
    assert 25_000 < sweep(chosen, (Company.ALONE, third, Company.SUITE))


@pytest.mark.slow
@pytest.mark.parametrize("chosen", TYPICAL)
def test_the_first_three_laws_hold_for_all_four_contexts(chosen: Slice) -> None:
    number = sum(
        1 for _, case in combinations(chosen, tuple(Company)) if check(case) in Decision
    )

    assert 100_000 < number


#: Every slice, most of them in the slow tier.
SWEPT = [
    pytest.param(each, marks=() if each in TYPICAL else pytest.mark.slow)
    for each in SLICES
]


def flagged(chosen: Slice) -> Iterator[tuple[Decision, Case]]:
    """Cases with and without a polluter that fails at both sides, judged."""
    matching = Reading(head=F, base=F)
    for _, case in combinations(chosen, (Company.ALONE, Company.SUITE)):
        for after in (None, matching):
            tried_after = replace(case, after=after)
            yield judgement(tried_after).decision, tried_after


@pytest.mark.parametrize("chosen", SWEPT)
def test_a_pass_takes_the_opening_failure_seen_at_base(chosen: Slice) -> None:
    for before, case in flagged(chosen):
        unseen = judgement(replace(case, opening_seen_at_base=False)).decision

        assert unseen is (Decision.INCONCLUSIVE if before is Decision.PASS else before)


@pytest.mark.parametrize("chosen", SWEPT)
def test_polluters_that_do_not_explain_it_all_acquit_nobody(chosen: Slice) -> None:
    for before, case in flagged(chosen):
        masked = judgement(replace(case, necessary=False)).decision
        hidden = before is Decision.PASS and case.after is not None

        assert masked is (Decision.INCONCLUSIVE if hidden else before)


@pytest.mark.parametrize("chosen", SWEPT)
def test_what_is_never_acquitted_is_inconclusive_at_best(chosen: Slice) -> None:
    for before, case in flagged(chosen):
        race = replace(case, never_acquitted=True)

        assert max(before, Decision.INCONCLUSIVE) is judgement(race).decision


@pytest.mark.parametrize("chosen", SWEPT)
def test_equal_demands_only_ever_open_the_way_to_a_repair(chosen: Slice) -> None:
    for before, case in flagged(chosen):
        equal = replace(case, demands_equal=True)
        after = check(equal)
        opened = judgement(case).category is Category.UNPROVEN and after is not before

        assert after is before or opened
        assert after is not Decision.PASS or before is Decision.PASS


def test_one_more_failure_of_a_new_test_at_base_production_never_helps() -> None:
    # The change touches no production, so that T is head, and both fail once more.
    chosen = Slice(touches=False, edited=False, alone=P)
    flaky = [
        replace(reading, head=MIXED, head_tests=MIXED)
        for reading in readings(Company.ALONE, P)
        if reading.head is P and reading.base is A
    ]
    for _, case in combinations(chosen, (Company.ALONE, Company.AFTER, Company.SUITE)):
        if case.alone.head is P and case.alone.base is A:
            before = judgement(case).decision
            for alone in flaky:
                after = judgement(replace(case, alone=alone)).decision

                assert not lighter(before, after)


def _index(chosen: Slice, company: Company) -> dict[Trace, list[Reading]]:
    found: dict[Trace, list[Reading]] = {}
    for reading in readings(company, chosen.alone):
        found.setdefault(trace(chosen, company, reading), []).append(reading)
    return found


INDEX = {
    (chosen, company): list(_index(chosen, company).values())
    for chosen in TYPICAL
    for company in Company
}


@settings(deadline=None)
@given(data=st.data(), chosen=st.sampled_from(TYPICAL))
def test_readings_with_the_same_trace_are_judged_alike(
    data: st.DataObject, chosen: Slice
) -> None:
    first, second = {}, {}
    for company in Company:
        alike = st.sampled_from(INDEX[chosen, company])
        group = st.sampled_from(data.draw(alike))
        first[company], second[company] = data.draw(group), data.draw(group)

    assert judge(chosen.case(first)) == judge(chosen.case(second))
