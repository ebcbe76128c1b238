"""All that the rules may read of one test: summaries and comparisons, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial.domain.experiments import Unit
from fairtrial.inquiry.summaries import Summary


class Rates(StrEnum):
    """How one tree's failure rate compares with base's."""

    FLAKIER = "flakier"
    NOT_FLAKIER = "not"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one context shows of one test, tree by tree; `readings.read` makes it."""

    head: Summary = Summary.UNKNOWN
    base: Summary = Summary.UNKNOWN
    #: T: base's production with head's tests.
    head_tests: Summary = Summary.UNKNOWN
    #: X: head's production with base's tests.
    base_tests: Summary = Summary.UNKNOWN
    #: Head against base, where a side is mixed.
    rates: Rates = Rates.UNDECIDED
    #: X never failed, in enough runs to exclude head's own rate.
    base_tests_never_failed: bool = False
    #: T compared with base, read as "flakier than base" where rates decide.
    head_tests_rates: Rates = Rates.UNDECIDED
    #: X compared with base, likewise.
    base_tests_rates: Rates = Rates.UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One failed test before the rules."""

    alone: Reading
    #: Whole suites and replays together.
    suite: Reading
    #: After its confirmed polluters or setters; None where there are none.
    after: Reading | None = None
    #: The first wider unit that passes at base, where alone was too small; else None.
    wider: Reading | None = None
    #: What `wider` ran.
    unit: Unit = Unit.TEST
    #: Confirmed, and the recorded order without them passes.
    necessary: bool = False
    #: Base failed in its own suite with the signature of the failure that opened the
    #: inquiry; `readings.opening_seen_at_base` tells. Nothing passes without it.
    opening_seen_at_base: bool = False
    #: The change touches production, migration or dependencies.
    touches_production: bool
    #: The base's and head's version of the test demand the same (6.6).
    demands_equal: bool = False
    #: The change adds or edits this test.
    edited: bool = False
    #: A data race, sanitizer report, deadlock or crash in a production frame.
    never_acquitted: bool = False
