"""Who makes one test of one tree fail, or lets it pass, with the fewest trials."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.domain.experiments import ALONE, SUITE, Experiment, Purpose
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.inquiry.asking import listed
from fairtrial.inquiry.book import Book, book_of
from fairtrial.inquiry.bounds import is_spent
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.forks import forked
from fairtrial.inquiry.forks import hostile as told_hostile
from fairtrial.inquiry.polluters import Hunt, pursued
from fairtrial.inquiry.roles import Role
from fairtrial.inquiry.state import Inquiry
from fairtrial.inquiry.suspects import Suspects, Tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Lone:
    """How far the search for one test has come; without `asks` it is over."""

    asks: tuple[Experiment, ...] = ()
    #: None while it is not known what to look for, and where there is nothing.
    hunt: Hunt | None = None
    #: Why it ended without a set, in one sentence; empty while it goes on.
    why: str = ""
    #: Why forks could not tell; empty: they could, or were not asked.
    hostile: str = ""

    @property
    def tests(self) -> Tests:
        """All tests of all confirmed sets."""
        sets = self.hunt.sets if self.hunt is not None else ()
        return tuple(dict.fromkeys(test for tests in sets for test in tests))


def lone(inquiry: Inquiry, test: TestId, *, every: bool) -> Lone:
    """What to ask next, or what came of it; `every`: not only the first set.

    Without a result of the opening trial, the recorded order is asked about by forks,
    or else it is run again.
    """
    book = book_of(inquiry)
    if is_spent(book):
        return Lone(why="the time for it was over", hostile=told_hostile(book, test))
    before = book.before(test, inquiry.head)
    first = _first(book, test, before)
    if first:
        return Lone(asks=first)
    alone = book.attempts(test, inquiry.head, ALONE)
    if not alone.counted:
        return Lone(why="alone it neither passed nor failed")
    role = Role.POLLUTER if alone.passed else Role.SETTER
    suspects = Suspects(book=book, test=test, role=role, trusting=True)
    # There is one tree here, and it is built as head.
    suspects.tree = suspects.other = inquiry.head
    hostile = told_hostile(book, test)
    turned = _turned(book, suspects, before)
    if isinstance(turned, Experiment):
        return Lone(asks=(turned,), hostile=hostile)
    if not turned:
        does = "passes" if role is Role.POLLUTER else "fails"
        return Lone(why=f"it {does} alone, and in its order too", hostile=hostile)
    found = pursued(suspects, every=every)
    why = "" if found.asks or found.sets else "no set of earlier tests was confirmed"
    return Lone(asks=found.asks, hunt=found, why=why, hostile=hostile)


def _first(book: Book, test: TestId, before: Tests) -> tuple[Experiment, ...]:
    """Alone, and at once what forks say; those wait where it passed in its suite."""
    head = book.inquiry.head
    asks = []
    if book.attempts(test, head, ALONE).wants(1):
        asks.append(listed(book, test, head, ALONE, Purpose.ALONE))
    passed = _in_suite(book, test) is Outcome.PASSED
    if not (passed and asks):
        fork = forked(book, test, Role.POLLUTER, head, before)
        alone_passed = book.attempts(test, head, ALONE).passed
        if fork is not None and not (passed and alone_passed):
            asks.append(fork)
    return tuple(asks)


def _in_suite(book: Book, test: TestId) -> Outcome | None:
    """How it ended in the trial that opened the search; None where there was none."""
    result = book.opening.results.get(test) if book.opening is not None else None
    return result.outcome if result is not None else None


def _turned(book: Book, suspects: Suspects, before: Tests) -> bool | Experiment:
    """Whether the recorded order turns what it does alone, or what is to tell it."""
    wanted = FAILURES if suspects.role is Role.POLLUTER else {Outcome.PASSED}
    seen = _in_suite(book, suspects.test)
    if seen is not None:
        return seen in wanted
    guesses = (suspects.answer(tests) for tests in suspects.guessed(before))
    if any(answer in {None, Answer.YES} for answer in guesses):
        return True
    head = book.inquiry.head
    again = book.attempts(suspects.test, head, SUITE)
    if again.wants(1):
        return listed(book, suspects.test, head, SUITE, Purpose.REPLAY)
    return suspects.hits(again) > 0
