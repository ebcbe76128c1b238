"""Whether the tests that a change adds notice anything at all.

A new test that fails on base's production has shown that it can. One that passes there
describes what was so before; it is worth something if it kills a mutant of head's
production. One that does neither is told, and blocks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.demands import Match
from fairtrial.domain.experiments import Purpose, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.paths import PRODUCTION_CLASSES
from fairtrial.domain.report import Finding
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import HEAD_TESTS
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.demands import Demands
from fairtrial.pipeline.kill_sets import kills_anything
from fairtrial.pipeline.opening import Opening, listed_trial

#: New tests that are looked at in one run.
MOST: Final = 50


def new_test_findings(
    openings: Sequence[Opening], demands: Sequence[Demands], brief: Brief
) -> Iterator[Finding]:
    """A notice for each new test that passes whatever production does."""
    for opening, each in zip(openings, demands, strict=True):
        tests = _new(opening, each)[:MOST]
        sensitive = _sensitive(opening, brief, tests)
        quiet = tuple(test for test in tests if test not in sensitive)
        seconds = brief.budget.kills * 60
        found = kills_anything(
            opening.stand, brief, quiet, seconds, control=opening.control
        )
        for test, kills in found.items():
            if kills.measured and kills.tried and not kills.killed_by_base:
                yield Finding(
                    rule="new-test-kills-nothing",
                    path=opening.stand.laboratory.runner.file_of(test),
                    test=test,
                    decision=Decision.PASS,
                    because=(
                        "this new test passes on base's production as well, and none "
                        f"of {kills.tried} mutants of what it runs makes it fail"
                    ),
                )


def _new(opening: Opening, demands: Demands) -> list[TestId]:
    """New tests that passed at head, in the order they ran."""
    added = {each.head for each in demands.comparison.tests if each.match is Match.NEW}
    place_of = opening.stand.laboratory.runner.place_of
    return [
        test
        for test, result in opening.head.results.items()
        if result.outcome is Outcome.PASSED and place_of(test) in added
    ]


def _sensitive(
    opening: Opening, brief: Brief, tests: Sequence[TestId]
) -> frozenset[TestId]:
    """The tests that do not pass on base's production."""
    if not tests or not PRODUCTION_CLASSES & brief.changed:
        return frozenset()
    tree = replace(HEAD_TESTS, control=opening.control)
    trial = listed_trial(opening.stand, tree, tests, Purpose.SENSITIVITY)
    (seen,) = opening.stand.laboratory.perform([trial])
    if seen.trust is not Trust.SOUND:
        return frozenset(tests)
    failing = FAILURES | {Outcome.UNBUILDABLE}
    return frozenset(
        test
        for test in tests
        if test not in seen.results or seen.results[test].outcome in failing
    )
