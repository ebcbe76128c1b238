"""In which order a worker's tests are run again, with head's tests and with base's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.domain.names import TestId

Tests = tuple[TestId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOrder:
    """One worker's order; a tree that lacks a test of it runs without it."""

    #: As it was recorded at head, and base's own tests between.
    head: Tests
    #: As base's own suite has it.
    base: Tests


def replay_orders(
    recorded: Mapping[str, Tests], listed: Tests, base_listed: Tests
) -> tuple[WorkerOrder, ...]:
    """The orders to replay, one a worker: what was recorded, and base's own tests.

    A test that the change removed or renamed may have set the state, or cleaned it,
    at base. So each test that only base has stands behind the test that it follows
    in base's listing. And a change that moves tests may bring a polluter before its
    victim, so base's tests are replayed in base's own order, where the record shows
    that a worker follows the listing. Without a record, the listing is the order.
    """
    orders = [order for order in recorded.values() if order] or [listed]
    worker_of = {test: worker for worker, order in enumerate(orders) for test in order}
    followers: dict[TestId | None, list[TestId]] = {}
    anchor: TestId | None = None
    for test in base_listed:
        if test in worker_of:
            anchor = test
        else:
            followers.setdefault(anchor, []).append(test)
    merged = [
        [test for known in order for test in (known, *followers.get(known, ()))]
        for order in orders
    ]
    if first := followers.get(None):
        common = (worker_of[test] for test in base_listed if test in worker_of)
        start = next(common, 0)
        merged[start] = [*first, *merged[start]]
    head_places = {test: place for place, test in enumerate(listed)}
    return tuple(
        WorkerOrder(
            head=tuple(order),
            base=_own(order, base_listed)
            if _follows(recorded_order, head_places)
            else tuple(order),
        )
        for order, recorded_order in zip(merged, orders, strict=True)
    )


def _follows(order: Tests, places: Mapping[TestId, int]) -> bool:
    """Whether an order is the listing's, as far as both go."""
    known = [places[test] for test in order if test in places]
    return known == sorted(known)


def _own(order: list[TestId], base_listed: Tests) -> Tests:
    """A worker's tests as base lists them.

    Those that base lacks stand first, where they hold nobody up: they are left out.
    """
    members = frozenset(order)
    own = tuple(test for test in base_listed if test in members)
    has = frozenset(own)
    return (*(test for test in order if test not in has), *own)
