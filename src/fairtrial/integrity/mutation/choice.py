"""Which of many mutants a test is tried on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.mutation.edits import Mutant, Operator

#: More candidates than this are thinned out evenly before one is compared with another.
CANDIDATES: Final = 1_500
#: How soon a function is turned to again: lines that only base's version of the test
#: runs are what an edit may have lost, and what the test names is what it is about.
_LOST, _NAMED, _OTHER = 1, 2, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One mutant of one file."""

    path: RepoPath
    mutant: Mutant


@dataclass(frozen=True, slots=True, kw_only=True)
class Interest:
    """What is known of a test before its mutants are chosen."""

    #: The lines that its base version runs.
    lines: Mapping[RepoPath, AbstractSet[int]]
    #: Those that its head version runs; None where that is not known.
    kept: Mapping[RepoPath, AbstractSet[int]] | None = None
    #: The identifiers in it.
    words: AbstractSet[str] = frozenset()
    #: How many of the measured tests run each line.
    company: Mapping[tuple[RepoPath, int], int] | None = None


def chosen(
    candidates: Iterable[Target],
    interest: Interest,
    limit: int,
    known: AbstractSet[Target] = frozenset(),
) -> tuple[Target, ...]:
    """At most `limit` of the mutants that a test reaches, the most telling first.

    They are spread over functions, lines and operators. What few tests run goes before
    what many do, and of equals one that is tried in any case (`known`) goes first.
    Equal arguments give equal answers.
    """
    reached = [each for each in candidates if _reached(each, interest)]
    pool = _Pool.of(_thinned(reached), interest, known)
    return tuple(pool.take() for _ in range(min(limit, len(pool.left))))


def _reached(target: Target, interest: Interest) -> bool:
    lines = interest.lines.get(target.path, frozenset())
    return bool(target.mutant.reach & lines)


def _thinned(targets: list[Target]) -> list[Target]:
    if len(targets) <= CANDIDATES:
        return targets
    ends = [len(targets) * part // CANDIDATES for part in range(CANDIDATES + 1)]
    return [targets[first] for first, _ in pairwise(ends)]


@dataclass(slots=True, kw_only=True)
class _Pool:
    """What is left to take, and what was taken of each kind."""

    left: list[Target]
    weights: Mapping[Target, int]
    #: How many tests run it, whether it is new, and its place in the text.
    ranks: Mapping[Target, tuple[int, bool, int]]
    functions: Counter[tuple[RepoPath, str]]
    lines: Counter[tuple[RepoPath, int]]
    operators: Counter[Operator]

    @classmethod
    def of(
        cls, targets: list[Target], interest: Interest, known: AbstractSet[Target]
    ) -> _Pool:
        return cls(
            left=targets,
            weights={each: _weight(each, interest) for each in targets},
            ranks={
                each: (_company(each, interest), each not in known, place)
                for place, each in enumerate(targets)
            },
            functions=Counter(),
            lines=Counter(),
            operators=Counter(),
        )

    def take(self) -> Target:
        best = min(self.left, key=self._rank)
        self.left.remove(best)
        mutant = best.mutant
        self.functions[best.path, mutant.scope] += 1
        self.lines[best.path, mutant.line] += 1
        self.operators[mutant.operator] += 1
        return best

    def _rank(self, target: Target) -> tuple[int, ...]:
        mutant = target.mutant
        weight = self.weights[target]
        taken = self.functions[target.path, mutant.scope]
        return (
            # The first of a function counts half: all weights start at their own.
            (2 * taken + 1) * weight,
            self.lines[target.path, mutant.line] + self.operators[mutant.operator],
            _COARSENESS[mutant.operator],
            *self.ranks[target],
        )


#: The operators come with the telling ones first.
_COARSENESS: Final = {operator: place for place, operator in enumerate(Operator)}


def _weight(target: Target, interest: Interest) -> int:
    if interest.kept is not None:
        kept = interest.kept.get(target.path, frozenset())
        if not target.mutant.reach & kept:
            return _LOST
    names = target.mutant.scope.split(".")
    return _NAMED if interest.words & set(names) else _OTHER


def _company(target: Target, interest: Interest) -> int:
    if interest.company is None:
        return 1
    path, own = target.path, interest.lines.get(target.path, frozenset())
    ran = target.mutant.reach & own
    return min((interest.company.get((path, line), 1) for line in ran), default=1)
