"""Does base's test by itself count where its file can't be built, and only there?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.inquiry.test_readings import (
    BOTH,
    FAILED,
    PASSED,
    TEST,
    evidence,
    seen,
    times,
)

from fairtrial.domain.contracts import Lack, Missing
from fairtrial.domain.experiments import ALONE, SUITE, Context, Observation, Unit
from fairtrial.domain.experiments import ContextKind as Kind
from fairtrial.domain.names import OverlayId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome
from fairtrial.domain.trees import (
    BASE,
    BASE_TESTS,
    HEAD,
    HEAD_TESTS,
    Revision,
    Tree,
)
from fairtrial.inquiry.readings import is_restorable, read
from fairtrial.inquiry.summaries import Summary

OVERLAY = OverlayId("unit")
BY_ITSELF = replace(BASE_TESTS, overlay=OVERLAY)
HALF = Missing(lack=Lack.ANYWHERE, name="half")
UNBUILDABLE, SKIPPED = Outcome.UNBUILDABLE, Outcome.SKIPPED
WIDER = Context(kind=Kind.ALONE, unit=Unit.FILE)


def missing(tree: Tree, name: str, kind: str = "NameError") -> Observation:
    """A failure for want of a name."""
    failed = seen(tree, FAILED, way=kind)
    result = failed.results[TEST]
    assert result.failure is not None
    failure = replace(result.failure, message=f"name '{name}' is not defined")
    return replace(failed, results={TEST: replace(result, failure=failure)})


def convicting(context: Context = ALONE) -> list[Observation]:
    return [
        *times(3, seen(HEAD, FAILED, context)),
        *times(3, seen(BASE, PASSED, context)),
    ]


def base_tests(
    *observations: Observation,
    context: Context = ALONE,
    restored: OverlayId | None = OVERLAY,
) -> Summary:
    found = evidence(*convicting(context), *observations)
    return read(
        found, TEST, context, restored=restored, removed=frozenset({HALF})
    ).base_tests


@pytest.mark.parametrize("whole", [UNBUILDABLE, SKIPPED])
@pytest.mark.parametrize(
    ("by_itself", "expected"),
    [
        (times(3, seen(BY_ITSELF, PASSED)), Summary.PASSES),
        (times(3, seen(BY_ITSELF, FAILED)), Summary.FAILS),
        (times(3, seen(BY_ITSELF, FAILED, way="KeyError")), Summary.FAILS_OTHERWISE),
        ([seen(BY_ITSELF, PASSED), seen(BY_ITSELF, FAILED)], Summary.MIXED),
        ([seen(BY_ITSELF, UNBUILDABLE)], Summary.UNBUILDABLE),
        ([seen(BY_ITSELF, SKIPPED)], Summary.ABSENT),
        (times(2, seen(BY_ITSELF, FAILED)), Summary.UNKNOWN),
        ([], Summary.UNKNOWN),
        (times(3, missing(BY_ITSELF, "half")), Summary.UNBUILDABLE),
        (times(3, missing(BY_ITSELF, "double")), Summary.FAILS_OTHERWISE),
        (
            [*times(2, missing(BY_ITSELF, "half")), seen(BY_ITSELF, FAILED)],
            Summary.FAILS_OTHERWISE,
        ),
        (
            [*times(2, missing(BY_ITSELF, "half")), seen(BY_ITSELF, FAILED, way=None)],
            Summary.FAILS_OTHERWISE,
        ),
    ],
)
def test_what_it_shows_by_itself_is_x_where_its_file_shows_nothing(
    whole: Outcome, by_itself: list[Observation], expected: Summary
) -> None:
    assert expected is base_tests(seen(BASE_TESTS, whole), *by_itself)


@pytest.mark.parametrize("whole", [UNBUILDABLE, SKIPPED])
def test_what_can_not_be_restored_stays_what_it_is(whole: Outcome) -> None:
    expected = Summary.UNBUILDABLE if whole is UNBUILDABLE else Summary.ABSENT

    assert expected is base_tests(seen(BASE_TESTS, whole), restored=None)


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        (times(3, seen(BASE_TESTS, PASSED)), Summary.PASSES),
        (times(3, seen(BASE_TESTS, FAILED)), Summary.FAILS),
        (times(1, seen(BASE_TESTS, PASSED)), Summary.UNKNOWN),
        ([], Summary.UNKNOWN),
        ([seen(BASE_TESTS, PASSED), seen(BASE_TESTS, UNBUILDABLE)], Summary.UNKNOWN),
        (times(3, missing(BASE_TESTS, "half")), Summary.UNBUILDABLE),
        (times(3, missing(BASE_TESTS, "double")), Summary.FAILS_OTHERWISE),
    ],
)
def test_a_file_that_shows_something_speaks_for_itself(
    whole: list[Observation], expected: Summary
) -> None:
    by_itself = times(3, seen(BY_ITSELF, FAILED, way="OSError"))

    assert expected is base_tests(*whole, *by_itself)


@pytest.mark.parametrize("context", [SUITE, WIDER])
def test_in_company_nothing_is_restored(context: Context) -> None:
    found = base_tests(
        seen(BASE_TESTS, UNBUILDABLE, context),
        *times(3, seen(BY_ITSELF, FAILED, context)),
        context=context,
    )

    assert Summary.UNBUILDABLE is found


@pytest.mark.parametrize(
    ("context", "head", "base", "expected"),
    [
        (ALONE, Summary.FAILS, Summary.PASSES, True),
        (ALONE, Summary.MIXED, Summary.PASSES, False),
        (ALONE, Summary.FAILS, Summary.MIXED, False),
        (ALONE, Summary.FAILS, Summary.FAILS, False),
        (SUITE, Summary.FAILS, Summary.PASSES, False),
    ],
)
def test_only_a_conviction_alone_restores(
    context: Context, head: Summary, base: Summary, *, expected: bool
) -> None:
    assert expected is is_restorable(context, head=head, base=base)


def test_a_head_that_can_not_be_collected_is_convicted_by_base_test_alone() -> None:
    found = evidence(
        seen(HEAD, UNBUILDABLE),
        *times(3, seen(BASE, PASSED)),
        seen(BASE_TESTS, UNBUILDABLE),
        *times(3, seen(BY_ITSELF, PASSED)),
    )

    reading = read(found, TEST, ALONE, restored=OVERLAY)

    assert (Summary.FAILS, Summary.PASSES) == (reading.head, reading.base_tests)


def test_where_only_production_changed_x_is_head_whatever_it_misses() -> None:
    found = evidence(
        *times(3, missing(HEAD, "half")),
        *times(3, seen(BASE, PASSED)),
        changed=frozenset({PathClass.PRODUCTION}),
    )

    reading = read(found, TEST, ALONE, restored=OVERLAY, removed=frozenset({HALF}))

    assert Summary.FAILS is reading.base_tests


def test_where_only_production_changed_two_attempts_are_too_few() -> None:
    found = evidence(
        *times(2, seen(HEAD, PASSED)), changed=frozenset({PathClass.PRODUCTION})
    )

    assert Summary.UNKNOWN is read(found, TEST, ALONE).base_tests


def test_under_heads_control_it_is_tried_under_heads_control() -> None:
    control = Revision.HEAD
    head, tests, swapped, by_itself = (
        replace(tree, control=control)
        for tree in (HEAD, HEAD_TESTS, BASE_TESTS, BY_ITSELF)
    )
    found = evidence(
        *times(3, seen(head, FAILED)),
        *times(3, seen(BASE, PASSED)),
        *times(3, seen(tests, FAILED)),
        seen(swapped, UNBUILDABLE),
        *times(3, seen(by_itself, PASSED)),
        changed=BOTH | {PathClass.CONTROL},
    )

    reading = read(found, TEST, ALONE, control=control, restored=OVERLAY)

    assert Summary.PASSES is reading.base_tests
