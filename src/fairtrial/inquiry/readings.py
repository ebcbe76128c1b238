"""What one context shows of one test: from everything seen to summaries."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from fairtrial.domain.contracts import Missing
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import ALONE, SUITE, Context
from fairtrial.domain.names import OverlayId, TestId
from fairtrial.domain.results import FAILURES, Outcome, Signature
from fairtrial.domain.trees import (
    BASE,
    BASE_TESTS,
    HEAD,
    HEAD_TESTS,
    Revision,
    Tree,
    canonical,
)
from fairtrial.inquiry.cases import Reading
from fairtrial.inquiry.contracts import misses_removed
from fairtrial.inquiry.statistics import Tally, compare, never_failed
from fairtrial.inquiry.summaries import Summary, summarise

#: What a base that has a test says of it.
_HAS_IT = frozenset(
    {Summary.PASSES, Summary.FAILS, Summary.FAILS_OTHERWISE, Summary.MIXED}
)

#: Where base's tests can't run on head's production, for want of something.
_NOT_THERE = frozenset({Summary.ABSENT, Summary.UNBUILDABLE})


def read(
    evidence: Evidence,
    test: TestId,
    context: Context,
    *,
    control: Revision = Revision.BASE,
    restored: OverlayId | None = None,
    removed: Container[Missing] = frozenset(),
) -> Reading:
    """The reading of one test in one context, as far as it was tried.

    `control` is where control was taken from in each tree with a part of head.
    `restored` lays base's test by itself over X, for where X as a whole can't be
    built; `removed` is what base's production offers and head's does not.
    """
    trees = (
        replace(HEAD, control=control),
        BASE,
        replace(HEAD_TESTS, control=control),
        replace(BASE_TESTS, control=control),
    )
    head, base, head_tests, base_tests = (
        evidence.cell(test, tree, context) for tree in trees
    )
    names = [canonical(tree, evidence.changed) for tree in trees]
    seen = head.signatures
    of_head = summarise(head, context.kind, seen)
    of_base = summarise(base, context.kind, seen)
    of_head_tests = summarise(head_tests, context.kind, seen)
    of_base_tests = summarise(base_tests, context.kind, seen)
    if of_head is Summary.UNBUILDABLE and of_base in _HAS_IT:
        # A file that can't be collected at head has failed, for every test that base
        # has in it; so it has in each tree that is the same as head.
        of_head = Summary.FAILS
        if names[2] == names[0]:
            of_head_tests = Summary.FAILS
        if names[3] == names[0]:
            of_base_tests = Summary.FAILS
    if names[3] != names[0]:
        swapped = _Swapped(evidence, test, context, removed, seen)
        of_base_tests = swapped.summary(trees[3])
        if (
            restored is not None
            and of_base_tests in _NOT_THERE
            and not base_tests.count(*FAILURES)
            and is_restorable(context, head=of_head, base=of_base)
        ):
            of_base_tests = swapped.summary(replace(trees[3], overlay=restored))
    return Reading(
        head=of_head,
        base=of_base,
        head_tests=of_head_tests,
        base_tests=of_base_tests,
        rates=compare(Tally.of(head), Tally.of(base)),
        head_tests_rates=compare(Tally.of(head_tests), Tally.of(base)),
        base_tests_rates=compare(Tally.of(base_tests), Tally.of(base)),
        base_tests_never_failed=never_failed(Tally.of(base_tests), Tally.of(head)),
    )


def is_restorable(context: Context, *, head: Summary, base: Summary) -> bool:
    """Whether base's test by itself may stand for base's tests in a context.

    Elsewhere the company is part of the experiment, and a rate takes equal conditions.
    """
    return context == ALONE and head is Summary.FAILS and base is Summary.PASSES


@dataclass(frozen=True, slots=True)
class _Swapped:
    """Base's version of a test on head's production."""

    evidence: Evidence
    test: TestId
    context: Context
    removed: Container[Missing]
    seen: frozenset[Signature]

    def summary(self, tree: Tree) -> Summary:
        """What it shows; want of what was removed is like want of the whole file."""
        cell = self.evidence.cell(self.test, tree, self.context)
        found = summarise(cell, self.context.kind, self.seen)
        if found not in (Summary.FAILS, Summary.FAILS_OTHERWISE):
            return found
        failures = [
            result.failure
            for _, result in self.evidence.attempts(self.test, tree, self.context)
            if result.outcome in FAILURES
        ]
        missing = all(
            failure is not None and misses_removed(failure, self.removed)
            for failure in failures
        )
        return Summary.UNBUILDABLE if missing else found


def opening_seen_at_base(evidence: Evidence, test: TestId) -> bool:
    """Whether base failed in its own suite as head did when it opened the inquiry.

    True where the opening shows no failure of this test: there is none to be seen.
    False where the failure has no signature: nothing can be compared.
    """
    opening = evidence.opening
    result = opening.results.get(test) if opening else None
    if result is None or result.outcome not in FAILURES | {Outcome.UNBUILDABLE}:
        return True
    if result.failure is None:
        return False
    return result.failure.signature in evidence.cell(test, BASE, SUITE).signatures
