"""What a change did to what the tests demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fairtrial.domain.demands import Compared, Comparison, Place
from fairtrial.domain.names import RepoPath
from fairtrial.integrity import Language, language_of
from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.matching import matched
from fairtrial.integrity.comparing.pairs import Pairs
from fairtrial.integrity.comparing.reading import Reading, Shelf
from fairtrial.integrity.comparing.rules import RULES, Rule
from fairtrial.integrity.comparing.sites import Located

__all__ = ["RULES", "Rule", "Side", "compare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The sources of one side; both mappings may read a file when it is asked for."""

    #: All files of class test.
    files: Mapping[RepoPath, bytes]
    #: Production's files.
    production: Mapping[RepoPath, bytes]


def compare(
    base: Side,
    head: Side,
    *,
    changed: frozenset[RepoPath],
    changed_production: frozenset[RepoPath] = frozenset(),
    language: Callable[[RepoPath], Language | None] = language_of,
) -> Comparison:
    """All tests that the change touched, itself or through what they use.

    `changed` are the paths of class test that differ, on either side, and
    `changed_production` those of production; nothing else is taken to differ.
    """
    del changed_production
    shelf: Shelf = {}
    old = Graph(Reading(base.files, language, shelf), base.production)
    new = Graph(Reading(head.files, language, shelf), head.production)
    code = sorted(path for path in changed if language(path) is not None)
    pairs = Pairs(old, new)
    tests = [
        pairs.compared(pair)
        for pair in matched(_tests(old, code, new), _tests(new, code, old))
    ]
    return Comparison(
        tests=tuple(sorted(tests, key=_order)),
        unread={**old.reading.unread, **new.reading.unread},
    )


def _tests(graph: Graph, paths: Iterable[RepoPath], other: Graph) -> Iterator[Located]:
    """The tests of changed files, but for files that one side can't read."""
    for path in paths:
        file = graph.reading.demands(path)
        if file is None or (
            path in other.reading.files and other.reading.demands(path) is None
        ):
            continue
        for test in file.tests:
            yield Located(place=Place(path=path, names=test.names), test=test)


def _order(compared: Compared) -> tuple[Place, bool]:
    place = compared.head or compared.base
    assert place is not None
    return place, compared.head is None
