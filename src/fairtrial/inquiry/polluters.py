"""Which earlier tests make a victim fail, or let a brittle test pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fairtrial.domain.experiments import SUITE, Experiment, Purpose
from fairtrial.domain.names import TestId
from fairtrial.inquiry.asking import behind, first_then, without
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.bounds import CONVICTING, SEARCH_TRIALS, SETS
from fairtrial.inquiry.contexts import Company, Says, says
from fairtrial.inquiry.ddmin import Answer, Ask
from fairtrial.inquiry.roles import Role, role_of
from fairtrial.inquiry.summaries import ALWAYS_IN_COMPANY
from fairtrial.inquiry.suspects import Suspects, Tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunt:
    """How far the search for one test's polluters or setters has come."""

    role: Role
    #: Confirmed sets, in the order they were found.
    sets: tuple[Tests, ...] = ()
    #: The recorded order without all of these sets does it no more.
    necessary: bool = False
    #: Sets that need not run: loading their files is enough.
    load_time: frozenset[Tests] = frozenset()
    #: Tests behind which the first set makes it fail no more, each confirmed.
    cleaners: Tests = ()
    #: What to ask next; empty when the search is over.
    asks: tuple[Experiment, ...] = ()
    #: All of that is asked of sets that were confirmed for other tests.
    given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneSet:
    """A confirmed set, or what to ask for one; with neither there is none."""

    tests: Tests = ()
    asks: tuple[Experiment, ...] = ()


def hunt(book: Book, test: TestId, known: tuple[Tests, ...] = ()) -> Hunt | None:
    """The state of the search for one test; None where there is nothing to look for.

    `known` are sets that were confirmed for other tests: they are tried first.
    """
    role = role_of(book, test)
    if role is None:
        return None
    found = pursued(Suspects(book=book, test=test, role=role, known=known))
    given = bool(found.asks) and all(ask.context.after in known for ask in found.asks)
    return replace(found, given=given)


def pursued(suspects: Suspects, *, every: bool = True) -> Hunt:
    """The state of the search among these suspects.

    Set after set, until the recorded order without them does it no more: an old cause,
    cleaned in between, may hide a new one. Where one set already holds something
    against head, few are enough: the test can't pass any more. Not `every`: the first
    set is enough.
    """
    found = Hunt(role=suspects.role)
    rest = suspects.everything
    while True:
        guessed = every and _is_guessed(suspects, found.sets, rest)
        if found.sets and not guessed:
            stopped = _stopped(suspects, found, rest, every=every)
            if stopped is not None:
                return stopped if stopped.asks else _cleaned(suspects, stopped)
        one = _one_set(suspects, rest, found.sets)
        if not (one.asks or one.tests or found.sets):
            one = _among_loaded(suspects)
        if guessed and not (one.asks or one.tests):
            return _stopped(suspects, found, rest, every=every) or found
        if one.asks or not one.tests:
            return replace(found, asks=one.asks)
        found = replace(found, sets=(*found.sets, one.tests))
        at_fault = suspects.role is Role.POLLUTER
        if at_fault and _fails_first(suspects, one.tests):
            found = replace(found, load_time=found.load_time | {one.tests})
        rest = tuple(each for each in rest if each not in one.tests)
        suspects.by_running = (
            suspects.by_running and one.tests[0] not in suspects.loaded
        )


def _is_guessed(suspects: Suspects, sets: tuple[Tests, ...], rest: Tests) -> bool:
    """Whether forks guessed one more set that is wanted, and nothing speaks against it.

    Such a set is confirmed before the order is run without those that are known.
    """
    if not sets or len(sets) >= SETS or _is_enough(suspects, sets):
        return False
    return any(suspects.holds(tests) for tests in suspects.guessed(rest))


def _stopped(
    suspects: Suspects, found: Hunt, rest: Tests, *, every: bool
) -> Hunt | None:
    """The search where it need not, or can't yet, look for a set behind those."""
    if not every or _is_enough(suspects, found.sets):
        return found
    answer = suspects.answer(rest) if rest else Answer.NO
    if answer is None:
        return replace(found, asks=(_without(suspects, found.sets),))
    if answer is not Answer.YES:
        return replace(found, necessary=answer is Answer.NO)
    return found if len(found.sets) == SETS else None


def _without(suspects: Suspects, sets: tuple[Tests, ...]) -> Experiment:
    """The recorded order without these sets, for all tests that may come to ask it."""
    book, tree = suspects.book, suspects.tree
    gone = frozenset(test for tests in sets for test in tests)
    worker = book.worker_of(suspects.test)
    sharing = tuple(
        test
        for test in book.inquiry.failed
        if test != suspects.test
        and book.worker_of(test) is worker
        and book.is_quiet(test) is book.is_quiet(suspects.test)
        and gone.issubset(book.before(test, tree))
        and role_of(book, test) is suspects.role
    )
    subjects = (suspects.test, *(test for test in sharing if test not in gone))
    return without(book, subjects, tree, gone, suspects.has)


def _cleaned(suspects: Suspects, found: Hunt) -> Hunt:
    """The search with the tests that undo what its first set does, tried once each."""
    first = found.sets[0]
    told = first in found.load_time or first in suspects.known
    if suspects.role is not Role.POLLUTER or told:
        return found
    cleaners, asks = [], []
    for test in suspects.cleaners(first):
        match suspects.answer((*first, test)):
            case None:
                context = (*first, test)
                ask = suspects.experiment(context, suspects.tree, Purpose.CONFIRM)
                asks.append(ask)
            case Answer.NO:
                cleaners.append(test)
            case Answer.YES | Answer.NEITHER:
                pass
    return replace(found, cleaners=tuple(cleaners), asks=tuple(asks))


def _is_enough(suspects: Suspects, sets: tuple[Tests, ...]) -> bool:
    """Whether one of so many sets convicts head, so that more would acquit nothing.

    One is enough for a test whose cause was another's before: that one's search tells
    the others.
    """
    if suspects.role is not Role.POLLUTER:
        return False
    few = 1 if sets[0] in suspects.known else CONVICTING
    book, test = suspects.book, suspects.test
    base_suite = book.reading(test, SUITE).base
    return len(sets) >= few and any(
        says(book.reading(test, behind(tests)), Company.AFTER, base_suite)
        is Says.CONVICTS
        for tests in sets
    )


def _among_loaded(suspects: Suspects) -> _OneSet:
    """A set among the files that the suite loads and that ran only later."""
    if not suspects.loaded:
        return _OneSet()
    answer = suspects.answer(suspects.loaded)
    if answer is None:
        return _OneSet(asks=_asks(suspects, (suspects.loaded,)))
    return _one_set(suspects, suspects.loaded) if answer is Answer.YES else _OneSet()


def _asks(suspects: Suspects, subsets: tuple[Tests, ...]) -> tuple[Experiment, ...]:
    purpose = suspects.role.purpose
    return tuple(suspects.experiment(each, suspects.tree, purpose) for each in subsets)


def _besides(
    suspects: Suspects, items: Tests, subsets: tuple[Tests, ...]
) -> Iterator[Experiment]:
    """What confirms the guesses of forks, asked beside them: they are mostly right."""
    for tests in dict.fromkeys((*suspects.guessed(items), *suspects.known)):
        if tests in subsets:
            yield suspects.experiment(tests, suspects.tree, Purpose.CONFIRM)
            yield from _beside(suspects, tests)
            yield from _cleaned(suspects, Hunt(role=suspects.role, sets=(tests,))).asks


def _beside(suspects: Suspects, tests: Tests) -> Iterator[Experiment]:
    """What else a set that does it is asked, and need not wait for.

    Of a set that was confirmed for another test, base's side, since it will be right.
    Whether loading its files is enough was asked for that one.
    """
    if tests in suspects.known:
        yield from _other_side(suspects, tests)
    elif suspects.role is Role.POLLUTER and _fails_first(suspects, tests) is None:
        yield first_then(suspects.book, suspects.test, tests, suspects.tree)


def _other_side(suspects: Suspects, tests: Tests) -> tuple[Experiment, ...]:
    other = suspects.book.attempts(suspects.test, suspects.other, behind(tests))
    ask = suspects.experiment(tests, suspects.other, Purpose.CONFIRM)
    return (ask,) * other.missing(ALWAYS_IN_COMPANY)


def _one_set(
    suspects: Suspects, items: Tests, before: tuple[Tests, ...] = ()
) -> _OneSet:
    """The smallest set in `items`, which do it; bigger where trials ran out."""
    if not items:
        return _OneSet()
    found = suspects.smallest(items, before)
    if isinstance(found, Experiment):
        return _OneSet(asks=(found,))
    if isinstance(found, Ask):
        if _searched(suspects) < SEARCH_TRIALS:
            asks = _asks(suspects, found.subsets)
            return _OneSet(asks=(*asks, *_besides(suspects, items, found.subsets)))
        if found.best == items:
            return _OneSet()
        return _confirmed(suspects, found.best)
    if found.items == items and not found.minimal:
        return _OneSet()
    return _confirmed(suspects, found.items)


def _confirmed(suspects: Suspects, tests: Tests) -> _OneSet:
    """The set if it does it a second time, cold; then the other side of the cell."""
    context = behind(tests)
    seen = suspects.book.attempts(suspects.test, suspects.tree, context)
    again = suspects.experiment(tests, suspects.tree, Purpose.CONFIRM)
    asks = (again,) * seen.missing(ALWAYS_IN_COMPANY)
    if asks or tests not in suspects.known:
        asks = (*asks, *_beside(suspects, tests))
    if asks:
        return _OneSet(asks=asks)
    hits = suspects.hits(seen)
    if seen.unable or hits < seen.counted or hits < ALWAYS_IN_COMPANY:
        return _OneSet()
    asks = _other_side(suspects, tests)
    return _OneSet(asks=asks) if asks else _OneSet(tests=tests)


def _fails_first(suspects: Suspects, tests: Tests) -> bool | None:
    """Whether the test fails when it runs before them; None: not asked yet."""
    if suspects.is_by_running(tests):
        return False
    wanted = (suspects.test, *tests)
    for observation in suspects.book.observations():
        experiment = observation.experiment
        if experiment.tests == wanted and experiment.context == behind(()):
            result = observation.results.get(suspects.test)
            return result is not None and result.failure is not None
    return None


def _searched(suspects: Suspects) -> int:
    """The trials that the search has cost so far."""
    return sum(
        observation.experiment.purpose is suspects.role.purpose
        and suspects.test in observation.experiment.subjects
        for observation in suspects.book.observations()
    )
