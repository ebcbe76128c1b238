"""Where a change may have taught production to recognise that it is being tested.

No experiment can see such code, since it behaves well whenever it is tried. What is
found here is a guess of patterns, to be shown to people and never to decide anything.
The habits are those that reports on reward hacking list: special-cased inputs,
overloaded equality, patched evaluators, asked test environments (METR, "Recent frontier
models are reward hacking", 2025; ImpossibleBench, arXiv:2510.20270).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.recognition import cases, lines, python
from fairtrial.integrity.recognition.text import (
    Source,
    Spot,
    language_of,
    source_of,
)

__all__ = [
    "Recognised",
    "SourceChange",
    "is_read",
    "literals_of",
    "may_special_case",
    "recognised",
    "special_cased",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChange:
    """One changed file of production; None on the side that has no such file."""

    path: RepoPath
    base: str | None
    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """One line that the change adds, and what it looks like."""

    path: RepoPath
    line: int
    rule: str
    text: str
    why: str


#: What each rule's line looks like, as the end of a sentence.
WHY: Final = {
    "test-environment-asked": "it asks for a variable that only a test run has",
    "ci-environment-asked": "it asks whether it runs in continuous integration",
    "test-mode-asked": "it does something else in the test mode",
    "test-runner-asked": "it asks whether a test runner is there",
    "stack-inspected": "it looks at its callers for tests",
    "test-framework-imported": "production imports a test framework",
    "input-special-cased": (
        "one input of the tests gets the answer of the tests, written out"
    ),
    "answers-tabled": "it holds a table of the tests' inputs and answers",
    "always-equal": "a comparison has the same answer for whatever is compared",
    "early-exit": "it ends the process before anything can fail",
    "exception-swallowed": "an exception of any kind is thrown away",
    "machinery-replaced": "it replaces parts of the language or of a test framework",
}

_Finder = Callable[[Source], Iterator[Spot]]


def recognised(changes: Iterable[SourceChange]) -> tuple[Recognised, ...]:
    """What the change adds of every rule that needs no knowledge of the tests.

    Files that no grammar reads, or that are too long or too deep, have nothing found
    in them. A line that some changed file had at base is moved, not added.
    """
    return _added(tuple(changes), lines.spots, python.spots)


def may_special_case(changes: Iterable[SourceChange]) -> bool:
    """Whether the change adds an answer for one input, whatever the tests hold.

    Asked first, since reading the literals of all tests takes a while.
    """
    return bool(_added(tuple(changes), cases.Cases(None)))


def special_cased(
    changes: Iterable[SourceChange], test_literals: frozenset[str]
) -> tuple[Recognised, ...]:
    """Where the change answers an input of the tests with an answer of the tests.

    `test_literals` are the literals of the tests as `literals_of` writes them.
    """
    return _added(tuple(changes), cases.Cases(test_literals))


def is_read(path: RepoPath) -> bool:
    """Whether a file of this name is looked at."""
    return language_of(path) is not None


def literals_of(path: RepoPath, text: str) -> frozenset[str]:
    """The literals of one file of tests, each in one spelling; none if unreadable."""
    try:
        source = source_of(path, text)
    except CannotRead:
        return frozenset()
    return frozenset() if source is None else cases.literals(source)


def _added(
    changes: tuple[SourceChange, ...], *finders: _Finder
) -> tuple[Recognised, ...]:
    before: Counter[tuple[str, str]] = Counter()
    for change in changes:
        before.update(spot.key for spot in _spots(change.path, change.base, finders))
    found = []
    for change in changes:
        for spot in _spots(change.path, change.head, finders):
            if before[spot.key]:
                before[spot.key] -= 1
                continue
            found.append(
                Recognised(
                    path=change.path,
                    line=spot.line,
                    rule=spot.rule,
                    text=spot.text,
                    why=WHY[spot.rule],
                )
            )
    return tuple(found)


def _spots(
    path: RepoPath, text: str | None, finders: tuple[_Finder, ...]
) -> Iterator[Spot]:
    # A minified bundle is nobody's own work, and one line of it is no place.
    if text is None or ".min." in PurePosixPath(path).name or not language_of(path):
        return
    try:
        source = source_of(path, text)
        if source is not None:
            for finder in finders:
                yield from finder(source)
    except CannotRead:
        return
