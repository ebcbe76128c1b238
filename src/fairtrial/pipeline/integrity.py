"""What the suite trials themselves notice: no results, thresholds, broken receipts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import (
    Purpose,
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
    """What has no result at head, and what the suite trials noticed."""
    for opening in openings:
        yield from opening.findings
        if opening.sound:
            yield from _told(opening, "no-result", without_result(opening), _LOST)
            yield from _thresholds(opening)
        else:
            yield _unsound(opening)


def _unsound(opening: Opening) -> Finding:
    """Why head's suite has no receipt: its surroundings, or its report."""
    name, head = opening.stand.suite.name, opening.head
    if head.environment:
        return Finding(
            rule="surroundings-lost",
            decision=Decision.INCONCLUSIVE,
            category=Category.ENVIRONMENT,
            because=f"suite {name}: {head.environment}\nIt says nothing of the code.",
        )
    return Finding(
        rule="no-receipt",
        decision=Decision.INCONCLUSIVE,
        because=f"suite {name}: {head.distrust}",
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


_LOST = "head's suite lists it and has no result of it, so it can't count as passed"


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
