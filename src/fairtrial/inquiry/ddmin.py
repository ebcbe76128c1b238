"""Which smallest part of an ordered list still does what the whole list does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T")

#: So many items are left out one by one; more of them in blocks first.
FEW = 8


class Answer(StrEnum):
    """What a trial of one subset said."""

    YES = "yes"
    NO = "no"
    #: It could not be told: errored, missing, unbuildable, or now so and now so.
    NEITHER = "neither"


#: The answer for an ordered subset; None where it was not asked yet.
Answers = Callable[[tuple[T, ...]], Answer | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Generic[T]):
    """The search goes on when these are answered; the first are the likelier ones.

    They may be asked side by side, or only the first of them.
    """

    subsets: tuple[tuple[T, ...], ...]
    #: The smallest subset so far that is known to do it.
    best: tuple[T, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[T]):
    """The search is over."""

    items: tuple[T, ...]
    #: Without any one of the items it is known not to happen.
    minimal: bool


class _Unanswered(Exception, Generic[T]):  # noqa: N818 - a way out, no error
    def __init__(self, subsets: tuple[tuple[T, ...], ...]) -> None:
        super().__init__()
        self.subsets = subsets


class _Oracle(Generic[T]):
    """The answers so far, the list's order, and the best subset seen on the way."""

    def __init__(self, items: tuple[T, ...], answers: Answers[T]) -> None:
        self._places = {item: place for place, item in enumerate(items)}
        self._answers = answers
        self.best = items

    def joined(self, *parts: tuple[T, ...]) -> tuple[T, ...]:
        """The items of all parts, in the list's order."""
        items = {item for part in parts for item in part}
        return tuple(sorted(items, key=self._places.__getitem__))

    def first_yes(self, *subsets: tuple[T, ...]) -> int | None:
        """Which of the subsets does it; raises when that can't be told yet."""
        answers = [self._answers(subset) for subset in subsets]
        for index, answer in enumerate(answers):
            if answer is Answer.YES:
                if len(subsets[index]) < len(self.best):
                    self.best = subsets[index]
                return index
        unanswered = tuple(
            subset
            for subset, answer in zip(subsets, answers, strict=True)
            if answer is None
        )
        if unanswered:
            raise _Unanswered(unanswered)
        return None

    def answer(self, subset: tuple[T, ...]) -> Answer | None:
        return self._answers(subset)


def minimise(items: tuple[T, ...], answers: Answers[T]) -> Ask[T] | Found[T]:
    """What to ask next, or the smallest part of `items`, which is known to do it.

    The state is the answers alone: called again with more of them, it goes on where
    it stood. Halves first; where neither half does it, each is made smaller beside
    the other (Zeller, "Yesterday, my program worked", 1999: interference), and what
    is left goes through ddmin (Zeller and Hildebrandt, "Simplifying and isolating
    failure-inducing input", 2002), so that no single item can be left out even where
    items undo each other. Later items are tried first: a cause is likelier near.
    """
    oracle = _Oracle(items, answers)
    try:
        few = _halve(oracle, items, ())
        return _ddmin(oracle, few)
    except _Unanswered as unanswered:
        return Ask(subsets=unanswered.subsets, best=oracle.best)


def _halve(
    oracle: _Oracle[T], items: tuple[T, ...], kept: tuple[T, ...]
) -> tuple[T, ...]:
    """A part of `items` that does it together with `kept`, as all of them do."""
    if len(items) < 2:  # noqa: PLR2004 - one item has no halves
        return items
    older, newer = items[: len(items) // 2], items[len(items) // 2 :]
    match oracle.first_yes(oracle.joined(newer, kept), oracle.joined(older, kept)):
        case 0:
            return _halve(oracle, newer, kept)
        case 1:
            return _halve(oracle, older, kept)
        case _:
            needed = _halve(oracle, newer, oracle.joined(kept, older))
            rest = _halve(oracle, older, oracle.joined(kept, needed))
            return oracle.joined(needed, rest)


def _ddmin(oracle: _Oracle[T], items: tuple[T, ...]) -> Found[T]:
    """`items` made 1-minimal: blocks, then what is left without a block, then finer."""
    blocks = _first_blocks(items)
    while len(items) > 1:
        parts = _split(items, blocks)
        without = tuple(
            tuple(item for item in items if item not in part) for part in parts
        )
        # The finest blocks are single items: halving has just shown that they are
        # needed together, so only leaving one out is still a question.
        singly = blocks == len(items)
        subsets = without if singly else (*reversed(parts), *without)
        index = oracle.first_yes(*dict.fromkeys(subsets))
        if index is not None:
            items = tuple(dict.fromkeys(subsets))[index]
            blocks = _first_blocks(items)
        elif singly:
            certain = all(oracle.answer(subset) is Answer.NO for subset in without)
            return Found(items=items, minimal=certain)
        else:
            blocks = min(2 * blocks, len(items))
    return Found(items=items, minimal=True)


def _first_blocks(items: tuple[T, ...]) -> int:
    return len(items) if len(items) <= FEW else 2


def _split(items: tuple[T, ...], blocks: int) -> tuple[tuple[T, ...], ...]:
    edges = [len(items) * block // blocks for block in range(blocks + 1)]
    return tuple(items[start:end] for start, end in pairwise(edges))
