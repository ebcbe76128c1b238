"""Which tests that seem gone live on as rows, or within other tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Match
from fairtrial.integrity.comparing.matching import Matched
from fairtrial.integrity.comparing.rows import written_out
from fairtrial.integrity.comparing.sites import Located, Site, sites

#: What a test has to bring along to live on in another one.
_CARRIED: Final = frozenset(
    {Aspect.ASSERTION, Aspect.ARRANGEMENT, Aspect.SUPPORT, Aspect.SNAPSHOT}
)
#: Tests of head that are looked through at most.
_MOST: Final = 2_000
#: Tests that are tried as the host of one; a demand that more have tells nothing.
_MOST_HOSTS: Final = 50

_Key = tuple[str, ...]


def merged(found: Sequence[Matched]) -> list[Matched]:
    """The same matches, with tests that other tests took in as merged.

    Every assertion and step of such a test is found again, its inputs and expected
    values filled in from a row, in a test that is new or that gained them.
    """
    pools = _Pools(found)
    told = []
    for each in found:
        if each.match is Match.GONE and each.base is not None:
            hosts = pools.hosts(each.base)
            if hosts:
                told.append(
                    replace(each, match=Match.MERGED, head=hosts[0], also=hosts[1:])
                )
                continue
        told.append(each)
    return told


def taken_in(pair: Matched) -> tuple[list[Site], list[Site]]:
    """A merged test's demands, and those of its hosts that are about it.

    What the hosts assert and do for others is left out; what holds for all of a host,
    its skips and handlers, is not.
    """
    assert pair.base is not None
    assert pair.head is not None
    was = written_out(_sites(pair.base))
    keys = {site.key for site in was}
    now = [
        site
        for host in (pair.head, *pair.also)
        for site in written_out(_sites(host))
        if site.demand.aspect not in _CARRIED | {Aspect.ROW} or site.key in keys
    ]
    return [site for site in was if site.demand.aspect is not Aspect.ROW], now


def carried_over(lost: Iterable[_Key], news: Sequence[Located]) -> list[Site]:
    """What a parametrised test lost and new tests of its file assert by themselves."""
    missing = Counter(lost)
    found = []
    for each in news[:_MOST]:
        for site in _sites(each):
            if site.demand.aspect is Aspect.ASSERTION and missing[site.key] > 0:
                missing[site.key] -= 1
                found.append(site)
    return found


class _Pools:
    """What tests of head demand beyond what their own base versions did."""

    def __init__(self, found: Sequence[Matched]) -> None:
        self._having: dict[_Key, list[int]] = {}
        self._pools: list[tuple[Located, Counter[_Key]]] = []
        for each in found:
            if each.head is None or len(self._pools) >= _MOST:
                continue
            pool = _carried(each.head)
            if each.base is not None:
                pool -= _carried(each.base)
            for key in pool:
                self._having.setdefault(key, []).append(len(self._pools))
            self._pools.append((each.head, pool))

    def hosts(self, gone: Located) -> tuple[Located, ...]:
        """The tests that took a gone one in: one, or several for one with rows."""
        needed = _carried(gone)
        asserted = [key for key in needed if key[0] == Aspect.ASSERTION.value]
        near = [self._having.get(key, []) for key in asserted]
        if not near or not all(near):
            return ()
        for place in min(near, key=len)[:_MOST_HOSTS]:
            host, pool = self._pools[place]
            if needed <= pool:
                pool -= needed
                return (host,)
        if not _has_rows(gone):
            return ()
        several = {place for places in near for place in places[:_MOST_HOSTS]}
        return self._shared(needed, several)

    def _shared(self, needed: Counter[_Key], places: set[int]) -> tuple[Located, ...]:
        """Several tests that hold the rows of one between them."""
        total: Counter[_Key] = Counter()
        for place in places:
            total += self._pools[place][1]
        if not needed <= total:
            return ()
        for place in places:
            self._pools[place][1].subtract(needed)
        return tuple(self._pools[place][0] for place in sorted(places))


def _sites(located: Located) -> list[Site]:
    demands = located.test.demands if located.told is None else located.told
    return sites(demands, located.place.path)


def _has_rows(located: Located) -> bool:
    return any(each.aspect is Aspect.ROW for each in located.test.demands)


def _carried(located: Located) -> Counter[_Key]:
    return Counter(
        site.key
        for site in written_out(_sites(located))
        if site.demand.aspect in _CARRIED
        and site.demand.kind is not AssertionKind.VACUOUS
    )
