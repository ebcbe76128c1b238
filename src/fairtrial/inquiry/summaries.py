"""What all attempts at one test, on one tree and in one context, amount to."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import StrEnum

from fairtrial.domain.evidence import Cell
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.results import FAILURES, Outcome, Signature

#: Attempts that make "always": alone, and in a longer context.
ALWAYS_ALONE = 3
ALWAYS_IN_COMPANY = 2


class Summary(StrEnum):
    """What all attempts of one cell together say."""

    PASSES = "P"
    #: Always fails, with exactly the signatures seen at head in that context.
    FAILS = "F"
    #: Always fails, and not in all the same ways as head.
    FAILS_OTHERWISE = "F≠"
    MIXED = "mixed"
    #: Only skips, or the tree has no such test.
    ABSENT = "A"
    #: Its file can't be built or collected in that tree.
    UNBUILDABLE = "U"
    UNKNOWN = "unknown"


def summarise(
    cell: Cell, kind: ContextKind, head_signatures: AbstractSet[Signature]
) -> Summary:
    """The summary of a cell; `head_signatures` are head's in the same context.

    Errored and missing attempts do not count. Signatures have to be the same both
    ways: a head that fails as base does and in a new way besides was not seen at base.
    """
    needed = ALWAYS_ALONE if kind is ContextKind.ALONE else ALWAYS_IN_COMPANY
    passed = cell.count(Outcome.PASSED)
    failed = cell.count(*FAILURES)
    skipped = cell.count(Outcome.SKIPPED)
    unbuildable = cell.count(Outcome.UNBUILDABLE)
    if passed and failed:
        return Summary.MIXED
    if (passed or failed) and (skipped or unbuildable):
        return Summary.UNKNOWN
    if passed >= needed:
        return Summary.PASSES
    if failed >= needed:
        alike = cell.signatures == head_signatures
        return Summary.FAILS if alike else Summary.FAILS_OTHERWISE
    if unbuildable and not skipped:
        return Summary.UNBUILDABLE
    if skipped and not unbuildable:
        return Summary.ABSENT
    return Summary.UNKNOWN
