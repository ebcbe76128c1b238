"""How mutants are tried on two versions of tests: in waves, side by side, in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from fairtrial.domain.experiments import SUITE, Experiment, Observation, Purpose, Shape
from fairtrial.domain.names import OverlayId, RepoPath, TestId
from fairtrial.domain.trees import Tree
from fairtrial.integrity.mutation.choice import Target
from fairtrial.integrity.mutation.kills import (
    Answer,
    KillQuestion,
    Kills,
    LostMutant,
    answer,
)
from fairtrial.laboratory import Laboratory

#: Mutants that each test is tried on, at least, if it reaches that many.
ENOUGH: Final = 20
#: Where base's version lets many of them live, and there is time, up to so many.
BONUS: Final = 40
#: A wave takes so many of each test, and of so many tests after the first wave.
WAVE: Final = 5
DEPTH: Final = 4
#: Lost kills that are shown; one more would say nothing new.
SHOWN: Final = 3
#: Trials in one batch, for each that may run side by side.
BATCH: Final = 4
#: A test whose file can't even be collected has noticed the fault.
NOTICED: Final = frozenset({Answer.KILLED, Answer.STILLBORN})


@dataclass(slots=True, kw_only=True)
class Case:
    """One question on its way to an answer."""

    question: KillQuestion
    #: Those of its tests that hold on unchanged production.
    base: tuple[TestId, ...]
    head: tuple[TestId, ...]
    #: Mutants that are still to be tried, in this order.
    left: list[Target]
    #: Why not all of them could be settled; empty: they were.
    unsettled: str = ""
    tried: int = 0
    killed: int = 0
    lost: list[LostMutant] = field(default_factory=list)

    @property
    def compared(self) -> bool:
        """Whether there is a head version at all."""
        return bool(self.question.head)

    @property
    def closed(self) -> bool:
        """Whether another mutant would say nothing more."""
        told = self.killed >= ENOUGH if self.compared else self.killed > 0
        return not self.left or told or len(self.lost) >= SHOWN

    @property
    def finished(self) -> bool:
        """Whether enough was tried to be told."""
        return self.closed or self.tried >= ENOUGH

    def kills(self) -> Kills:
        """What is told of it; a confirmed loss is told even where time ended."""
        why, late = self.unsettled, False
        if not self.finished:
            late = not why
            why = f"the time for it ended after {self.tried} mutants"
        return Kills(
            tried=self.tried,
            killed_by_base=self.killed,
            lost=tuple(self.lost),
            measured=bool(self.lost) or not why,
            why="" if self.lost else why,
            late=late and not self.lost,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A kill of base's version that was seen once, and not of head's."""

    target: Target
    case: Case
    #: A time-out or a crash beside others was part of it.
    loud: bool


@dataclass(slots=True, kw_only=True)
class Mutants:
    """Makes the trials of mutants on one suite's bench."""

    laboratory: Laboratory
    base_tree: Callable[[OverlayId], Tree]
    head_tree: Callable[[OverlayId], Tree]
    #: The unchanged texts of the files that have mutants.
    texts: Mapping[RepoPath, str]
    #: How long each test took on unchanged production.
    seconds: Mapping[TestId, float]
    #: How long the trial of all of them took.
    whole: float
    clock: Callable[[], float]
    deadline: float
    #: When no more than the needed mutants are tried.
    no_bonus: float
    _numbers: count[int] = field(default_factory=count)
    _spent: float = 0.0
    _made: int = 0

    def on_both(self, pairs: Mapping[Target, Sequence[Case]]) -> list[Doubt]:
        """What has to be confirmed; kills that both versions make are counted.

        What base's version lets live, or can't be tried with, is neither.
        """
        laid = {target: self._lay(target) for target in pairs}
        trials = [
            self._trial(self.base_tree(laid[target]), _tests(cases, "base"))
            for target, cases in pairs.items()
        ]
        killed: dict[Target, list[tuple[Case, Answer]]] = {}
        for (target, cases), seen in zip(
            pairs.items(), self._perform(trials), strict=True
        ):
            for case in cases:
                said = answer(seen, case.base)
                if said in {Answer.KILLED, Answer.LOUD}:
                    killed.setdefault(target, []).append((case, said))
        found = self._on_head(killed, laid)
        for overlay in laid.values():
            self.laboratory.source.lift(overlay)
        return found

    def _on_head(
        self,
        killed: Mapping[Target, Sequence[tuple[Case, Answer]]],
        laid: Mapping[Target, OverlayId],
    ) -> list[Doubt]:
        tests = {
            target: _tests([case for case, _ in cases], "head")
            for target, cases in killed.items()
        }
        tried = [target for target in killed if tests[target]]
        trials = [self._trial(self.head_tree(laid[t]), tests[t]) for t in tried]
        seen = dict(zip(tried, self._perform(trials), strict=True))
        doubtful = []
        for target, cases in killed.items():
            for case, on_base in cases:
                # Tests that head skips notice nothing, and need no trial.
                on_head = Answer.LIVES
                if case.head:
                    on_head = answer(seen[target], case.head)
                loud = Answer.LOUD in {on_base, on_head}
                if not case.compared:
                    kept = on_base is Answer.KILLED
                else:
                    both = on_base is on_head is Answer.LOUD
                    kept = both or on_head in NOTICED
                if kept:
                    case.killed += 1
                else:
                    doubtful.append(Doubt(target=target, case=case, loud=loud))
        return doubtful

    def confirm(self, doubtful: Sequence[Doubt]) -> None:
        """Each version of each case once more on its mutant, beside no other test.

        Where a time-out or a crash was seen, nothing at all runs beside it.
        """
        laid = {each.target: self._lay(each.target) for each in doubtful}
        trials = []
        for each in doubtful:
            overlay, case = laid[each.target], each.case
            base = self._trial(self.base_tree(overlay), case.base, quiet=each.loud)
            trials.append(base)
            if case.head:
                tree = self.head_tree(overlay)
                trials.append(self._trial(tree, case.head, quiet=each.loud))
        seen = iter(self._perform(trials))
        for each in doubtful:
            on_base = answer(next(seen), each.case.base)
            _settle(each, on_base, next(seen) if each.case.head else None)
        for overlay in laid.values():
            self.laboratory.source.lift(overlay)

    @property
    def room(self) -> int:
        """How many mutants can be tried in the time that is left; 0: no more."""
        width = max(1, self.laboratory.bench.parallel)
        left = self.deadline - self.clock()
        if left <= 0:
            return 0
        if not self._made:
            return width
        # A mutant takes a trial of base's version, and most take one of head's.
        return min(BATCH * width, int(left / (2 * self._spent / self._made)))

    def _lay(self, target: Target) -> OverlayId:
        overlay = OverlayId(f"mutant:{next(self._numbers)}")
        text = target.mutant.of(self.texts[target.path])
        self.laboratory.source.lay(overlay, {target.path: text.encode("utf-8")})
        return overlay

    def _perform(self, trials: Sequence[Experiment]) -> tuple[Observation, ...]:
        if not trials:
            return ()
        begun = self.clock()
        seen = self.laboratory.perform(trials)
        self._spent += self.clock() - begun
        self._made += len(trials)
        return seen

    def _trial(
        self, tree: Tree, tests: tuple[TestId, ...], *, quiet: bool = False
    ) -> Experiment:
        longest = max((self.seconds.get(test, 0.0) for test in tests), default=0.0)
        one = max(2.0, 10 * longest)
        return Experiment(
            suite=self.laboratory.suite.name,
            tree=tree,
            context=SUITE,
            shape=Shape.LISTED,
            tests=tests,
            subjects=tests,
            purpose=Purpose.KILLS,
            quiet=quiet,
            test_timeout=one,
            trial_timeout=max(10.0, 5 * self.whole) + one,
        )


def try_mutants(cases: Sequence[Case], mutants: Mutants) -> None:
    """Try each case's mutants in waves, until all are closed or the time ends."""
    while wave := _wave(cases, bonus=mutants.clock() < mutants.no_bonus):
        while wave:
            room = mutants.room
            if not room:
                return
            batch = {target: wave.pop(target) for target in list(wave)[:room]}
            _batch(batch, mutants)


def _batch(batch: Mapping[Target, Sequence[Case]], mutants: Mutants) -> None:
    doubtful = []
    shown = Counter[int]()
    for each in mutants.on_both(batch):
        # What is beyond those that are shown needs no confirmation.
        shown[id(each.case)] += 1
        if shown[id(each.case)] <= SHOWN - len(each.case.lost):
            doubtful.append(each)
    if mutants.clock() < mutants.deadline:
        mutants.confirm(doubtful)
    else:
        for each in doubtful:
            each.case.unsettled = "the time for it ended before a loss was confirmed"
    for target, cases in batch.items():
        for case in cases:
            case.left.remove(target)
            case.tried += 1


def _settle(doubt: Doubt, on_base: Answer, seen: Observation | None) -> None:
    """Count a kill, and a loss, that were seen a second time."""
    case = doubt.case
    if on_base is not Answer.KILLED:
        return
    case.killed += 1
    on_head = Answer.LIVES if seen is None else answer(seen, case.head)
    if not case.compared or on_head in NOTICED:
        return
    if on_head is Answer.LIVES:
        case.lost.append(_lost(doubt.target))
    else:
        why = "" if seen is None else seen.distrust
        case.unsettled = f"its head version could not be tried on a mutant: {why}"


def _wave(cases: Sequence[Case], *, bonus: bool) -> dict[Target, list[Case]]:
    """The next mutants of all cases, each with everyone who is to be tried on it."""
    unfinished = [case for case in cases if not case.finished]
    more = [case for case in cases if not case.closed and case.tried < BONUS]
    fresh = [case for case in unfinished if case.tried < WAVE]
    # After a first look at all, a few are brought to their end before the next: when
    # time ends, many that are nearly done would be worth nothing.
    turn = sorted(unfinished, key=lambda case: -case.tried)[:DEPTH]
    found: dict[Target, list[Case]] = {}
    for case in fresh or turn or (more if bonus else []):
        for target in case.left[:WAVE]:
            found.setdefault(target, [])
    for case in unfinished or more:
        for target in set(case.left) & found.keys():
            found[target].append(case)
    return found


def _tests(cases: Sequence[Case], side: str) -> tuple[TestId, ...]:
    tests = (test for case in cases for test in getattr(case, side))
    return tuple(dict.fromkeys(tests))


def _lost(target: Target) -> LostMutant:
    mutant = target.mutant
    return LostMutant(
        path=target.path,
        line=mutant.line,
        operator=mutant.operator.value,
        was=mutant.was,
        now=mutant.now,
    )
