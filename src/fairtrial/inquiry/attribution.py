"""What would have to change for a test to pass, by the swaps of one context."""

from __future__ import annotations

from enum import IntEnum

from fairtrial.inquiry.cases import Case, Rates, Reading
from fairtrial.inquiry.contexts import FAILING, Says
from fairtrial.inquiry.summaries import Summary


class Attribution(IntEnum):
    """The answers, from light to heavy.

    Of two that block, the one that no person may accept is the heavier.
    """

    #: This context holds nothing against head.
    NOTHING = 0
    #: Only tests have to change.
    TESTS = 1
    #: A swap that is needed was not seen, or a rate is not decided.
    LACKING = 2
    #: All was seen, and it proves nothing.
    INCONCLUSIVE = 3
    #: Base can't be built or collected there.
    BASE_BROKEN = 4
    #: It can't be shown that only tests have to change.
    UNPROVEN = 5
    #: Head's production has no place for the base's test.
    CONTRACT_REMOVED = 6
    #: Only head's production and head's tests together fail.
    INTERACTION = 7
    #: Production has to change.
    PRODUCTION = 8


def attribute(case: Case, reading: Reading, said: Says) -> Attribution:
    """The attribution of one context, from what it says and what its swaps show."""
    match said:
        case Says.SILENT | Says.MATCHES:
            return Attribution.NOTHING
        case Says.UNKNOWN:
            return Attribution.LACKING
        case Says.BASE_BROKEN:
            return _if_edited_flake(case, reading, Attribution.BASE_BROKEN)
        case Says.UNPROVEN:
            return Attribution.UNPROVEN
        case Says.NOT_FLAKIER:
            return _if_edited_flake(case, reading, Attribution.NOTHING)
        case Says.UNDECIDED:
            return _if_edited_flake(case, reading, Attribution.LACKING)
        case Says.NEW:
            return _of_new(case, reading)
        case Says.CONVICTS:
            return _of_swaps(case, reading.head_tests, reading.base_tests)
        case Says.FLAKIER:
            swaps = _of_swaps(
                case, _flaky_head_tests(reading), _flaky_base_tests(reading)
            )
            return _if_edited_flake(case, reading, swaps)


def _if_edited_flake(
    case: Case, reading: Reading, otherwise: Attribution
) -> Attribution:
    """A test that the change adds or edits and that flakes is unproven at least."""
    if case.edited and reading.head is Summary.MIXED:
        return max(otherwise, Attribution.UNPROVEN)
    return otherwise


def _of_new(case: Case, reading: Reading) -> Attribution:
    if reading.head is Summary.MIXED:
        return Attribution.UNPROVEN
    match reading.head_tests:
        case Summary.PASSES:
            return Attribution.PRODUCTION
        case Summary.FAILS if not case.touches_production:
            match case.alone.head_tests:
                case Summary.PASSES:
                    return Attribution.TESTS
                case Summary.UNKNOWN:
                    return Attribution.LACKING
                case (
                    Summary.FAILS
                    | Summary.FAILS_OTHERWISE
                    | Summary.MIXED
                    | Summary.ABSENT
                    | Summary.UNBUILDABLE
                ):
                    return Attribution.UNPROVEN
        case (
            Summary.FAILS
            | Summary.FAILS_OTHERWISE
            | Summary.MIXED
            | Summary.ABSENT
            | Summary.UNBUILDABLE
        ):
            return Attribution.UNPROVEN
        case Summary.UNKNOWN:
            return Attribution.LACKING


def _of_swaps(case: Case, head_tests: Summary, base_tests: Summary) -> Attribution:
    """The table where base passes: T is `head_tests`, X is `base_tests`."""
    tests_suffice = not case.touches_production or case.demands_equal
    match base_tests:
        case Summary.FAILS | Summary.FAILS_OTHERWISE:
            return Attribution.PRODUCTION
        case Summary.ABSENT | Summary.UNBUILDABLE:
            return Attribution.CONTRACT_REMOVED
        case Summary.UNKNOWN:
            return Attribution.LACKING
        case Summary.PASSES | Summary.MIXED:
            match head_tests:
                case Summary.PASSES:
                    return Attribution.INTERACTION
                case Summary.UNKNOWN:
                    return Attribution.LACKING
                case (
                    Summary.FAILS
                    | Summary.FAILS_OTHERWISE
                    | Summary.UNBUILDABLE
                    | Summary.ABSENT
                ) if base_tests is Summary.PASSES and tests_suffice:
                    return Attribution.TESTS
                case (
                    Summary.FAILS
                    | Summary.FAILS_OTHERWISE
                    | Summary.UNBUILDABLE
                    | Summary.ABSENT
                    | Summary.MIXED
                ):
                    if tests_suffice:
                        return Attribution.INCONCLUSIVE
                    return Attribution.UNPROVEN


def _flaky_head_tests(reading: Reading) -> Summary:
    """T in a context where rates decide: F is "flakier than base"."""
    summary = reading.head_tests
    if summary in (Summary.ABSENT, Summary.UNBUILDABLE, Summary.UNKNOWN):
        return summary
    if summary in FAILING and reading.base is Summary.PASSES:
        return Summary.FAILS
    match reading.head_tests_rates:
        case Rates.FLAKIER:
            return Summary.FAILS
        case Rates.NOT_FLAKIER:
            return Summary.PASSES
        case Rates.UNDECIDED:
            return Summary.UNKNOWN


def _flaky_base_tests(reading: Reading) -> Summary:
    """X in a context where rates decide: P only if it never failed."""
    match reading.base_tests:
        case Summary.ABSENT | Summary.UNBUILDABLE | Summary.UNKNOWN:
            return reading.base_tests
        case Summary.PASSES:
            enough = reading.base_tests_never_failed
            return Summary.PASSES if enough else Summary.UNKNOWN
        case Summary.FAILS | Summary.FAILS_OTHERWISE if reading.base is Summary.PASSES:
            return Summary.FAILS
        case Summary.FAILS | Summary.FAILS_OTHERWISE | Summary.MIXED:
            flakier = reading.base_tests_rates is Rates.FLAKIER
            return Summary.FAILS if flakier else Summary.MIXED
