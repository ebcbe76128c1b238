"""Which of the earlier tests to suspect, and what is known of each part of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from fairtrial.domain.experiments import Experiment, Purpose, Unit
from fairtrial.domain.names import TestId
from fairtrial.domain.trees import Tree
from fairtrial.inquiry.asking import behind, listed
from fairtrial.inquiry.book import Attempts, Book
from fairtrial.inquiry.company import loaders, members
from fairtrial.inquiry.ddmin import Answer, Ask, Found, minimise
from fairtrial.inquiry.forks import forked, guesses, searches
from fairtrial.inquiry.ledger.ranking import ranked
from fairtrial.inquiry.roles import Role
from fairtrial.inquiry.summaries import ALWAYS_IN_COMPANY

Tests = tuple[TestId, ...]

#: Cleaners that are tried for one set.
CLEANERS: Final = 2
#: So many sets that are known from another time are tried: they may all be wrong.
PRIOR: Final = 4

#: A galloping suffix grows by this factor.
STRIDE: Final = 4


@dataclass(slots=True, kw_only=True)
class Suspects:
    """The tests that ran before one test in its worker, and the answers so far."""

    book: Book
    test: TestId
    role: Role
    #: Sets that were confirmed for other tests: the first guesses.
    known: tuple[Tests, ...] = ()
    #: Where it is seen: polluters at head, setters at base.
    tree: Tree = field(init=False)
    #: The other side of the cell.
    other: Tree = field(init=False)
    everything: Tests = field(init=False)
    #: The tests of that tree, as far as they are known.
    has: frozenset[TestId] = field(init=False)
    #: One test of each file that was loaded and had no test run before.
    loaded: Tests = field(init=False)
    #: What forks saw with every file loaded needs no trial that tells running from
    #: loading: they are believed there, and the sets themselves are confirmed.
    trusting: bool = False
    #: The recorded order does it by what ran before; not when loading explains it.
    by_running: bool = True

    def __post_init__(self) -> None:
        inquiry = self.book.inquiry
        at_head = self.role is Role.POLLUTER
        self.tree, self.other = inquiry.head, inquiry.base
        if not at_head:
            self.tree, self.other = self.other, self.tree
        # What only the other side has can't have done it here.
        has = self.book.at_head if at_head else self.book.at_base
        before = self.book.before(self.test, self.tree)
        self.has = has
        self.everything = tuple(test for test in before if test in has or not has)
        beyond = loaders(self.book, (*before, self.test))
        self.loaded = tuple(test for test in beyond if test in has or not has)

    def hits(self, seen: Attempts) -> int:
        """How many of these attempts show what is looked for."""
        return seen.failed if self.role is Role.POLLUTER else seen.passed

    def answer(self, tests: Tests) -> Answer | None:
        """Whether these tests, run first, do it; of the recorded order it is known.

        One trial tells; an errored or missing one is asked once more, and then it is
        neither. None: not asked yet.
        """
        if self.by_running and tests == self.everything:
            return Answer.YES
        seen = self.book.attempts(self.test, self.tree, behind(tests))
        if seen.wants(1, spare=1):
            return None
        hits = self.hits(seen)
        if seen.unable or 0 < hits < seen.counted or not seen.counted:
            return Answer.NEITHER
        return Answer.YES if hits else Answer.NO

    def holds(self, tests: Tests) -> bool:
        """Whether each attempt behind these tests did it, and enough can be made."""
        seen = self.book.attempts(self.test, self.tree, behind(tests))
        all_did = not seen.unable and self.hits(seen) == seen.counted
        enough = seen.counted >= ALWAYS_IN_COMPANY
        return all_did and (enough or seen.wants(ALWAYS_IN_COMPANY))

    def guessed(self, items: Tests) -> tuple[Tests, ...]:
        """The sets that forks found among these."""
        return guesses(self.book, self.test, self.tree, items)

    def is_by_running(self, tests: Tests) -> bool:
        """Whether it is known that loading the files of these tests is not enough."""
        return self.trusting and any(
            tests in one.sets and not one.load_time
            for one in searches(self.book, self.test, self.tree)
        )

    def cleaners(self, tests: Tests) -> Tests:
        """What forks say undoes a set; worth a trial each."""
        return tuple(
            dict.fromkeys(
                cleaner
                for one in searches(self.book, self.test, self.tree)
                if one.sets and one.sets[0] == tests
                for cleaner in one.cleaners[:CLEANERS]
            )
        )

    def smallest(
        self, items: Tests, found: tuple[Tests, ...] = ()
    ) -> Ask[TestId] | Found[TestId] | Experiment:
        """The smallest part of `items` that does it; guesses and near ones first.

        `found` are the sets that do it and are no part of `items` any more: what
        shares a file with them likely does as they do. An experiment: it is to be
        made before anything else.
        """
        for group in self._groups(items, found):
            if isinstance(group, Experiment):
                return group
            for guess in group:
                if self.answer(guess) is Answer.YES:
                    return minimise(guess, self.answer)
            unanswered = tuple(each for each in group if self.answer(each) is None)
            if unanswered:
                return Ask(subsets=unanswered, best=items)
        return minimise(items, self.answer)

    def experiment(self, tests: Tests, tree: Tree, purpose: Purpose) -> Experiment:
        """A trial of the test behind these tests."""
        return listed(self.book, self.test, tree, behind(tests), purpose)

    def _groups(
        self, items: Tests, found: tuple[Tests, ...]
    ) -> Iterator[tuple[Tests, ...] | Experiment]:
        """Parts that are worth a trial before any halving, likeliest first."""
        inquiry = self.book.inquiry
        here = frozenset(items)
        prior = inquiry.prior.get(self.test, ())[:PRIOR]
        yield tuple(
            dict.fromkeys(
                _part(items, frozenset(each))
                for each in prior
                if each and here.issuperset(each)
            )
        )
        # The first is mostly right, and then often enough.
        yield from ((tests,) for tests in self.guessed(items))
        known = (each for each in reversed(self.known) if here.issuperset(each))
        yield tuple(known)[:PRIOR]
        if len(items) > 1:
            opening = self.book.opening
            yield tuple((each,) for each in ranked(opening, self.test, items))
        fork = forked(self.book, self.test, self.role, self.tree, items)
        if fork is not None:
            yield fork
        families = (
            inquiry.edited,
            members(self.book, self.test, Unit.CLASS),
            members(self.book, self.test, Unit.FILE),
            *(members(self.book, each[-1], Unit.FILE) for each in found),
        )
        likely = (*(_part(items, frozenset(family)) for family in families),)
        few = (guess for guess in likely if 0 < len(guess) < len(items))
        yield tuple(dict.fromkeys(few))
        size = 1
        while size < len(items):
            yield (items[-size:],)
            size *= STRIDE


def _part(items: Tests, tests: frozenset[TestId]) -> Tests:
    return tuple(test for test in items if test in tests)
