"""In which order a worker's tests are run again, in any of the trees."""

from __future__ import annotations

from collections.abc import Mapping

from fairtrial.domain.names import TestId


def replay_orders(
    recorded: Mapping[str, tuple[TestId, ...]],
    listed: tuple[TestId, ...],
    base_listed: tuple[TestId, ...],
) -> tuple[tuple[TestId, ...], ...]:
    """The orders to replay, one a worker: what was recorded, and base's own tests.

    A test that the change removed or renamed may have set the state, or cleaned it,
    at base. So each test that only base has stands behind the test that it follows
    in base's listing; a tree that lacks a test runs without it. Without a record the
    listing is the only worker's order.
    """
    orders = [list(order) for order in recorded.values() if order]
    if not orders:
        orders = [list(listed)]
    worker_of = {test: order for order in orders for test in order}
    followers: dict[TestId | None, list[TestId]] = {}
    anchor: TestId | None = None
    for test in base_listed:
        if test in worker_of:
            anchor = test
        else:
            followers.setdefault(anchor, []).append(test)
    merged = [
        tuple(test for known in order for test in (known, *followers.get(known, ())))
        for order in orders
    ]
    first = followers.get(None)
    if first:
        start = _worker_of_first(base_listed, orders)
        merged[start] = (*first, *merged[start])
    return tuple(merged)


def _worker_of_first(
    base_listed: tuple[TestId, ...], orders: list[list[TestId]]
) -> int:
    """The worker that runs the first of base's tests that head has as well."""
    for test in base_listed:
        for index, order in enumerate(orders):
            if test in order:
                return index
    return 0
