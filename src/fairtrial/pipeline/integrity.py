"""What the change did to the tests themselves, as far as a listing shows it.

A test that vanished or is newly skipped proves nothing any more, so a run that has
one is inconclusive: nothing here can tell an honest removal from a hidden red.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Finding
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import BASE
from fairtrial.pipeline.opening import Opening, suite_trial

#: Findings that are told one by one; the rest is counted.
SHOWN = 50


def integrity_findings(openings: Sequence[Opening]) -> Iterator[Finding]:
    """What is missing at head that base had, and what the suite trials noticed."""
    for opening in openings:
        yield from opening.findings
        if opening.sound:
            yield from _told(opening, "test-vanished", vanished(opening), _VANISHED)
            yield from _told(opening, "test-skipped", newly_skipped(opening), _SKIPPED)
            yield from _told(opening, "no-result", without_result(opening), _LOST)
            yield from _thresholds(opening)
        else:
            yield Finding(
                rule="no-receipt",
                decision=Decision.INCONCLUSIVE,
                because=f"suite {opening.stand.suite.name}: {opening.head.distrust}",
            )


def _thresholds(opening: Opening) -> Iterator[Finding]:
    """A threshold that head misses: more tests cure it, if base does not miss it."""
    if not opening.head.notices:
        return
    stand = opening.stand
    (base,) = stand.laboratory.perform([suite_trial(stand, BASE, Purpose.SUITE)])
    old = base.trust is Trust.SOUND and bool(base.notices)
    for notice in opening.head.notices:
        yield Finding(
            rule="threshold-missed",
            decision=Decision.PASS if old else Decision.REPAIR,
            side=Blame.TESTS,
            introduced=not old,
            because=f"suite {stand.suite.name}: {notice}"
            + ("; base misses it, too" if old else ""),
        )


_VANISHED = (
    "base has this test and head's suite does not list it; whether it was moved, "
    "merged or removed to get green can't be told yet"
)
_LOST = "head's suite lists it and has no result of it, so it can't count as passed"
_SKIPPED = (
    "it ran at base and is skipped at head; whether it still holds can't be told yet"
)


def _told(
    opening: Opening, rule: str, tests: tuple[TestId, ...], because: str
) -> Iterator[Finding]:
    for test in tests[:SHOWN]:
        yield Finding(
            rule=rule,
            path=opening.stand.laboratory.runner.file_of(test),
            test=test,
            decision=Decision.INCONCLUSIVE,
            introduced=True,
            side=Blame.UNKNOWN,
            because=because,
        )
    if len(tests) > SHOWN:
        yield Finding(
            rule=rule,
            decision=Decision.INCONCLUSIVE,
            introduced=True,
            because=f"{len(tests) - SHOWN} more tests: {because}",
        )


def without_result(opening: Opening) -> tuple[TestId, ...]:
    """Tests that head lists and did not bring to an end."""
    results = opening.head.results
    ended = FAILURES | {Outcome.PASSED, Outcome.SKIPPED}
    known = dict.fromkeys((*opening.listed, *results))
    return tuple(
        test
        for test in known
        if test not in results or results[test].outcome not in ended
    )


def vanished(opening: Opening) -> tuple[TestId, ...]:
    """Tests of base that head's suite does not know, its broken files apart.

    Ids that base itself does not list a second time (a time or an address among the
    parameters) can't vanish: they never were the same test.
    """
    listed = frozenset(opening.listed) | opening.head.results.keys()
    laboratory = opening.stand.laboratory
    order = laboratory.order
    wanted = frozenset(order.first) if order is not None and order.only else None
    gone = tuple(
        test
        for test in opening.inventory
        if test not in listed and (wanted is None or test in wanted)
    )
    if not gone:
        return ()
    again = suite_trial(opening.stand, BASE, Purpose.INVENTORY)
    (second,) = laboratory.perform([again])
    if second.trust is not Trust.SOUND:
        return gone
    stable = frozenset(second.listed)
    return tuple(test for test in gone if test in stable)


def newly_skipped(opening: Opening) -> tuple[TestId, ...]:
    """Tests that head skips and base, asked in one trial of just these, runs."""
    known = frozenset(opening.inventory)
    skipped = tuple(
        test
        for test, result in opening.head.results.items()
        if result.outcome is Outcome.SKIPPED and test in known
    )
    if not skipped:
        return ()
    (base,) = opening.stand.laboratory.perform(
        [
            Experiment(
                suite=opening.stand.suite.name,
                tree=BASE,
                context=SUITE,
                shape=Shape.LISTED,
                tests=skipped,
                subjects=skipped,
                purpose=Purpose.SKIPPED,
            )
        ]
    )
    if base.trust is not Trust.SOUND:
        return skipped
    ran = FAILURES | {Outcome.PASSED}
    return tuple(
        test
        for test in skipped
        if test not in base.results or base.results[test].outcome in ran
    )
