"""What each context says of a test, and which of them decides."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum

from fairtrial.domain.experiments import ContextKind, Unit
from fairtrial.inquiry.cases import Case, Rates, Reading
from fairtrial.inquiry.summaries import Summary


class Company(IntEnum):
    """What ran beside the test, from narrow to wide: the contexts of a case."""

    ALONE = 0
    AFTER = 1
    WIDER = 2
    SUITE = 3

    @property
    def kind(self) -> ContextKind:
        """The context that reports name; a wider unit only gives the trial its shape.

        Alone was too small for such a test, so what it needs is in the suite.
        """
        match self:
            case Company.ALONE:
                return ContextKind.ALONE
            case Company.AFTER:
                return ContextKind.AFTER
            case Company.WIDER | Company.SUITE:
                return ContextKind.SUITE


class Says(StrEnum):
    """What one context says, head against base."""

    #: Head always fails where base always passes.
    CONVICTS = "convicts"
    #: Both always fail, alike.
    MATCHES = "matches"
    #: Both always fail, and not alike.
    UNPROVEN = "unproven"
    #: Head fails where base has no such test.
    NEW = "new"
    #: Head fails where base can't be built or collected.
    BASE_BROKEN = "base-broken"
    #: Head fails significantly more often than base.
    FLAKIER = "flakier"
    #: Enough runs a side, the same failures, and head failed no more often.
    NOT_FLAKIER = "not"
    #: A side is mixed, and the runs prove nothing.
    UNDECIDED = "undecided"
    #: Nothing that counts against head was seen here, and nothing that acquits it.
    SILENT = "silent"
    #: Something that is needed was not seen.
    UNKNOWN = "unknown"


class Kind(StrEnum):
    """Which sort of failure it is, by the context that shows it."""

    ALONE = "alone"
    VICTIM = "victim"
    BRITTLE = "brittle"
    NON_DETERMINISTIC = "non-deterministic"


#: Always fails; which signatures it fails with is the comparison's business.
FAILING = frozenset({Summary.FAILS, Summary.FAILS_OTHERWISE})


def says(reading: Reading, company: Company, base_suite: Summary) -> Says:
    """What one context says; `base_suite` is base's summary in its own suite."""
    match reading.head:
        case Summary.PASSES:
            return Says.SILENT
        case Summary.FAILS | Summary.FAILS_OTHERWISE:
            return _of_always_failing(reading, company, base_suite)
        case Summary.MIXED:
            return _of_mixed(reading)
        case Summary.ABSENT | Summary.UNBUILDABLE:
            small = company in (Company.ALONE, Company.WIDER)
            return Says.SILENT if small else Says.UNKNOWN
        case Summary.UNKNOWN:
            return Says.UNKNOWN


def _of_always_failing(reading: Reading, company: Company, base_suite: Summary) -> Says:
    match reading.base:
        case Summary.PASSES:
            return Says.CONVICTS
        case Summary.FAILS if reading.head is Summary.FAILS:
            # Base's suite passes: the unit was too small for both sides.
            small = company in (Company.ALONE, Company.WIDER)
            too_small = small and base_suite is Summary.PASSES
            return Says.SILENT if too_small else Says.MATCHES
        case Summary.FAILS | Summary.FAILS_OTHERWISE:
            return Says.UNPROVEN
        case Summary.ABSENT:
            return Says.NEW
        case Summary.UNBUILDABLE:
            return Says.BASE_BROKEN
        case Summary.MIXED:
            # A head that always fails never fails "no more often" than a mixed base.
            flakier = reading.rates is Rates.FLAKIER
            return Says.FLAKIER if flakier else Says.UNDECIDED
        case Summary.UNKNOWN:
            return Says.UNKNOWN


def _of_mixed(reading: Reading) -> Says:
    match reading.base:
        case Summary.ABSENT:
            return Says.NEW
        case Summary.UNBUILDABLE:
            return Says.BASE_BROKEN
        case Summary.UNKNOWN:
            return Says.UNDECIDED
        case Summary.PASSES:
            # Nothing was seen failing at base, so nothing here can acquit.
            flakier = reading.rates is Rates.FLAKIER
            return Says.FLAKIER if flakier else Says.UNDECIDED
        case Summary.FAILS | Summary.FAILS_OTHERWISE | Summary.MIXED:
            match reading.rates:
                case Rates.FLAKIER:
                    return Says.FLAKIER
                case Rates.NOT_FLAKIER:
                    return Says.NOT_FLAKIER
                case Rates.UNDECIDED:
                    return Says.UNDECIDED


def tried(case: Case) -> Mapping[Company, Reading]:
    """The contexts of a case, from narrow to wide."""
    readings = {
        Company.ALONE: case.alone,
        Company.AFTER: case.after,
        Company.WIDER: case.wider,
        Company.SUITE: case.suite,
    }
    return {company: each for company, each in readings.items() if each is not None}


def hear(case: Case) -> Mapping[Company, Says]:
    """What each context of a case says, from narrow to wide."""
    return {
        company: says(reading, company, case.suite.base)
        for company, reading in tried(case).items()
    }


def deciding(heard: Mapping[Company, Says]) -> Company | None:
    """Where the swaps are run: the narrowest that convicts, else that is flakier."""
    for wanted in (Says.CONVICTS, Says.FLAKIER):
        for company, said in heard.items():
            if said is wanted:
                return company
    return None


def newest(heard: Mapping[Company, Says]) -> Company | None:
    """Where the swap of a test that base lacks is run: the narrowest such context."""
    return next((company for company, said in heard.items() if said is Says.NEW), None)


def too_small(case: Case) -> bool:
    """Whether head and base both fail alone while base's suite passes."""
    return (
        case.alone.head in FAILING
        and case.alone.base in FAILING
        and case.suite.base is Summary.PASSES
    )


def unit_of(case: Case, company: Company) -> Unit:
    """What the trials of a context ran as one unit."""
    return case.unit if company is Company.WIDER else Unit.TEST
