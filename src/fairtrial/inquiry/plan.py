"""What is tried next: the questions of an inquiry, in the order they are asked."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.domain.experiments import ALONE, Experiment
from fairtrial.domain.names import TestId
from fairtrial.inquiry import alone, canary, culprit, rates, replay, swaps
from fairtrial.inquiry.book import Book, book_of
from fairtrial.inquiry.bounds import BLOCKS, affordable, is_spent, lost
from fairtrial.inquiry.contexts import Company
from fairtrial.inquiry.gathering import hunts
from fairtrial.inquiry.selection import (
    WAVE,
    beyond,
    blocked,
    in_play,
    is_enough,
    waves,
)
from fairtrial.inquiry.state import Inquiry
from fairtrial.inquiry.units import wider

#: Contexts that are cheap enough to be asked of each wave by itself.
NARROW = (Company.ALONE,)
WIDE = (Company.AFTER, Company.WIDER, Company.SUITE)


def next_experiments(inquiry: Inquiry) -> tuple[Experiment, ...]:
    """The next experiments, which may run side by side.

    Empty: nothing more is to be learnt within the bounds. The same inquiry always
    gets the same answer; the first question that is still open asks.
    """
    book = book_of(inquiry)
    return () if is_spent(book) or lost(book) else open_questions(book)


def open_questions(book: Book) -> tuple[Experiment, ...]:
    """What would be asked next if there were time."""

    def make() -> tuple[Experiment, ...]:
        affordably = (affordable(book, asked) for asked in _questions(book))
        return next((asked for asked in affordably if asked), ())

    return book.once("open", make)


def _questions(book: Book) -> Iterator[tuple[Experiment, ...]]:
    """Each question with what it still has to ask; lazily, first things first."""
    # Very many failures: is it the bench?
    yield canary.ask(book)

    # Alone: does it fail without company, and whose part has to change then?
    for wave in waves(book):
        if not is_enough(book):
            yield alone.ask_all(book, wave)
            yield _each(rates.ask(book, test, ALONE) for test in wave)
            yield swaps.ask(book, wave, NARROW)

    # The suite: does it fail again in its order, or beside other workers?
    tests = _undecided(book)
    yield replay.ask(book, tests)
    yield replay.ask_whole(book, tests)
    yield _each(rates.ask_again(book, test) for test in tests)

    # Brittle: how much company does it need? Then: whose company is it, and whose part
    # has to change there?
    tests = (*blocked(book)[:BLOCKS], *tests)
    yield _each(wider(book, test).asks for test in tests)
    yield _hunted(book, tests)
    yield _each(rates.ask_in_company(book, test) for test in tests)
    yield swaps.ask(book, tests, WIDE)

    # Production has to change: which lines?
    yield culprit.ask(book)

    # Too many failures: one trial a side for the rest, which proves nothing alone.
    if not is_enough(book):
        yield _each(alone.ask(book, test, runs=1) for test in beyond(book))


def _undecided(book: Book) -> tuple[TestId, ...]:
    """The tests in play without a proven block; none when enough others have one."""
    if is_enough(book):
        return ()
    done = frozenset(blocked(book))
    return tuple(test for test in in_play(book) if test not in done)


def _each(asked: Iterator[tuple[Experiment, ...]]) -> tuple[Experiment, ...]:
    return tuple(experiment for experiments in asked for experiment in experiments)


def _hunted(book: Book, tests: tuple[TestId, ...]) -> tuple[Experiment, ...]:
    """One test's search goes on, since what it finds is the best guess for others.

    Those that already have such a guess need not wait for it.
    """
    searches = (hunts(book)[test] for test in tests if test in hunts(book))
    asking = [found for found in searches if found.asks]
    given = [found for found in asking[1:] if found.given][:WAVE]
    return _each(found.asks for found in (*asking[:1], *given))
