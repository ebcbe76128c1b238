"""Resumable minimisation: what it finds, what it asks, and what it makes of silence."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.inquiry.ddmin import Answer, Ask, Found, minimise

Items = tuple[int, ...]


def search(
    items: Items, truth: Callable[[Items], Answer], *, one_by_one: bool = False
) -> tuple[Found[int], list[Items]]:
    """Answers until it is over; each subset may be asked once only."""
    answers: dict[Items, Answer] = {items: Answer.YES}
    asked: list[Items] = []
    for _ in range(1000):
        step = minimise(items, lambda subset: answers.get(subset))  # noqa: PLW0108 - typed
        if isinstance(step, Found):
            return step, asked
        assert answers[step.best] is Answer.YES
        assert step.subsets
        for subset in step.subsets[:1] if one_by_one else step.subsets:
            assert subset not in answers
            answers[subset] = truth(subset)
            asked.append(subset)
    raise AssertionError("the search does not end")


def needing(*culprits: int) -> Callable[[Items], Answer]:
    """Yes when all culprits are there."""
    return lambda items: Answer.YES if set(culprits) <= set(items) else Answer.NO


def test_one_item_needs_no_question() -> None:
    assert Found(items=(7,), minimal=True) == minimise((7,), lambda subset: None)


def test_one_culprit_among_many_takes_two_questions_a_halving() -> None:
    found, asked = search(tuple(range(1024)), needing(700))

    assert (700,) == found.items
    assert len(asked) <= 20


def test_asking_one_at_a_time_takes_fewer_trials() -> None:
    found, asked = search(tuple(range(64)), needing(63), one_by_one=True)

    assert (63,) == found.items
    assert len(asked) == 6


@given(st.sets(st.integers(0, 99), min_size=1, max_size=4), st.booleans())
def test_a_conjunction_is_found_exactly(culprits: set[int], slowly: bool) -> None:
    found, asked = search(tuple(range(100)), needing(*culprits), one_by_one=slowly)

    assert tuple(sorted(culprits)) == found.items
    assert found.minimal
    assert len(asked) <= 100


@given(
    st.sets(st.integers(0, 30), min_size=1, max_size=3),
    st.sets(st.integers(0, 30), min_size=1, max_size=3),
)
def test_of_two_causes_one_is_found(one: set[int], other: set[int]) -> None:
    def truth(items: Items) -> Answer:
        held = one <= set(items) or other <= set(items)
        return Answer.YES if held else Answer.NO

    found, _ = search(tuple(range(31)), truth)

    assert set(found.items) in (one, other)


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_whatever_is_answered_the_search_ends_with_a_yes(
    random: object, size: int
) -> None:
    choice = random.choice  # type: ignore[attr-defined]
    given_answers: dict[Items, Answer] = {}

    def truth(items: Items) -> Answer:
        return given_answers.setdefault(items, choice(list(Answer)))

    items = tuple(range(size))
    found, _ = search(items, truth)

    assert found.items == items or given_answers[found.items] is Answer.YES


def test_a_cleaner_between_does_not_end_up_in_the_set() -> None:
    def truth(items: Items) -> Answer:
        dirty = False
        for item in items:
            dirty = (dirty or item in (2, 6)) and item != 4
        return Answer.YES if dirty else Answer.NO

    found, _ = search(tuple(range(8)), truth)

    assert (6,) == found.items


def test_a_subset_that_says_neither_is_no_yes_and_no_proof() -> None:
    def truth(items: Items) -> Answer:
        if items == (1,):
            return Answer.NEITHER
        return needing(0, 1)(items)

    found, _ = search((0, 1), truth)

    assert Found(items=(0, 1), minimal=False) == found


def test_subsets_keep_the_order_of_the_list() -> None:
    _, asked = search((9, 3, 7, 1, 5), needing(3, 1))

    places = {item: place for place, item in enumerate((9, 3, 7, 1, 5))}
    assert all(
        list(subset) == sorted(subset, key=places.__getitem__) for subset in asked
    )


def test_the_later_half_is_asked_first() -> None:
    step = minimise((1, 2, 3, 4), lambda subset: None)

    assert isinstance(step, Ask)
    assert ((3, 4), (1, 2)) == step.subsets
