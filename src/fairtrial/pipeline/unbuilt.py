"""What a test of base shows on head's production where its file can't be built there.

The test is put there by itself. Where that can't be built either, for want of
something that production removed, it went with its contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairtrial.domain.experiments import (
    ALONE,
    Observation,
    Purpose,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Failure, Outcome
from fairtrial.domain.trees import BASE, BASE_TESTS, Tree
from fairtrial.inquiry.contracts import misses_removed
from fairtrial.inquiry.summaries import ALWAYS_ALONE
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.contracts import contracts
from fairtrial.pipeline.opening import Opening, listed_trial, uncollected
from fairtrial.pipeline.restoring import restore_unit
from fairtrial.policy.effects import Oracle


def misses(brief: Brief, failure: Failure) -> bool:
    """Whether a test fails for nothing but the want of what the change removed."""
    return misses_removed(failure, contracts(brief))


def try_by_itself(
    opening: Opening, brief: Brief, test: TestId, whole: Observation
) -> tuple[Oracle, str]:
    """What one test of base shows on head's production by itself, and why.

    `whole` is the trial in which its file could not be built.
    """
    place = opening.stand.laboratory.runner.place_of(test)
    overlay = restore_unit(brief, place, opening.control)
    if overlay is None:
        return _of_reasons(opening, brief, test, whole)
    tree = replace(BASE_TESTS, control=opening.control, overlay=overlay)
    seen = _alone(opening, tree, test)
    outcomes = {_outcome(each, test) for each in seen}
    if outcomes == {Outcome.PASSED}:
        return Oracle.HOLDS, ""
    if Outcome.UNBUILDABLE in outcomes:
        return _of_reasons(opening, brief, test, *seen)
    if not outcomes <= FAILURES:
        return Oracle.UNKNOWN, "by itself it does not always end alike"
    failures = list(_failures(seen, test))
    if failures and all(misses(brief, failure) for failure in failures):
        return Oracle.CONTRACT_REMOVED, failures[0].message
    at_base = {_outcome(each, test) for each in _alone(opening, BASE, test)}
    if at_base == {Outcome.PASSED}:
        return Oracle.FAILS, failures[0].message if failures else ""
    return Oracle.UNKNOWN, "by itself it fails, and at base it does not always pass"


def _alone(opening: Opening, tree: Tree, test: TestId) -> tuple[Observation, ...]:
    trial = listed_trial(opening.stand, tree, (test,), Purpose.ORACLE, ALONE)
    return opening.stand.laboratory.perform([trial] * ALWAYS_ALONE)


def _outcome(observation: Observation, test: TestId) -> Outcome:
    result = observation.results.get(test)
    if observation.trust is not Trust.SOUND or result is None:
        return Outcome.ERRORED
    return result.outcome


def _failures(seen: tuple[Observation, ...], test: TestId) -> Iterator[Failure]:
    for observation in seen:
        result = observation.results.get(test)
        if result is not None and result.failure is not None:
            yield result.failure


def _of_reasons(
    opening: Opening, brief: Brief, test: TestId, *seen: Observation
) -> tuple[Oracle, str]:
    """The contract is gone where every reason is what production removed."""
    keeps_out = opening.stand.laboratory.runner.keeps_out
    reasons = [
        uncollected(test, file, reason).failure
        for observation in seen
        for file, reason in observation.uncollectable.items()
        if keeps_out(file, test)
    ]
    told = [failure for failure in reasons if failure is not None]
    if told and all(misses(brief, failure) for failure in told):
        return Oracle.CONTRACT_REMOVED, told[0].message
    why = told[0].message if told else "no reason was told"
    return Oracle.UNKNOWN, f"its file can't be built on head's production: {why}"
