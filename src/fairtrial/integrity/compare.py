"""What a change did to what the tests demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from fairtrial.domain.demands import Compared, Comparison, Match, Place
from fairtrial.domain.names import RepoPath
from fairtrial.integrity import Language, language_of
from fairtrial.integrity.comparing.dependents import dependents
from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.hidden import hidden
from fairtrial.integrity.comparing.matching import matched
from fairtrial.integrity.comparing.merging import merged
from fairtrial.integrity.comparing.pairs import Pairs, heaviest
from fairtrial.integrity.comparing.reading import Reading, Shelf
from fairtrial.integrity.comparing.renames import Renames, renamed
from fairtrial.integrity.comparing.resources import ties
from fairtrial.integrity.comparing.rules import RULES, Rule
from fairtrial.integrity.comparing.sites import Located

__all__ = ["RULES", "Renames", "Rule", "Side", "compare", "renamed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The sources of one side; both mappings may read a file when it is asked for."""

    #: All files of class test, and conftest files of class control.
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
    `changed_production` those of production; nothing else is taken to differ. Tests of
    changed files are all told, those of other files only where something they use
    differs.
    """
    shelf: Shelf = {}
    old = Graph(Reading(base.files, language, shelf), base.production)
    new = Graph(Reading(head.files, language, shelf), head.production)
    code = frozenset(path for path in changed if language(path) is not None)
    renames = renamed(base.production, head.production, changed_production)
    found = merged(
        matched(
            [_told(each, renames) for each in _tests(old, code, new)],
            _tests(new, code, old),
        )
    )
    news = [
        each.head for each in found if each.match is Match.NEW and each.head is not None
    ]
    pairs = Pairs(old, new, renames=renames, news=news)
    tests = [*hidden(found, pairs, old, new), *_elsewhere(old, new, code, pairs)]
    tests = _with_resources(tests, old, new, changed - code)
    return Comparison(
        tests=tuple(sorted(tests, key=_order)),
        unread={
            **_withheld(code, base, head),
            **old.reading.unread,
            **new.reading.unread,
        },
    )


def _withheld(
    code: frozenset[RepoPath], base: Side, head: Side
) -> Mapping[RepoPath, str]:
    """Changed files that neither side was given: what they hold is not known."""
    return {
        path: "it differs, and neither side's test files hold it"
        for path in sorted(code)
        if path not in base.files and path not in head.files
    }


def _tests(graph: Graph, paths: Iterable[RepoPath], other: Graph) -> Iterator[Located]:
    """The tests of changed files, but for files that one side can't read."""
    for path in sorted(paths):
        file = graph.reading.demands(path)
        unread = path in other.reading.files and other.reading.demands(path) is None
        if file is not None and not unread:
            for test in file.tests:
                yield Located(place=Place(path=path, names=test.names), test=test)


def _told(located: Located, renames: Renames) -> Located:
    if not renames:
        return located
    told = tuple(renames.demand(each) for each in located.test.demands)
    return replace(located, told=told)


def _elsewhere(
    base: Graph, head: Graph, code: frozenset[RepoPath], pairs: Pairs
) -> Iterator[Compared]:
    """Tests of unchanged files that use what changed."""
    for pair in dependents(base, head, code):
        compared = pairs.compared(pair)
        if not compared.identical:
            yield compared


def _with_resources(
    tests: list[Compared], base: Graph, head: Graph, resources: frozenset[RepoPath]
) -> list[Compared]:
    """The same tests with what became of the files that they read, and more tests."""
    by_place = {each.head: each for each in tests if each.head is not None}
    added: dict[Place, Compared] = {}
    for tie in ties(base, head, resources):
        place = tie.test.place
        known = by_place.get(place) or added.get(place)
        if known is None:
            known = Compared(match=Match.SAME, base=place, head=place)
        elif known.match is Match.NEW:
            continue
        added[place] = by_place[place] = replace(
            known,
            differences=heaviest([*known.differences, tie.difference]),
            identical=False,
        )
    untied = [each for each in tests if each.head not in added]
    return [*untied, *added.values()]


def _order(compared: Compared) -> tuple[Place, bool]:
    place = compared.head or compared.base
    assert place is not None
    return place, compared.head is None
