"""In which orders a suite's tests are run, so that each pair of neighbours is covered.

Tests stay inside their group and groups inside their file, as runners and fixtures
expect it: Li, Khosravi, Lam and Shi, "Systematically Producing Test Orders to Detect
Order-Dependent Flaky Tests" (ISSTA 2023), call that intra-class coverage. Pairs of
files, of groups within a file and of tests within a group are covered side by side, by
one order for each row of the largest square.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairtrial.domain.experiments import Unit
from fairtrial.domain.names import TestId
from fairtrial.inquiry.audit import tuscan

#: The tests of a unit around a test, among the given ones.
Around = Callable[[TestId, Unit, tuple[TestId, ...]], tuple[TestId, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What stays together in every order: a test, or several groups."""

    test: TestId | None = None
    parts: tuple[Group, ...] = ()
    #: Orders until each pair inside has been neighbours.
    needed: int = 1

    def order(self, number: int) -> tuple[TestId, ...]:
        """The tests of one order, from 0; those that have nothing to show are left out.

        Beyond its own square a group runs in its own order, and only those parts of it
        that still have pairs to cover.
        """
        if self.test is not None:
            return (self.test,)
        count = len(self.parts)
        chosen: Sequence[int] = range(count)
        if number < tuscan.rows(count):
            chosen = tuscan.row(count, number)
        else:
            chosen = [at for at in chosen if self.parts[at].needed > number]
        return tuple(
            test
            for at in chosen
            for test in self.parts[at].order(self._own(at, number))
        )

    def _own(self, at: int, number: int) -> int:
        """A part whose own pairs are covered begins anew: any of its orders will do."""
        return number % self.parts[at].needed

    def backwards(self) -> tuple[TestId, ...]:
        """The own order turned round, each group's too."""
        if self.test is not None:
            return (self.test,)
        return tuple(test for part in reversed(self.parts) for test in part.backwards())

    def forwards(self) -> tuple[TestId, ...]:
        """The own order."""
        if self.test is not None:
            return (self.test,)
        return tuple(test for part in self.parts for test in part.forwards())

    @property
    def pairs(self) -> int:
        """Ordered pairs of neighbours, on all levels."""
        own = tuscan.pairs(len(self.parts))
        return own + sum(part.pairs for part in self.parts)

    def covered(self, orders: int) -> int:
        """At least how many of them the first so many orders cover."""
        own = tuscan.pairs_in(len(self.parts), orders)
        return own + sum(part.covered(orders) for part in self.parts)


def grouped(
    listed: Sequence[TestId], file_of: Callable[[TestId], str], around: Around
) -> Group:
    """A suite's tests by file and group, in listed order."""
    files: dict[str, list[TestId]] = {}
    for test in listed:
        files.setdefault(file_of(test), []).append(test)
    return _joined([_joined(_blocks(tuple(each), around)) for each in files.values()])


def _blocks(tests: tuple[TestId, ...], around: Around) -> list[Group]:
    block_of: dict[TestId, tuple[TestId, ...]] = {}
    for test in tests:
        if test not in block_of:
            block = around(test, Unit.CLASS, tests)
            block_of.update(dict.fromkeys(block, block))
    blocks = dict.fromkeys(block_of[test] for test in tests)
    return [_joined([Group(test=each) for each in block]) for block in blocks]


def _joined(parts: list[Group]) -> Group:
    if len(parts) == 1:
        return parts[0]
    needed = max((part.needed for part in parts), default=0)
    return Group(parts=tuple(parts), needed=max(needed, tuscan.rows(len(parts))))
