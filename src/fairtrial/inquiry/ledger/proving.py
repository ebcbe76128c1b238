"""Which trial to make next to prove which rows are enough, and which columns matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from fairtrial.domain.databases import Change
from fairtrial.inquiry.ddmin import Answer, Ask, minimise
from fairtrial.inquiry.ledger.net import Left
from fairtrial.inquiry.ledger.suspicion import Group

T = TypeVar("T")

#: So many tables are tried by themselves, before and after all of them together.
FIRST, THEN = 2, 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial: these rows in a fresh database, with neutral values in some columns.

    Columns are those of one table.
    """

    lefts: tuple[Left, ...]
    table: tuple[str, str] | None = None
    neutral: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What trials have shown so far."""

    #: The first set that was enough.
    enough: tuple[Left, ...]
    #: The smallest one that is known to be.
    lefts: tuple[Left, ...]
    #: Without any one of them it passes, or there is but one.
    minimal: bool = False
    #: The columns without whose values it passes.
    columns: tuple[str, ...] = ()
    #: The rows for which that was shown.
    columns_of: tuple[Left, ...] = ()
    #: Columns that may hold other values, all at once, and it fails all the same.
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What to try next, None when nothing is left to ask; and what is proven by now."""

    attempt: Attempt | None
    proof: Proof | None


#: What a trial said; None where it was not made yet.
Answers = Callable[[Attempt], Answer | None]


class _Unanswered(Exception):  # noqa: N818 - a way out, no error
    def __init__(self, attempt: Attempt) -> None:
        super().__init__()
        self.attempt = attempt


def next_step(
    groups: tuple[Group, ...],
    answers: Answers,
    known: tuple[tuple[Left, ...], ...] = (),
) -> Step:
    """The next trial of a proof, from the answers alone: it can be made again.

    First a set that is enough: what was `known` to be for another test, the likeliest
    tables, all of them, others. Then the guessed column made neutral, then the
    smallest set by one row's guess and ddmin, then the other columns. In the simplest
    case that is three trials.
    """
    proving = _Proving(groups, answers)
    try:
        proving.find(known)
        if proving.proof is not None:
            proving.shrink()
    except _Unanswered as unanswered:
        return Step(attempt=unanswered.attempt, proof=proving.proof)
    return Step(attempt=None, proof=proving.proof)


def changes_of(attempt: Attempt, groups: Iterable[Group]) -> tuple[Change, ...]:
    """The rows of a trial, as they are put in."""
    found = []
    held = {(group.database, group.table): group.neutral for group in groups}
    for number, left in enumerate(attempt.lefts):
        change = left.change
        table = (change.database, change.table)
        if attempt.neutral and table == attempt.table:
            change = held[table].without(left, attempt.neutral, number)
        found.append(change)
    return tuple(found)


class _Proving:
    """One walk through the questions; stops at the first that has no answer yet."""

    def __init__(self, groups: tuple[Group, ...], answers: Answers) -> None:
        self._groups = groups
        self._answers = answers
        self.proof: Proof | None = None
        self._is_minimal = False

    def _ask(self, attempt: Attempt) -> Answer:
        answer = self._answers(attempt)
        if answer is None:
            raise _Unanswered(attempt)
        return answer

    def find(self, known: tuple[tuple[Left, ...], ...]) -> None:
        """A first set that is enough; none: no proof."""
        singles = [group.lefts for group in self._groups]
        everything = tuple(left for lefts in singles for left in lefts)
        after = singles[FIRST:][:THEN]
        guesses = (*known, *singles[:FIRST], everything, *after)
        for lefts in dict.fromkeys(guesses):
            if lefts and self._ask(Attempt(lefts)) is Answer.YES:
                self.proof = Proof(enough=lefts, lefts=lefts)
                return

    def shrink(self) -> None:
        """Fewer tables, fewer rows, and the columns that matter."""
        proof = self._proven
        here = self._tables(proof.lefts)
        if len(here) > 1:
            tables = self._minimal(
                tuple(here), lambda some: tuple(x for key in some for x in here[key])
            )
            lefts = tuple(left for key in tables for left in here[key])
            self.proof = replace(proof, lefts=lefts)
        if len(self._tables(self._proven.lefts)) == 1:
            self._guess()
        self._rows()
        if not self._proven.columns and len(self._tables(self._proven.lefts)) == 1:
            self._columns()

    @property
    def _proven(self) -> Proof:
        assert self.proof is not None
        return self.proof

    def _tables(
        self, lefts: tuple[Left, ...]
    ) -> dict[tuple[str, str], tuple[Left, ...]]:
        found: dict[tuple[str, str], tuple[Left, ...]] = {}
        for left in lefts:
            key = (left.change.database, left.change.table)
            found[key] = (*found.get(key, ()), left)
        return found

    def _group(self) -> Group:
        change = self._proven.lefts[0].change
        return next(
            group
            for group in self._groups
            if (group.database, group.table) == (change.database, change.table)
        )

    def _without(self, columns: frozenset[str]) -> Attempt:
        """The rows with neutral values in some columns."""
        group = self._group()
        table = (group.database, group.table) if columns else None
        return Attempt(self._proven.lefts, table, columns)

    def _guess(self) -> None:
        """The guessed columns: if it passes without their values, they matter."""
        group = self._group()
        guess = tuple(column for column in group.columns if column in group.guess)
        if guess and self._ask(self._without(frozenset(guess))) is Answer.NO:
            self._needed(guess)

    def _matter(self, columns: Iterable[str]) -> None:
        self.proof = replace(
            self._proven,
            columns=tuple(sorted(columns)),
            columns_of=self._proven.lefts,
        )

    def _rows(self) -> None:
        """The fewest rows; one of them is tried first, the likeliest."""
        proof = self._proven
        if len(proof.lefts) == 1:
            self.proof = replace(proof, minimal=True)
            return
        one = self._likeliest(proof)
        if self._ask(Attempt((one,))) is Answer.YES:
            self.proof = replace(proof, lefts=(one,), minimal=True)
            return
        items = tuple(range(len(proof.lefts)))
        self._minimal(items, lambda some: tuple(proof.lefts[each] for each in some))
        self.proof = replace(self._proven, minimal=self._is_minimal)

    def _likeliest(self, proof: Proof) -> Left:
        """A row that holds what its table's guess is about, the last of them."""
        guess = self._group().guess
        for left in reversed(proof.lefts):
            values = left.change.values
            if any(column in values and values[column] is None for column in guess):
                return left
        return proof.lefts[-1]

    def _minimal(
        self,
        items: tuple[T, ...],
        lefts_of: Callable[[tuple[T, ...]], tuple[Left, ...]],
    ) -> tuple[T, ...]:
        """The smallest part of the items that is enough; the proof grows on the way."""

        def answer(some: tuple[T, ...]) -> Answer | None:
            return self._answers(Attempt(lefts_of(some)))

        found = minimise(items, answer)
        best = found.best if isinstance(found, Ask) else found.items
        self.proof = replace(self._proven, lefts=lefts_of(best))
        if isinstance(found, Ask):
            raise _Unanswered(Attempt(lefts_of(found.subsets[0])))
        self._is_minimal = found.minimal
        return found.items

    def _columns(self) -> None:
        """Whether the rows' values matter at all, and of which columns."""
        columns = self._group().columns
        if not columns:
            return
        match self._ask(self._without(frozenset(columns))):
            case Answer.YES:
                self.proof = replace(self._proven, alike=columns)
            case Answer.NO:
                self._needed(columns)
            case Answer.NEITHER:
                return

    def _needed(self, columns: tuple[str, ...]) -> None:
        """The fewest of these columns that have to keep their values.

        With all of them it fails, and with none it passes.
        """

        def without(kept: tuple[str, ...]) -> Attempt:
            return self._without(frozenset(columns).difference(kept))

        found = minimise(columns, lambda kept: self._answers(without(kept)))
        if isinstance(found, Ask):
            raise _Unanswered(without(found.subsets[0]))
        if found.minimal:
            self._matter(found.items)
