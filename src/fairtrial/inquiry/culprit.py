"""Which changed production lines make a test pass when they are taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from fairtrial.domain.experiments import Context, Experiment, Purpose
from fairtrial.domain.names import HunkId, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import Revision, Tree
from fairtrial.inquiry.asking import listed
from fairtrial.inquiry.book import Book
from fairtrial.inquiry.bounds import CULPRIT_TRIALS, CULPRITS
from fairtrial.inquiry.contexts import Says
from fairtrial.inquiry.ddmin import Answer, Ask, minimise
from fairtrial.inquiry.gathering import case_in, context_in
from fairtrial.inquiry.selection import blocked
from fairtrial.inquiry.standings import standing

Hunks = tuple[HunkId, ...]

#: Taken back as a whole, each by itself, before any hunk is.
WHOLE_CLASSES: Final = (PathClass.DEPENDENCIES, PathClass.MIGRATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprit:
    """What has to be taken back, as far as it is known."""

    #: Taking back these hunks makes the test pass.
    hunks: Hunks = ()
    #: Not one of them can be left out.
    minimal: bool = False
    #: Taking back the whole class makes it pass: dependencies or migrations.
    classes: tuple[PathClass, ...] = ()
    asks: tuple[Experiment, ...] = ()


def culprits(book: Book) -> dict[TestId, Culprit]:
    """The searches for the first tests that production fails, in order.

    What one search found is the first guess of the next.
    """

    def make() -> dict[TestId, Culprit]:
        found: dict[TestId, Culprit] = {}
        known: tuple[Hunks, ...] = ()
        for test in blocked(book):
            if len(found) == CULPRITS:
                break
            context = _always_failing_context(book, test)
            if context is None:
                continue
            one = _Search(book, test, context).run(known)
            found[test] = one
            if one.hunks and not one.asks:
                known = tuple(dict.fromkeys((*known, one.hunks)))
        return found

    return book.once("culprits", make)


def ask(book: Book) -> tuple[Experiment, ...]:
    """The next trial of the first search that is not over."""
    for one in culprits(book).values():
        if one.asks:
            return one.asks
    return ()


def _always_failing_context(book: Book, test: TestId) -> Context | None:
    """Where to search: the context that decided, when the test always fails there."""
    case = case_in(book, test)
    stands = standing(case)
    if stands.said not in (Says.CONVICTS, Says.NEW):
        return None
    return context_in(book, case, test, stands.company)


@dataclass(frozen=True, slots=True)
class _Search:
    book: Book
    test: TestId
    context: Context

    def run(self, known: tuple[Hunks, ...]) -> Culprit:
        """First whole classes, then all hunks, then fewer and fewer."""
        for path_class in WHOLE_CLASSES:
            if path_class in self.book.changed:
                tree = self._without(path_class)
                answer = self._answer(tree)
                if answer is None:
                    return self._asking(tree)
                if answer is Answer.YES:
                    return Culprit(classes=(path_class,), minimal=True)
        return self._among_hunks(known)

    def _among_hunks(self, known: tuple[Hunks, ...]) -> Culprit:
        hunks = self.book.inquiry.hunks
        everything = frozenset(hunks)
        guesses = (guess for guess in known if everything.issuperset(guess))
        for guess in (*guesses, hunks) if hunks else ():
            answer = self._of(guess)
            if answer is None:
                return self._asking(self._reverted(guess))
            if answer is Answer.YES:
                return self._within(guess)
        return Culprit()

    def _within(self, hunks: Hunks) -> Culprit:
        found = minimise(hunks, self._of)
        if isinstance(found, Ask):
            asks = self._asking(self._reverted(found.subsets[0])).asks
            return Culprit(hunks=found.best, asks=asks)
        return Culprit(hunks=found.items, minimal=found.minimal)

    def _of(self, hunks: Hunks) -> Answer | None:
        return self._answer(self._reverted(hunks))

    def _answer(self, tree: Tree) -> Answer | None:
        """Whether the test passes there; a tree that can't be built says neither."""
        seen = self.book.attempts(self.test, tree, self.context)
        if seen.wants(1, spare=1):
            return None
        if seen.passed and not seen.failed:
            return Answer.YES
        return Answer.NO if seen.failed and not seen.passed else Answer.NEITHER

    def _asking(self, tree: Tree) -> Culprit:
        """One trial more, if the search may have one more."""
        made = sum(
            observation.experiment.purpose is Purpose.CULPRIT
            and self.test in observation.experiment.subjects
            for observation in self.book.observations()
        )
        if made >= CULPRIT_TRIALS:
            return Culprit()
        one = listed(self.book, self.test, tree, self.context, Purpose.CULPRIT)
        return Culprit(asks=(one,))

    def _reverted(self, hunks: Hunks) -> Tree:
        return replace(self.book.inquiry.head, reverted=frozenset(hunks))

    def _without(self, path_class: PathClass) -> Tree:
        head = self.book.inquiry.head
        if path_class is PathClass.DEPENDENCIES:
            return replace(head, dependencies=Revision.BASE)
        return replace(head, migration=Revision.BASE)
