"""Do the rules, this table and the printed one say the same, for every summary?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest

from fairtrial.inquiry.attribution import Attribution, attribute
from fairtrial.inquiry.cases import Case, Rates, Reading
from fairtrial.inquiry.contexts import Company, Says, says
from fairtrial.inquiry.summaries import Summary

DOCS = Path(__file__).parents[2] / "docs" / "verdicts.md"

T = TypeVar("T")

ANY = "any"
SMALL = (Company.ALONE, Company.WIDER)


class Seen(NamedTuple):
    reading: Reading
    company: Company
    base_suite: Summary


class ContextRow(NamedTuple):
    head: str
    base: str
    where: str
    says: str


#: What may stand in the third column, and when it holds.
WHERE: dict[str, Callable[[Seen], bool]] = {
    "": lambda seen: True,
    "unit too small: base's suite P": lambda seen: (
        seen.company in SMALL and seen.base_suite is Summary.PASSES
    ),
    "otherwise": lambda seen: (
        seen.company not in SMALL or seen.base_suite is not Summary.PASSES
    ),
    "alone, wider": lambda seen: seen.company in SMALL,
    "after, suite": lambda seen: seen.company not in SMALL,
    "rates: flakier": lambda seen: seen.reading.rates is Rates.FLAKIER,
    "rates: not flakier": lambda seen: seen.reading.rates is Rates.NOT_FLAKIER,
    "rates: undecided": lambda seen: seen.reading.rates is Rates.UNDECIDED,
    "rates: not flakier, undecided": lambda seen: (
        seen.reading.rates is not Rates.FLAKIER
    ),
}

CONTEXT_ROWS = (
    ContextRow("F, F≠", "P", "", "convicts"),
    ContextRow("F", "F", "otherwise", "matches"),
    ContextRow("F", "F", "unit too small: base's suite P", "silent"),
    ContextRow("F≠", "F", "", "unproven"),
    ContextRow("F, F≠", "F≠", "", "unproven"),
    ContextRow("F, F≠", "A", "", "new"),
    ContextRow("F, F≠", "U", "", "base-broken"),
    ContextRow("F, F≠", "mixed", "rates: flakier", "flakier"),
    ContextRow("F, F≠", "mixed", "rates: not flakier, undecided", "undecided"),
    ContextRow("F, F≠", "unknown", "", "unknown"),
    ContextRow("mixed", "P", "rates: flakier", "flakier"),
    ContextRow("mixed", "P", "rates: not flakier, undecided", "undecided"),
    ContextRow("mixed", "F, F≠, mixed", "rates: flakier", "flakier"),
    ContextRow("mixed", "F, F≠, mixed", "rates: not flakier", "not"),
    ContextRow("mixed", "F, F≠, mixed", "rates: undecided", "undecided"),
    ContextRow("mixed", "A", "", "new"),
    ContextRow("mixed", "U", "", "base-broken"),
    ContextRow("mixed", "unknown", "", "undecided"),
    ContextRow("P", ANY, "", "silent"),
    ContextRow("A, U", ANY, "alone, wider", "silent"),
    ContextRow("A, U", ANY, "after, suite", "unknown"),
    ContextRow("unknown", ANY, "", "unknown"),
)


class SwapRow(NamedTuple):
    says: str
    tests: str
    production: str
    condition: str
    answer: str


class Swaps(NamedTuple):
    case: Case
    reading: Reading


def _alone(swaps: Swaps) -> Summary:
    return swaps.case.alone.head_tests


def _suffice(swaps: Swaps) -> bool:
    return not swaps.case.touches_production or swaps.case.demands_equal


def _flakes(swaps: Swaps) -> bool:
    return swaps.reading.head is Summary.MIXED


#: What may stand in the condition column, and when it holds.
CONDITIONS: dict[str, Callable[[Swaps], bool]] = {
    "": lambda swaps: True,
    "tests suffice": _suffice,
    "tests do not suffice": lambda swaps: not _suffice(swaps),
    "head always fails": lambda swaps: not _flakes(swaps),
    "head always fails, no production touched, T alone P": lambda swaps: (
        not _flakes(swaps)
        and not swaps.case.touches_production
        and _alone(swaps) is Summary.PASSES
    ),
    "head always fails, no production touched, T alone unknown": lambda swaps: (
        not _flakes(swaps)
        and not swaps.case.touches_production
        and _alone(swaps) is Summary.UNKNOWN
    ),
    "head always fails, production touched or T alone not P": lambda swaps: (
        not _flakes(swaps)
        and (
            swaps.case.touches_production
            or _alone(swaps) not in (Summary.PASSES, Summary.UNKNOWN)
        )
    ),
    "head flakes": _flakes,
    "the change adds or edits it, and head flakes": lambda swaps: (
        swaps.case.edited and _flakes(swaps)
    ),
    "else": lambda swaps: not (swaps.case.edited and _flakes(swaps)),
}

SWAP_ROWS = (
    SwapRow("convicts", ANY, "F, F≠", "", "production"),
    SwapRow("convicts", "P", "P", "", "interaction"),
    SwapRow("convicts", "F, F≠, U, A", "P", "tests suffice", "tests"),
    SwapRow("convicts", "F, F≠, U, A", "P", "tests do not suffice", "unproven"),
    SwapRow("convicts", "mixed", "P", "tests suffice", "inconclusive"),
    SwapRow("convicts", "mixed", "P", "tests do not suffice", "unproven"),
    SwapRow("convicts", ANY, "U, A", "", "contract-removed"),
    SwapRow("convicts", "P", "mixed", "", "interaction"),
    SwapRow("convicts", "F, F≠, U, A, mixed", "mixed", "tests suffice", "inconclusive"),
    SwapRow(
        "convicts", "F, F≠, U, A, mixed", "mixed", "tests do not suffice", "unproven"
    ),
    SwapRow("convicts", "unknown", "P, mixed", "", "lacking"),
    SwapRow("convicts", ANY, "unknown", "", "lacking"),
    SwapRow("new", "P", ANY, "head always fails", "production"),
    SwapRow(
        "new", "F", ANY, "head always fails, no production touched, T alone P", "tests"
    ),
    SwapRow(
        "new",
        "F",
        ANY,
        "head always fails, no production touched, T alone unknown",
        "lacking",
    ),
    SwapRow(
        "new",
        "F",
        ANY,
        "head always fails, production touched or T alone not P",
        "unproven",
    ),
    SwapRow("new", "F≠, A, U, mixed", ANY, "head always fails", "unproven"),
    SwapRow("new", "unknown", ANY, "head always fails", "lacking"),
    SwapRow("new", ANY, ANY, "head flakes", "unproven"),
    SwapRow("unproven", ANY, ANY, "", "unproven"),
    SwapRow(
        "base-broken, not, undecided",
        ANY,
        ANY,
        "the change adds or edits it, and head flakes",
        "unproven",
    ),
    SwapRow("base-broken", ANY, ANY, "else", "base-broken"),
    SwapRow("not", ANY, ANY, "else", "nothing"),
    SwapRow("undecided", ANY, ANY, "else", "lacking"),
    SwapRow("silent, matches", ANY, ANY, "", "nothing"),
    SwapRow("unknown", ANY, ANY, "", "lacking"),
)


class FlakyRow(NamedTuple):
    tree: str
    summary: str
    base: str
    rates: str
    read_as: str


#: How T and X are read where head is flakier than base; then the rows of "convicts".
FLAKY_ROWS = (
    FlakyRow("T, X", "A, U, unknown", ANY, ANY, "as it is"),
    FlakyRow("T, X", "F, F≠", "P", ANY, "F"),
    FlakyRow("T", "F, F≠", "F, F≠, mixed, A, U, unknown", "flakier", "F"),
    FlakyRow("T", "F, F≠", "F, F≠, mixed, A, U, unknown", "not", "P"),
    FlakyRow("T", "F, F≠", "F, F≠, mixed, A, U, unknown", "undecided", "unknown"),
    FlakyRow("T", "P, mixed", ANY, "flakier", "F"),
    FlakyRow("T", "P, mixed", ANY, "not", "P"),
    FlakyRow("T", "P, mixed", ANY, "undecided", "unknown"),
    FlakyRow("X", "P", ANY, "never failed, in enough runs", "P"),
    FlakyRow("X", "P", ANY, "too few runs", "unknown"),
    FlakyRow("X", "F, F≠", "F, F≠, mixed, A, U, unknown", "flakier", "F"),
    FlakyRow("X", "F, F≠", "F, F≠, mixed, A, U, unknown", "not, undecided", "mixed"),
    FlakyRow("X", "mixed", ANY, "flakier", "F"),
    FlakyRow("X", "mixed", ANY, "not, undecided", "mixed"),
)


def _matches(cell: str, value: str) -> bool:
    return cell == ANY or value in cell.split(", ")


def _the_one(rows: list[T]) -> T:
    assert 1 == len(rows), rows
    return rows[0]


def _readings() -> Iterator[Reading]:
    for head, base, rates in product(Summary, Summary, Rates):
        yield Reading(head=head, base=base, rates=rates)


def _cases(alone: Summary) -> Iterator[Case]:
    for touches, equal, edited in product((False, True), repeat=3):
        yield Case(
            alone=Reading(head_tests=alone),
            suite=Reading(),
            touches_production=touches,
            demands_equal=equal,
            edited=edited,
        )


def test_each_pair_of_summaries_says_what_its_row_says() -> None:
    for reading, company, base_suite in product(_readings(), Company, Summary):
        seen = Seen(reading, company, base_suite)
        row = _the_one(
            [
                row
                for row in CONTEXT_ROWS
                if _matches(row.head, reading.head)
                and _matches(row.base, reading.base)
                and WHERE[row.where](seen)
            ]
        )

        assert row.says == says(reading, company, base_suite), seen


def _word(attribution: Attribution) -> str:
    return attribution.name.lower().replace("_", "-")


def _expected(said: Says, swaps: Swaps, tests: Summary, production: Summary) -> str:
    return _the_one(
        [
            row.answer
            for row in SWAP_ROWS
            if _matches(row.says, said)
            and _matches(row.tests, tests)
            and _matches(row.production, production)
            and CONDITIONS[row.condition](swaps)
        ]
    )


@pytest.mark.parametrize("said", [said for said in Says if said is not Says.FLAKIER])
def test_each_swap_is_attributed_as_its_row_says(said: Says) -> None:
    for head, tests, production, alone in product(Summary, repeat=4):
        reading = Reading(head=head, head_tests=tests, base_tests=production)
        for case in _cases(alone):
            expected = _expected(said, Swaps(case, reading), tests, production)

            assert expected == _word(attribute(case, reading, said)), (case, reading)


def _read_as(tree: str, reading: Reading) -> Summary:
    if tree == "T":
        summary, rates = reading.head_tests, reading.head_tests_rates.value
    else:
        summary, rates = reading.base_tests, reading.base_tests_rates.value
    if (tree, summary) == ("X", Summary.PASSES):
        enough = reading.base_tests_never_failed
        rates = "never failed, in enough runs" if enough else "too few runs"
    read_as = _the_one(
        [
            row.read_as
            for row in FLAKY_ROWS
            if _matches(row.tree, tree)
            and _matches(row.summary, summary)
            and _matches(row.base, reading.base)
            and (row.rates == rates or _matches(row.rates, rates))
        ]
    )
    return summary if read_as == "as it is" else Summary(read_as)


def _flaky_readings() -> Iterator[Reading]:
    for head, base in product((Summary.FAILS, Summary.MIXED), Summary):
        for tests, production in product(Summary, repeat=2):
            for of_tests, of_production, never in product(Rates, Rates, (False, True)):
                yield Reading(
                    head=head,
                    base=base,
                    head_tests=tests,
                    base_tests=production,
                    head_tests_rates=of_tests,
                    base_tests_rates=of_production,
                    base_tests_never_failed=never,
                )


def test_where_head_is_flakier_swaps_are_read_through_their_rates() -> None:
    cases = list(_cases(Summary.UNKNOWN))
    for reading in _flaky_readings():
        tests, production = _read_as("T", reading), _read_as("X", reading)
        for case in cases:
            swaps = Swaps(case, reading)
            expected = _expected(Says.CONVICTS, swaps, tests, production)
            flakes_edited = case.edited and reading.head is Summary.MIXED
            light = ("tests", "lacking", "inconclusive")
            if flakes_edited and expected in light:
                expected = "unproven"

            assert expected == _word(attribute(case, reading, Says.FLAKIER)), swaps


def _printed(row: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell or "-" for cell in row) + " |"


@pytest.mark.parametrize(
    "rows",
    [CONTEXT_ROWS, SWAP_ROWS, FLAKY_ROWS],
    ids=["contexts", "swaps", "flaky"],
)
def test_the_documentation_prints_these_rows_in_this_order(
    rows: tuple[tuple[str, ...], ...],
) -> None:
    printed = "\n".join(_printed(row) for row in rows) + "\n\n"

    assert printed in DOCS.read_text(encoding="utf-8"), printed
