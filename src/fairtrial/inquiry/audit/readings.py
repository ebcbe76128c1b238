"""What runs in different orders say of each test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome

Sets = tuple[tuple[TestId, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steadiness:
    """How often a test passed and failed in the suite's own order."""

    passed: int = 0
    failed: int = 0

    @property
    def always_passes(self) -> bool:
        """It ran, and nothing else was seen."""
        return self.passed > 0 and self.failed == 0

    @property
    def always_fails(self) -> bool:
        """It ran, and nothing else was seen."""
        return self.failed > 0 and self.passed == 0

    @property
    def is_mixed(self) -> bool:
        """It did both under the same conditions."""
        return self.passed > 0 and self.failed > 0


def steadiness(
    runs: Iterable[Observation], tests: Sequence[TestId]
) -> Mapping[TestId, Steadiness]:
    """By test, from the runs that can be believed; skipped is neither."""
    passed, failed = dict.fromkeys(tests, 0), dict.fromkeys(tests, 0)
    for run in runs:
        if run.trust is not Trust.SOUND:
            continue
        for test in tests:
            result = run.results.get(test)
            if result is None:
                continue
            passed[test] += result.outcome is Outcome.PASSED
            failed[test] += result.outcome in FAILURES
    return {
        test: Steadiness(passed=passed[test], failed=failed[test]) for test in tests
    }


def failed_in(run: Observation, tests: Iterable[TestId]) -> tuple[TestId, ...]:
    """Which of these tests failed in a run that can be believed, in its order."""
    if run.trust is not Trust.SOUND:
        return ()
    wanted = frozenset(tests)
    return tuple(
        test
        for test, result in run.results.items()
        if test in wanted and result.outcome in FAILURES
    )


def fails_again(
    run: Observation, second: Mapping[TestId, TestId]
) -> tuple[TestId, ...]:
    """The tests that passed, and failed when they ran once more right behind that."""
    if run.trust is not Trust.SOUND:
        return ()

    def outcome(test: TestId) -> Outcome | None:
        result = run.results.get(test)
        return None if result is None else result.outcome

    return tuple(
        test
        for test, again in second.items()
        if outcome(test) is Outcome.PASSED and outcome(again) in FAILURES
    )


def before(run: Observation, test: TestId) -> frozenset[TestId]:
    """The tests that ran earlier in the same process."""
    for order in run.orders.values():
        if test in order:
            return frozenset(order[: order.index(test)])
    return frozenset()


def is_explained(
    run: Observation, test: TestId, *, polluters: Sets, setters: Sets
) -> bool:
    """Whether what is known of a test already says that it fails in this run."""
    earlier = before(run, test)
    if any(earlier.issuperset(one) for one in polluters):
        return True
    return bool(setters) and not any(earlier.issuperset(one) for one in setters)
