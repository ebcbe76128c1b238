"""Orders to replay: the record, and where base's own tests stand in it."""

from __future__ import annotations

from fairtrial.domain.names import TestId
from fairtrial.inquiry.order import WorkerOrder, replay_orders


def ids(text: str) -> tuple[TestId, ...]:
    return tuple(TestId(each) for each in text.split())


def test_equal_sides_are_replayed_as_recorded() -> None:
    assert (WorkerOrder(head=ids("a b c"), base=ids("a b c")),) == replay_orders(
        {"main": ids("a b c")}, ids("a b c"), ids("a b c")
    )


def test_a_test_that_only_base_has_stands_where_base_lists_it() -> None:
    (order,) = replay_orders({"main": ids("a b")}, ids("a b"), ids("x a y z b"))

    assert ids("x a y z b") == order.head


def test_a_test_that_base_lacks_holds_nobody_up_there() -> None:
    (order,) = replay_orders({"main": ids("a new b")}, ids("a new b"), ids("a b"))

    assert ids("a new b") == order.head
    assert ids("new a b") == order.base


def test_base_keeps_its_own_order_when_the_change_moves_tests() -> None:
    (order,) = replay_orders({"main": ids("p v")}, ids("p v"), ids("v p"))

    assert ids("p v") == order.head
    assert ids("v p") == order.base


def test_an_order_that_is_not_the_listing_is_the_order_of_both() -> None:
    (order,) = replay_orders({"main": ids("c a b")}, ids("a b c"), ids("a b c"))

    assert ids("c a b") == order.head == order.base


def test_each_worker_keeps_its_own_tests() -> None:
    first, second = replay_orders(
        {"w0": ids("a c"), "w1": ids("b d")}, ids("a b c d"), ids("a b gone c d")
    )

    assert ids("a c") == first.head
    assert ids("b gone d") == second.head


def test_base_tests_before_all_others_go_to_the_worker_of_the_next_one() -> None:
    first, second = replay_orders(
        {"w0": ids("b"), "w1": ids("a")}, ids("a b"), ids("gone a b")
    )

    assert ids("b") == first.head
    assert ids("gone a") == second.head


def test_without_a_record_the_listing_is_the_order() -> None:
    (order,) = replay_orders({}, ids("a b"), ids("a b"))

    assert ids("a b") == order.head
