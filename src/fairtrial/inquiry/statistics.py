"""What counts of passed and failed runs can prove, and what they can exclude."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from fairtrial.domain.evidence import Cell
from fairtrial.domain.results import FAILURES, Outcome, Signature
from fairtrial.inquiry.cases import Rates

#: The one-sided level at which one tree is called flakier than another.
SIGNIFICANT: Final = Fraction(1, 20)

#: Runs a side that make a rate: fewer never acquit, more are not made.
RUNS_A_SIDE: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Runs that say something: failures, passes, and how it failed."""

    failed: int
    passed: int
    signatures: frozenset[Signature] = frozenset()

    @property
    def runs(self) -> int:
        """All runs that count."""
        return self.failed + self.passed

    @classmethod
    def of(cls, cell: Cell) -> Tally:
        """The tally of a cell; skipped, errored and missing attempts say nothing."""
        return cls(
            failed=cell.count(*FAILURES),
            passed=cell.count(Outcome.PASSED),
            signatures=cell.signatures,
        )


def fisher(worse: Tally, better: Tally) -> Fraction:
    """The chance of so many failures on the worse side if both sides were alike.

    Fisher's exact test, one-sided, in exact numbers: with all totals fixed, the sum of
    the hypergeometric chances of this table and of each more extreme one. 1 when a side
    has no run.
    """
    failures = worse.failed + better.failed
    ways = sum(
        comb(worse.runs, failed) * comb(better.runs, failures - failed)
        for failed in range(worse.failed, min(failures, worse.runs) + 1)
    )
    return Fraction(ways, comb(worse.runs + better.runs, failures))


def compare(head: Tally, base: Tally) -> Rates:
    """How head's failure rate compares with base's.

    To be asked at a count fixed in advance: asked after each run, it would find chance
    differences more often than one time in twenty.
    """
    if fisher(head, base) <= SIGNIFICANT:
        return Rates.FLAKIER
    enough = min(head.runs, base.runs) >= RUNS_A_SIDE
    no_more_often = head.failed * base.runs <= base.failed * head.runs
    if enough and no_more_often and head.signatures <= base.signatures:
        return Rates.NOT_FLAKIER
    return Rates.UNDECIDED


def never_failed(tree: Tally, head: Tally) -> bool:
    """Whether a tree never failed, in enough runs to exclude head's rate."""
    return tree.failed == 0 and fisher(head, tree) <= SIGNIFICANT
