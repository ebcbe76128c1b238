"""Cases made short: readings by the letters of their summaries."""

from __future__ import annotations

from fairtrial.inquiry.cases import Case, Rates, Reading
from fairtrial.inquiry.summaries import Summary


def reading(
    head: str, base: str, tests: str = "unknown", swap: str = "unknown"
) -> Reading:
    """Head, base, T and X, by their summaries."""
    return Reading(
        head=Summary(head),
        base=Summary(base),
        head_tests=Summary(tests),
        base_tests=Summary(swap),
    )


def flaky(head: str, base: str, rates: Rates, *, swaps: Rates | None = None) -> Reading:
    """Rates; with `swaps`, T never differs from base and X compares like that."""
    return Reading(
        head=Summary(head),
        base=Summary(base),
        rates=rates,
        head_tests=Summary.UNKNOWN if swaps is None else Summary.MIXED,
        base_tests=Summary.UNKNOWN if swaps is None else Summary.MIXED,
        head_tests_rates=Rates.NOT_FLAKIER,
        base_tests_rates=swaps or Rates.UNDECIDED,
    )


NOTHING = Reading()
SILENT = reading("P", "P")
MATCHING = reading("F", "F")


def case(
    alone: Reading = NOTHING,
    suite: Reading = NOTHING,
    *,
    after: Reading | None = None,
    touches: bool = False,
) -> Case:
    """A case whose opening failure was seen at base, with polluters that explain it."""
    return Case(
        alone=alone,
        suite=suite,
        after=after,
        necessary=True,
        opening_seen_at_base=True,
        touches_production=touches,
    )
