"""Which test of head is which test of base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Match
from fairtrial.integrity.comparing.sites import Located

#: How much of their demands two tests share to be one test with another name.
LIKE: Final = 0.6
#: A demand that more tests than this have says nothing about who is who.
_COMMON: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """A test of base and a test of head that are the same test; None: there is none."""

    match: Match
    base: Located | None
    head: Located | None
    #: Further tests of head that hold a part of it: it was split.
    also: tuple[Located, ...] = ()


def matched(base: Iterable[Located], head: Iterable[Located]) -> list[Matched]:
    """Every test of both sides once, but for those that other tests took in.

    The order of asking: same file and names; the same text elsewhere; the same names
    in another file; much the same demands in the same file; the same questions there,
    whatever the answers.
    """
    olds, news = list(base), list(head)
    found: list[Matched] = []

    def take(pairs: Iterable[tuple[Located, Located]]) -> None:
        taken: set[int] = set()
        for old, new in pairs:
            taken |= {id(old), id(new)}
            found.append(Matched(match=_way(old, new), base=old, head=new))
        olds[:] = [each for each in olds if id(each) not in taken]
        news[:] = [each for each in news if id(each) not in taken]

    for trait in _TRAITS:
        take(list(_pairs(olds, news, trait)))
    take(_related(_pairs(olds, news, lambda it: it.place.names)))
    take(_related(_pairs(olds, news, lambda it: it.place.names[-1:])))
    take(list(_alike(olds, news)))
    take([each for each in _pairs(olds, news, _asked) if _keeps_rows(*each)])
    found += [Matched(match=Match.GONE, base=old, head=None) for old in olds]
    found += [Matched(match=Match.NEW, base=None, head=new) for new in news]
    return found


def _way(old: Located, new: Located) -> Match:
    if old.place == new.place:
        return Match.SAME
    return Match.RENAMED if old.place.path == new.place.path else Match.MOVED


#: What two tests have to share, the surest first.
_TRAITS: Final[tuple[Callable[[Located], Hashable], ...]] = (
    lambda it: (it.place, it.test.digest),
    lambda it: it.place,
    lambda it: (it.place.path, it.place.names[-1:], it.test.digest or None),
    lambda it: (it.place.path, it.test.digest) if it.test.digest else None,
    lambda it: (it.place.names, it.test.digest) if it.test.digest else None,
    lambda it: (it.place.names[-1:], it.test.digest) if it.test.digest else None,
    lambda it: it.test.digest or None,
    # A class that was renamed, or a test that moved into or out of one.
    lambda it: (it.place.path, it.place.names[-1:]),
)


def _pairs(
    olds: Sequence[Located],
    news: Sequence[Located],
    trait: Callable[[Located], Hashable],
) -> Iterator[tuple[Located, Located]]:
    """Pairs by a trait; of several that share it, the last ones go together.

    The last of two definitions of one name is the one that counts.
    """
    waiting: dict[Hashable, list[Located]] = {}
    for new in news:
        if (key := trait(new)) is not None:
            waiting.setdefault(key, []).append(new)
    for old in reversed(olds):
        key = trait(old)
        partners = None if key is None else waiting.get(key)
        if partners:
            yield old, partners.pop()


def _asked(located: Located) -> Hashable:
    """What a test looks at, and with which inputs; None where that says too little."""
    asked = Counter(
        (demand.aspect, demand.subject, demand.inputs)
        for demand in _demands(located)
        if demand.aspect is not Aspect.ROW
    )
    is_told = _rows(located) or any(inputs for _, _, inputs in asked)
    if not is_told or not any(
        aspect is Aspect.ASSERTION and subject for aspect, subject, _ in asked
    ):
        return None
    return (located.place.path, frozenset(asked.items()))


def _keeps_rows(old: Located, new: Located) -> bool:
    return _rows(old) <= _rows(new)


def _rows(located: Located) -> Counter[tuple[str, ...]]:
    return Counter(each.key for each in _demands(located) if each.aspect is Aspect.ROW)


def _demands(located: Located) -> tuple[Demand, ...]:
    return located.test.demands if located.told is None else located.told


def _related(
    pairs: Iterable[tuple[Located, Located]],
) -> list[tuple[Located, Located]]:
    """Pairs from two files: the same name is not enough, names are often the same."""
    return [(old, new) for old, new in pairs if likeness(old, new) > 0]


def _alike(
    olds: Sequence[Located], news: Sequence[Located]
) -> Iterator[tuple[Located, Located]]:
    """Tests of one file that share most of their demands, the most alike first."""
    having: dict[Hashable, list[int]] = {}
    for place, new in enumerate(news):
        for key in set(_keys(new)):
            having.setdefault((new.place.path, key), []).append(place)
    scores: list[tuple[float, int, int]] = []
    for place, old in enumerate(olds):
        mine = _keys(old)
        near = {
            each
            for key in mine
            if len(them := having.get((old.place.path, key), [])) <= _COMMON
            for each in them
        }
        for other in near:
            score = likeness(old, news[other])
            if score >= LIKE:
                scores.append((-score, place, other))
    taken_old, taken_new = set[int](), set[int]()
    for _, place, other in sorted(scores):
        if place not in taken_old and other not in taken_new:
            taken_old.add(place)
            taken_new.add(other)
            yield olds[place], news[other]


def likeness(old: Located, new: Located) -> float:
    """The share of demands that two tests have in common, from 0 to 1."""
    mine, theirs = _keys(old), _keys(new)
    most = max(mine.total(), theirs.total())
    return (mine & theirs).total() / most if most else 0.0


def _keys(located: Located) -> Counter[tuple[str, ...]]:
    return Counter(each.key for each in _demands(located))
