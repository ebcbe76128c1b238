"""Which context decides, and what do reports call it?"""

from __future__ import annotations

import pytest

from fairtrial.domain.experiments import ContextKind, Unit
from fairtrial.inquiry.cases import Case, Reading
from fairtrial.inquiry.contexts import (
    Company,
    Says,
    deciding,
    hear,
    newest,
    too_small,
    tried,
    unit_of,
)
from fairtrial.inquiry.summaries import Summary

P, F, F_OTHERWISE = Summary.PASSES, Summary.FAILS, Summary.FAILS_OTHERWISE
ALONE, AFTER, WIDER, SUITE = Company


def test_the_narrowest_context_that_convicts_decides() -> None:
    heard = {ALONE: Says.SILENT, AFTER: Says.CONVICTS, SUITE: Says.CONVICTS}

    assert AFTER is deciding(heard)


def test_a_conviction_goes_before_a_narrower_flake() -> None:
    assert SUITE is deciding({ALONE: Says.FLAKIER, SUITE: Says.CONVICTS})
    assert ALONE is deciding({ALONE: Says.FLAKIER, SUITE: Says.FLAKIER})


def test_nothing_decides_where_nothing_is_worse_than_base() -> None:
    rest = [each for each in Says if each not in (Says.CONVICTS, Says.FLAKIER)]

    for said in rest:
        assert deciding({ALONE: said, SUITE: said}) is None


def test_the_narrowest_new_context_is_found() -> None:
    assert AFTER is newest({ALONE: Says.SILENT, AFTER: Says.NEW, SUITE: Says.NEW})
    assert newest({ALONE: Says.CONVICTS}) is None


def test_contexts_are_heard_from_narrow_to_wide_as_far_as_tried() -> None:
    every = Case(
        alone=Reading(head=P, base=P),
        after=Reading(head=F, base=P),
        wider=Reading(),
        suite=Reading(head=F, base=F),
        touches_production=False,
    )
    bare = Case(alone=Reading(), suite=Reading(), touches_production=False)

    assert [ALONE, AFTER, WIDER, SUITE] == list(tried(every))
    assert {
        ALONE: Says.SILENT,
        AFTER: Says.CONVICTS,
        WIDER: Says.UNKNOWN,
        SUITE: Says.MATCHES,
    } == hear(every)
    assert [ALONE, SUITE] == list(tried(bare))


def test_what_is_small_is_silent_where_the_suite_passes_at_base() -> None:
    case = Case(
        alone=Reading(head=F, base=F),
        after=Reading(head=F, base=F),
        wider=Reading(head=Summary.ABSENT),
        suite=Reading(head=Summary.ABSENT, base=P),
        touches_production=False,
    )

    assert {
        ALONE: Says.SILENT,
        AFTER: Says.MATCHES,
        WIDER: Says.SILENT,
        SUITE: Says.UNKNOWN,
    } == hear(case)


@pytest.mark.parametrize(
    ("expected", "head", "base", "suite"),
    [
        (True, F, F, P),
        (True, F, F_OTHERWISE, P),
        (False, P, F, P),
        (False, F, P, P),
        (False, F, F, F),
    ],
)
def test_alone_is_too_small_where_both_fail_and_the_suite_passes_at_base(
    expected: bool,
    head: Summary,
    base: Summary,
    suite: Summary,
) -> None:
    case = Case(
        alone=Reading(head=head, base=base),
        suite=Reading(base=suite),
        touches_production=False,
    )

    assert expected is too_small(case)


def test_a_wider_unit_is_called_the_suite_and_names_its_unit() -> None:
    case = Case(
        alone=Reading(), suite=Reading(), unit=Unit.CLASS, touches_production=False
    )

    assert [
        ContextKind.ALONE,
        ContextKind.AFTER,
        ContextKind.SUITE,
        ContextKind.SUITE,
    ] == [company.kind for company in Company]
    assert [Unit.TEST, Unit.TEST, Unit.CLASS, Unit.TEST] == [
        unit_of(case, company) for company in Company
    ]
