"""What the suite trials show of the tests' surroundings: notices, never a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.report import Finding
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.shared_tables import shared_tables
from fairtrial.pipeline.surroundings import reached_outside


def environment_findings(openings: Sequence[Opening]) -> Iterator[Finding]:
    """What tests reach outside, and tables that they share side by side."""
    for opening in openings:
        yield from reached_outside(opening)
        yield from shared_tables(opening.head, opening.beside)
