"""All that the rules may read of one test: summaries and comparisons, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial.inquiry.summaries import Summary


class Rates(StrEnum):
    """How head's failure rate compares with another tree's (DESIGN 6.4)."""

    FLAKIER = "flakier"
    NOT_FLAKIER = "not"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one context shows of one test, tree by tree."""

    head: Summary = Summary.UNKNOWN
    base: Summary = Summary.UNKNOWN
    #: T: base's production with head's tests.
    head_tests: Summary = Summary.UNKNOWN
    #: X: head's production with base's tests.
    base_tests: Summary = Summary.UNKNOWN
    #: Head against base, where a side is mixed.
    rates: Rates = Rates.UNDECIDED
    #: X never failed, in as many runs as make a rate.
    base_tests_never_failed: bool = False
    #: T compared with base, read as "flakier than base" where rates decide.
    head_tests_rates: Rates = Rates.UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One failed test before the rules."""

    alone: Reading
    #: Whole suites and replays together.
    suite: Reading
    #: After its confirmed polluters or setters; None where there are none.
    after: Reading | None = None
    #: Confirmed, and the recorded order without them passes.
    necessary: bool = False
    #: The change touches production, migration or dependencies.
    touches_production: bool
    #: The base's and head's version of the test demand the same (6.6).
    demands_equal: bool = False
    #: The change adds or edits this test.
    edited: bool = False
    #: A data race, sanitizer report, deadlock or crash in a production frame.
    never_acquitted: bool = False
