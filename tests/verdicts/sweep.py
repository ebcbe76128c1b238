"""Every reading of a context, what the rest of a case can see of it, and its steps.

A context counts for the rest of a case by what it says, by what its swaps amount to and
by a few single facts: its trace. All readings of a context are swept to collect every
trace that occurs, with one reading that leaves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

from fairtrial.inquiry.attribution import attribute
from fairtrial.inquiry.cases import Case, Rates, Reading
from fairtrial.inquiry.contexts import FAILING, Company, says
from fairtrial.inquiry.summaries import Summary

P, F, F_OTHERWISE = Summary.PASSES, Summary.FAILS, Summary.FAILS_OTHERWISE
MIXED, A, U, UNKNOWN = (
    Summary.MIXED,
    Summary.ABSENT,
    Summary.UNBUILDABLE,
    Summary.UNKNOWN,
)
UNDECIDED, FLAKIER, NOT = Rates.UNDECIDED, Rates.FLAKIER, Rates.NOT_FLAKIER

#: Head's failures are seen at head by their nature.
OF_HEAD = tuple(summary for summary in Summary if summary is not F_OTHERWISE)

#: All that the rest of a case can see of one context.
Trace = tuple[object, ...]


class Slice(NamedTuple):
    """What all contexts of a case share."""

    touches: bool
    edited: bool
    #: T alone, which a new test's other contexts read.
    alone: Summary
    #: Demands that are equal; where no production is touched they change nothing.
    equal: bool = False

    def case(self, readings: Mapping[Company, Reading]) -> Case:
        return Case(
            alone=readings[Company.ALONE],
            suite=readings[Company.SUITE],
            after=readings.get(Company.AFTER),
            wider=readings.get(Company.WIDER),
            touches_production=self.touches,
            edited=self.edited,
            demands_equal=self.equal,
            necessary=True,
            opening_seen_at_base=True,
        )


SLICES = tuple(
    Slice(*values) for values in product((False, True), (False, True), (P, UNKNOWN, F))
)

EQUAL = tuple(
    Slice(touches=True, edited=edited, alone=alone, equal=True)
    for edited, alone in product((False, True), (P, UNKNOWN, F))
)


def rated(reading: Reading) -> Iterator[Reading]:
    """The reading with every value of the rates, where they count."""
    if MIXED not in (reading.head, reading.base):
        yield reading
        return
    for rates in (UNDECIDED, NOT):
        yield replace(reading, rates=rates)
    yield from flakier(reading)


def flakier(reading: Reading) -> Iterator[Reading]:
    """The reading as flakier than base, with every rate of its swaps that counts."""
    some = FAILING | {MIXED}
    for tests, production, never in product(
        Rates if reading.head_tests in some | {P} else (UNDECIDED,),
        Rates if reading.base_tests in some else (UNDECIDED,),
        (False, True) if reading.base_tests is P else (False,),
    ):
        yield replace(
            reading,
            rates=FLAKIER,
            head_tests_rates=tests,
            base_tests_rates=production,
            base_tests_never_failed=never,
        )


@cache
def readings(company: Company, alone: Summary) -> tuple[Reading, ...]:
    tests = (alone,) if company is Company.ALONE else tuple(Summary)
    return tuple(
        reading
        for head, base, of_tests, of_production in product(
            OF_HEAD, Summary, tests, Summary
        )
        for reading in rated(
            Reading(head=head, base=base, head_tests=of_tests, base_tests=of_production)
        )
    )


@cache
def _bare(chosen: Slice) -> Case:
    return chosen.case(
        {Company.ALONE: Reading(head_tests=chosen.alone), Company.SUITE: Reading()}
    )


@cache
def trace(chosen: Slice, company: Company, reading: Reading) -> Trace:
    case = _bare(chosen)
    small = company in (Company.ALONE, Company.WIDER)
    facts: list[object] = [reading.head is MIXED]
    for base_suite in (P, F) if small else (F,):
        said = says(reading, company, base_suite)
        facts += [said, attribute(case, reading, said)]
    match company:
        case Company.ALONE:
            facts += [reading.head is P, reading.head in FAILING]
            facts += [reading.base in FAILING]
        case Company.AFTER:
            facts += [reading.head is P and reading.base is P]
        case Company.WIDER:
            pass
        case Company.SUITE:
            facts += [reading.base is P, reading.base in FAILING | {MIXED}]
    return tuple(facts)


@cache
def traces(chosen: Slice, company: Company) -> Mapping[Trace, Reading]:
    """Every trace that occurs, with a reading that leaves it."""
    found: dict[Trace, Reading] = {}
    for reading in readings(company, chosen.alone):
        found.setdefault(trace(chosen, company, reading), reading)
    return found


def _worse(before: Rates) -> Iterable[Rates]:
    """What one more failure may make of a comparison with base."""
    match before:
        case Rates.FLAKIER:
            return (FLAKIER,)
        case Rates.UNDECIDED | Rates.NOT_FLAKIER:
            # The runs may be enough only now.
            return (NOT, UNDECIDED, FLAKIER)


def after_head(reading: Reading) -> Iterator[Reading]:
    """What one more failed attempt at head may make of a reading.

    A failure in a way that base had shown and head had not is left out: it makes F of
    F≠, and so a match, because then everything was seen at both sides.
    """
    match reading.head:
        case Summary.PASSES:
            yield from _first_failure(reading)
        case Summary.MIXED:
            for rates in _worse(reading.rates):
                for never in {True, reading.base_tests_never_failed}:
                    yield replace(reading, rates=rates, base_tests_never_failed=never)
        case Summary.FAILS | Summary.FAILS_OTHERWISE:
            yield reading
            if reading.base is F:
                yield replace(reading, base=F_OTHERWISE)
            if reading.head_tests is F:
                yield replace(reading, head_tests=F_OTHERWISE)
        case Summary.ABSENT | Summary.UNBUILDABLE:
            yield replace(reading, head=UNKNOWN)
        case Summary.UNKNOWN:
            return


def _first_failure(reading: Reading) -> Iterator[Reading]:
    alike = (F, F_OTHERWISE) if reading.base in FAILING else (reading.base,)
    for base in alike:
        yield from rated(replace(reading, head=MIXED, base=base))


def after_production(reading: Reading) -> Iterator[Reading]:
    """What one more failed attempt in X may make of a reading.

    A failure after nothing but skips is left out: it makes the cell unknown.
    """
    match reading.base_tests:
        case Summary.PASSES:
            for rates in Rates:
                yield replace(
                    reading,
                    base_tests=MIXED,
                    base_tests_rates=rates,
                    base_tests_never_failed=False,
                )
        case Summary.MIXED:
            for rates in _worse(reading.base_tests_rates):
                yield replace(reading, base_tests_rates=rates)
        case Summary.FAILS | Summary.FAILS_OTHERWISE:
            yield replace(reading, base_tests=F)
            yield replace(reading, base_tests=F_OTHERWISE)
        case Summary.ABSENT | Summary.UNBUILDABLE | Summary.UNKNOWN:
            return


@cache
def steps(chosen: Slice, company: Company) -> frozenset[tuple[Trace, Trace]]:
    """Every pair of traces that one more failed attempt leads from and to.

    Alone, T is the slice's own; a step that changes it leads to another slice.
    """
    return frozenset(
        (before, after)
        for reading in readings(company, chosen.alone)
        for worse in (*after_head(reading), *after_production(reading))
        if company is not Company.ALONE or worse.head_tests is chosen.alone
        if (before := trace(chosen, company, reading))
        != (after := trace(chosen, company, worse))
    )
