"""Which of head's failures a change to control hides, although base shows nothing.

A hook that turns failures into passes changes nothing where all passes, so base alone
does not show it.
"""

from __future__ import annotations

from fairtrial.domain.experiments import (
    Observation,
    Purpose,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import HEAD, HEAD_TESTS
from fairtrial.pipeline.opening import Opening, listed_trial

_FELL = FAILURES | {Outcome.UNBUILDABLE}


def cured(judged: Observation, under: Observation) -> tuple[TestId, ...]:
    """Tests that fail under base's control and do not under head's."""
    return tuple(
        test
        for test, result in judged.results.items()
        if result.outcome in FAILURES
        and (test not in under.results or under.results[test].outcome not in FAILURES)
    )


def masked(opening: Opening, tests: tuple[TestId, ...]) -> tuple[TestId, ...]:
    """Those of the cured tests whose failure is not for want of head's control.

    What wants head's control fails in the same way with base's production. What can't
    be tried is masked.
    """
    if not tests:
        return ()
    trials = [
        listed_trial(opening.stand, tree, tests, Purpose.CONFIRM)
        for tree in (HEAD, HEAD_TESTS)
    ]
    head, base = opening.stand.laboratory.perform(trials)
    return tuple(test for test in tests if not wants_control(test, head, base))


def wants_control(test: TestId, head: Observation, base: Observation) -> bool:
    """Whether a test was seen to fall alike with head's and with base's production."""
    if head.trust is not Trust.SOUND or base.trust is not Trust.SOUND:
        return False
    seen = [one.results.get(test) for one in (head, base)]
    fallen = [one.failure for one in seen if one is not None and one.outcome in _FELL]
    signatures = {one.signature for one in fallen if one is not None}
    return len(fallen) == len(seen) and None not in fallen and len(signatures) == 1
