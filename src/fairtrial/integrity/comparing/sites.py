"""Where a demand is made: in a test itself, or in something that the test uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fairtrial.domain.demands import (
    Aspect,
    Change,
    Demand,
    Difference,
    Place,
    Support,
    WrittenTest,
)
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.words import words

#: Longest text of a difference, for people.
_LONGEST = 300
#: So much of what two long texts have in common is shown before they part.
_BEFORE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A test with its place."""

    place: Place
    test: WrittenTest
    #: For a test of base: its demands under production's new names.
    told: tuple[Demand, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedSupport:
    """A helper, fixture, constant or hook with the file that has it."""

    path: RepoPath
    support: Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A demand with the file that makes it, and the support's name where one does."""

    demand: Demand
    path: RepoPath
    support: str = ""
    #: The demand's key in one spelling.
    key: tuple[str, ...] = field(default=())


def sites(demands: Iterable[Demand], path: RepoPath, support: str = "") -> list[Site]:
    """Demands of one test or support, in their order."""
    return [
        Site(demand=each, path=path, support=support, key=normal(each))
        for each in demands
    ]


def normal(demand: Demand) -> tuple[str, ...]:
    """A demand's key, with spaces that say nothing left out."""
    return tuple(" ".join(words(part)) for part in demand.key)


def leftovers(
    base: Sequence[Site], head: Sequence[Site]
) -> tuple[list[Site], list[Site], list[tuple[Site, Site]]]:
    """What only base has, what only head has, and the pairs that are equal by key."""
    waiting: dict[tuple[str, ...], list[Site]] = {}
    for site in reversed(head):
        waiting.setdefault(site.key, []).append(site)
    lost, equal = [], []
    for site in base:
        if partners := waiting.get(site.key):
            equal.append((site, partners.pop()))
        else:
            lost.append(site)
    rest = Counter({key: len(sites) for key, sites in waiting.items()})
    gained = []
    for site in reversed(head):
        if rest[site.key] > 0:
            rest[site.key] -= 1
            gained.append(site)
    return lost, gained[::-1], equal


def difference(
    rule: Rule,
    aspect: Aspect,
    *,
    was: Site | None = None,
    now: Site | None = None,
    change: Change | None = None,
) -> Difference:
    """A difference between two demands, either of which may be missing."""
    site = now or was
    assert site is not None
    old, new = _side_by_side(was, now)
    return Difference(
        rule=rule.value,
        aspect=aspect,
        change=change_of(rule) if change is None else change,
        path=site.path,
        line=site.demand.line,
        was=old,
        now=new,
    )


def _side_by_side(was: Site | None, now: Site | None) -> tuple[str, str]:
    """Both demands for people; where they are written alike, what differs in them."""
    old = "" if was is None else shown(was.demand)
    new = "" if now is None else shown(now.demand)
    if was is None or now is None or old != new:
        return old, new
    for one, other in zip(_parts(was.demand), _parts(now.demand), strict=True):
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            apart = (place for place, (a, b) in pairs if a != b)
            start = max(0, next(apart, min(len(one), len(other))) - _BEFORE)
            lead = "…" if start else ""
            return shortened(lead + one[start:]), shortened(lead + other[start:])
    return old, new


def _parts(demand: Demand) -> tuple[str, ...]:
    return (demand.inputs, demand.expected, demand.subject, demand.guard)


def shown(demand: Demand) -> str:
    """A demand as people read it."""
    return shortened(
        demand.text
        or " ".join(filter(None, (demand.subject, demand.inputs, demand.expected)))
    )


def shortened(text: str) -> str:
    """A text on one line, cut where it gets too long for people."""
    flat = " ".join(text[: 4 * _LONGEST].split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
