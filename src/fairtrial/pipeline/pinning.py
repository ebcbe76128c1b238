"""What exactly a victim trips over: looked for after its verdict, proven by trials.

Nothing here is evidence: a verdict stands before and after, and says more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.decisions import Category
from fairtrial.domain.experiments import SUITE, Context, ContextKind
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover, Verdict
from fairtrial.domain.results import Signature
from fairtrial.inquiry.bounds import allowed
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.judging import failure_of
from fairtrial.pipeline.pinning_case import Allowance, Pinner, Pinning
from fairtrial.pipeline.pinning_rows import rows_left
from fairtrial.pipeline.residues import process_left
from fairtrial.pipeline.residues_files import files_left
from fairtrial.pipeline.stand import Stand

__all__ = ["PINNERS", "Pinner", "Pinning", "pinned"]

#: In the order in which they are asked; the first that proves something ends it.
PINNERS: Final[tuple[Pinner, ...]] = (rows_left, process_left, files_left)

#: Trials for one verdict, and for all of them.
TRIALS: Final = 12
ALL_TRIALS: Final = 60


def pinned(
    verdicts: Sequence[Verdict], inquiry: Inquiry, stand: Stand, brief: Brief
) -> tuple[Verdict, ...]:
    """The same verdicts, with what was left behind where it can be told."""
    perform, clock = stand.laboratory.perform, brief.world.clock
    known: dict[tuple[TestId, ...], tuple[Leftover, ...]] = {}
    found, left_over = [], ALL_TRIALS
    end = clock() + allowed(inquiry) - inquiry.spent
    for verdict in verdicts:
        if not is_wanted(verdict):
            found.append(verdict)
            continue
        trials = min(TRIALS, left_over)
        pinning = Pinning(
            verdict=verdict,
            polluters=verdict.polluters,
            inquiry=inquiry,
            stand=stand,
            tree=inquiry.head,
            signatures=_signatures(verdict, inquiry),
            allowance=Allowance(perform, trials, lambda: clock() >= end),
            known=known.get(verdict.polluters, ()),
        )
        brief.world.progress.doing(f"suite {inquiry.suite}: pinning {verdict.test}")
        left = _left(pinning)
        left_over -= pinning.allowance.spent
        proven = tuple(one for one in left if one.proven)
        known[verdict.polluters] = (*pinning.known, *proven)
        found.append(_with(verdict, left, proven))
    return tuple(found)


def is_wanted(verdict: Verdict) -> bool:
    """Whether something was left behind that this test trips over."""
    return bool(verdict.polluters) or verdict.category is Category.VICTIM


def _left(pinning: Pinning) -> tuple[Leftover, ...]:
    for pinner in PINNERS:
        if any(one.proven for one in pinning.found):
            break
        pinning = replace(pinning, found=(*pinning.found, *pinner(pinning)))
    proven = tuple(one for one in pinning.found if one.proven)
    # What was proven explains it; then nobody needs what was not.
    return proven or pinning.found


def _with(
    verdict: Verdict, left: tuple[Leftover, ...], proven: tuple[Leftover, ...]
) -> Verdict:
    resources = dict.fromkeys(one.resource for one in proven)
    named = ", ".join(resources) or verdict.resource
    return replace(verdict, leftovers=left, resource=named)


def _signatures(verdict: Verdict, inquiry: Inquiry) -> frozenset[Signature]:
    """How the test failed at head, in company."""
    opening = failure_of(inquiry, verdict.test)
    found = set() if opening is None else {opening.signature}
    behind = Context(kind=ContextKind.AFTER, after=verdict.polluters)
    for context in (SUITE, behind):
        cell = inquiry.evidence.cell(verdict.test, inquiry.head, context)
        found |= cell.signatures
    return frozenset(found)
