"""Which earlier tests likely made a victim fail, from the rows that each left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.experiments import Observation
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.net import net, written_by
from fairtrial.inquiry.ledger.suspicion import groups, words_of
from fairtrial.inquiry.ledger.windows import before, unjoinable

#: More guesses would cost more trials than halving does.
GUESSES: Final = 4


def ranked(
    observation: Observation | None, victim: TestId, earlier: Sequence[TestId]
) -> tuple[TestId, ...]:
    """Some of the earlier tests that left rows behind, the likeliest first.

    Who wrote to the tables that the victim's failure points to, the latest first;
    empty where the ledger can't tell. It chooses trials, and says nothing of guilt.
    """
    if observation is None or not observation.changes or unjoinable(observation):
        return ()
    result = observation.results.get(victim)
    failure = result.failure if result is not None else None
    changes = before(observation, victim)
    here = {test: place for place, test in enumerate(earlier)}
    lefts = tuple(written_by(net(changes), frozenset(here)))
    found: dict[TestId, None] = {}
    every = (each.change for each in changes)
    for group in groups(lefts, every, words_of(failure)):
        writers = {test for left in group.lefts for test in left.by if test in here}
        latest = sorted(writers, key=here.__getitem__, reverse=True)
        found.update(dict.fromkeys(latest))
    return tuple(found)[:GUESSES]
