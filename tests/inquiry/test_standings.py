"""Which answer leads when all contexts were heard?"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.verdicts.made import MATCHING, SILENT, case, flaky, reading

from fairtrial.domain.experiments import Unit
from fairtrial.inquiry.attribution import Attribution
from fairtrial.inquiry.cases import Case, Rates
from fairtrial.inquiry.contexts import Company, Kind, Says
from fairtrial.inquiry.standings import Standing, standing

PRODUCTION = reading("F", "P", swap="F")
TESTS = reading("F", "P", "F", "P")
CONVICTING = reading("F", "P")
NEW_TESTS = reading("F", "A", "F")
NEW = reading("F", "A")
FLAKIER = flaky("mixed", "P", Rates.FLAKIER, swaps=Rates.FLAKIER)
FLAKIER_WITHOUT_SWAPS = flaky("mixed", "P", Rates.FLAKIER)
NEW_ALONE = reading("P", "A", "P")


def test_an_acquittal_holds_nothing_and_names_the_narrowest_match() -> None:
    expected = Standing(
        attribution=Attribution.NOTHING,
        company=Company.ALONE,
        said=Says.MATCHES,
        kind=None,
        acquitted=True,
    )

    assert expected == standing(case(MATCHING, MATCHING))


def test_where_nothing_is_held_and_nothing_acquits_something_lacks() -> None:
    expected = Standing(
        attribution=Attribution.LACKING,
        company=Company.SUITE,
        said=Says.SILENT,
        kind=None,
    )

    assert expected == standing(case(SILENT, SILENT))


def test_of_equal_answers_the_deciding_context_leads() -> None:
    # Alone is narrower, but only the suite convicts.
    assert Company.SUITE is standing(case(FLAKIER, PRODUCTION)).company
    assert Company.ALONE is standing(case(PRODUCTION, PRODUCTION)).company


def test_of_other_equal_answers_the_narrowest_leads() -> None:
    unproven = reading("F", "F≠")

    assert Company.ALONE is standing(case(unproven, unproven)).company


def test_a_heavier_answer_elsewhere_leads() -> None:
    found = standing(case(TESTS, reading("F", "F≠")))

    assert (Attribution.UNPROVEN, Company.SUITE) == (found.attribution, found.company)


@pytest.mark.parametrize(
    "found",
    [
        case(TESTS, CONVICTING),
        case(TESTS, FLAKIER_WITHOUT_SWAPS),
        case(TESTS),
        case(NEW_ALONE, NEW, after=NEW_TESTS),
    ],
    ids=["convicting", "flakier", "untried", "new"],
)
def test_what_lacks_beside_a_deciding_context_keeps_nobody_from_a_repair(
    found: Case,
) -> None:
    assert Attribution.TESTS is standing(found).attribution


@pytest.mark.parametrize(
    "found",
    [
        case(CONVICTING, TESTS),
        case(reading("unknown", "P"), TESTS),
        case(FLAKIER_WITHOUT_SWAPS),
        case(NEW_ALONE, NEW_TESTS, after=NEW),
        case(TESTS, flaky("mixed", "P", Rates.UNDECIDED)),
        case(reading("F", "A", "F"), TESTS, after=reading("unknown", "P")),
    ],
    ids=["swaps", "narrower", "flakier", "new", "undecided", "narrower-after"],
)
def test_what_lacks_where_it_is_needed_keeps_it_from_one(found: Case) -> None:
    assert standing(found).attribution is not Attribution.TESTS


def test_an_unknown_wider_context_counts_where_nothing_convicts() -> None:
    only_flakier = flaky("mixed", "P", Rates.FLAKIER, swaps=Rates.NOT_FLAKIER)
    clean = replace(
        only_flakier,
        base_tests=SILENT.head,
        base_tests_never_failed=True,
        head_tests_rates=Rates.FLAKIER,
    )

    assert Attribution.TESTS is standing(case(clean, SILENT)).attribution
    assert Attribution.LACKING is standing(case(clean)).attribution


def test_a_wider_match_names_its_unit() -> None:
    found = standing(
        replace(case(SILENT, MATCHING), wider=MATCHING, unit=Unit.DIRECTORY)
    )

    assert (Company.WIDER, Unit.DIRECTORY) == (found.company, found.unit)


def test_a_race_in_production_is_inconclusive_at_best() -> None:
    race = replace(case(TESTS), never_acquitted=True)
    regression = replace(case(PRODUCTION), never_acquitted=True)

    assert Attribution.INCONCLUSIVE is standing(race).attribution
    assert Attribution.PRODUCTION is standing(regression).attribution
    assert Kind.ALONE is standing(regression).kind
