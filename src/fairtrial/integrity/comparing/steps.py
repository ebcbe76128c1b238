"""What became of the steps, stand-ins, rows and snapshots of a test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Difference
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.sites import Site, difference
from fairtrial.integrity.comparing.words import words

#: How many rows of each side are held against each other; the rest go in their order.
_MOST_ROWS: Final = 200


def mocks(
    lost: Sequence[Site],
    gained: Sequence[Site],
    is_production: Callable[[Site], bool],
) -> Iterator[Difference]:
    """Stand-ins; one for production takes what it replaces out of the test."""
    for was, now in _paired(lost, gained, _by_subject):
        if was is not None and now is not None and _by_subject(was) == _by_subject(now):
            yield difference(Rule.MOCK_CHANGED, Aspect.MOCK, was=was, now=now)
            continue
        if now is not None:
            ours = is_production(now)
            rule = Rule.SUBJECT_MOCKED if ours else Rule.MOCK_ADDED
            yield difference(rule, Aspect.MOCK, now=now)
        elif was is not None:
            yield difference(Rule.MOCK_REMOVED, Aspect.MOCK, was=was)


def rows(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Parameter rows: the most alike are taken for one row with other values."""
    yield from _three_ways(
        _alike(lost, gained),
        Aspect.ROW,
        (Rule.ROW_ADDED, Rule.ROW_CHANGED, Rule.ROW_REMOVED),
    )


def arrangements(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """The steps that a test takes before it looks."""
    yield from _three_ways(
        _paired(lost, gained, _by_subject),
        Aspect.ARRANGEMENT,
        (
            Rule.ARRANGEMENT_ADDED,
            Rule.ARRANGEMENT_CHANGED,
            Rule.ARRANGEMENT_REMOVED,
        ),
    )


def supports(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Helpers and fixtures as the test itself calls them."""
    yield from _three_ways(
        _paired(lost, gained, _by_subject),
        Aspect.SUPPORT,
        (
            Rule.ARRANGEMENT_ADDED,
            Rule.ARRANGEMENT_CHANGED,
            Rule.ARRANGEMENT_REMOVED,
        ),
    )


def snapshots(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Snapshots and golden files as the test itself names or holds them."""
    pairs = list(_paired(lost, gained, _by_subject))
    olds = [was for was, now in pairs if was is not None and now is None]
    news = [now for was, now in pairs if was is None and now is not None]
    both = [(was, now) for was, now in pairs if was is not None and now is not None]
    # A snapshot that lost its name is paired with one that got a name.
    count = min(len(olds), len(news))
    both += list(zip(olds[:count], news[:count], strict=True))
    yield from _three_ways(
        iter(
            [
                *both,
                *((was, None) for was in olds[count:]),
                *((None, now) for now in news[count:]),
            ]
        ),
        Aspect.SNAPSHOT,
        (Rule.SNAPSHOT_ADDED, Rule.SNAPSHOT_CHANGED, Rule.SNAPSHOT_REMOVED),
    )


_Pairs = Iterator[tuple[Site | None, Site | None]]


def _three_ways(
    pairs: _Pairs, aspect: Aspect, rules: tuple[Rule, Rule, Rule]
) -> Iterator[Difference]:
    added, changed, removed = rules
    for was, now in pairs:
        if was is None:
            yield difference(added, aspect, now=now)
        elif now is None:
            yield difference(removed, aspect, was=was)
        else:
            yield difference(changed, aspect, was=was, now=now)


def _by_subject(site: Site) -> str:
    return site.demand.subject


def _paired(
    lost: Sequence[Site], gained: Sequence[Site], trait: Callable[[Site], str]
) -> _Pairs:
    waiting: dict[str, list[Site]] = {}
    for now in reversed(gained):
        waiting.setdefault(trait(now), []).append(now)
    for was in lost:
        partners = waiting.get(trait(was))
        yield was, partners.pop() if partners else None
    left = {id(now) for partners in waiting.values() for now in partners}
    for now in gained:
        if id(now) in left:
            yield None, now


def _alike(lost: Sequence[Site], gained: Sequence[Site]) -> _Pairs:
    """Each lost row with the gained row that shares most with it, while there are."""
    news = list(gained)
    bags = {id(now): _bag(now.demand) for now in news}
    for was in lost:
        if not news:
            yield was, None
            continue
        bag = _bag(was.demand)
        best = max(news[:_MOST_ROWS], key=lambda now: (bag & bags[id(now)]).total())
        news.remove(best)
        yield was, best
    for now in news:
        yield None, now


def _bag(demand: Demand) -> Counter[str]:
    return Counter(words(demand.expected)[:_MOST_ROWS])
