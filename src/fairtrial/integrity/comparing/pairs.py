"""What became of one test: its own demands, and those of all that it uses."""

from __future__ import annotations

from fairtrial.domain.demands import (
    HEAVINESS,
    Aspect,
    Compared,
    Demand,
    Difference,
    Match,
)
from fairtrial.integrity.comparing.differences import MOST, between
from fairtrial.integrity.comparing.graph import Closure, Graph
from fairtrial.integrity.comparing.imports import changed_imports
from fairtrial.integrity.comparing.matching import Matched
from fairtrial.integrity.comparing.renames import NO_RENAMES, Renames
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import (
    Located,
    LocatedSupport,
    Site,
    shortened,
    sites,
)
from fairtrial.integrity.comparing.stand_ins import StandIns
from fairtrial.integrity.comparing.supports import support_differences


class Pairs:
    """Holds tests of two sides against each other."""

    def __init__(self, base: Graph, head: Graph, renames: Renames = NO_RENAMES) -> None:
        self._base = base
        self._head = head
        self._renames = renames
        self._stand_ins = StandIns(base, head)

    def compared(self, pair: Matched) -> Compared:
        """One test before and after, with every difference."""
        if pair.base is None and pair.head is not None:
            return _new(pair.head)
        if pair.head is None:
            assert pair.base is not None
            return gone(pair.base, Rule.TEST_REMOVED)
        assert pair.base is not None
        return self._both(pair.match, pair.base, pair.head)

    def _both(self, match: Match, base: Located, head: Located) -> Compared:
        old, new = self._base.closure(base), self._head.closure(head)
        was, now = _own(base), _own(head)
        changed = _changed(old, new)
        for name in changed:
            was += _of_support(old.supports.get(name))
            now += _of_support(new.supports.get(name))
        differences = self._between(was, now)
        differences += support_differences(
            {
                name: (old.supports.get(name), new.supports.get(name))
                for name in changed
            },
            differences,
            is_same_text=base.test.digest == head.test.digest,
        )
        differences += changed_imports(
            (base, old, self._base), (head, new, self._head), self._renames
        )
        identical = (
            not differences
            and not changed
            and not old.cut
            and not new.cut
            and bool(base.test.digest)
            and base.test.digest == head.test.digest
            and _keys(base.test.demands) == _keys(head.test.demands)
        )
        return Compared(
            match=match,
            base=base.place,
            head=head.place,
            differences=heaviest(differences),
            identical=identical,
        )

    def _between(self, was: list[Site], now: list[Site]) -> list[Difference]:
        if not self._renames.names:
            return between(was, now, self._stand_ins.is_production)
        # What the renaming of production explains is taken out of base's version.
        translated = [self._renames.site(site) for site in was]
        found = between(translated, now, self._stand_ins.is_production)
        for before, after in zip(was, translated, strict=True):
            if before.key != after.key and after.key in {site.key for site in now}:
                found.append(
                    Difference(
                        rule=Rule.SUBJECT_RENAMED.value,
                        aspect=before.demand.aspect,
                        change=change_of(Rule.SUBJECT_RENAMED),
                        path=now[0].path,
                        line=next(
                            site.demand.line for site in now if site.key == after.key
                        ),
                        was=shortened(before.demand.text),
                        now=shortened(
                            next(
                                site.demand.text
                                for site in now
                                if site.key == after.key
                            )
                        ),
                    )
                )
        return found


def gone(base: Located, rule: Rule, head: Located | None = None) -> Compared:
    """A test that head has not, or has without its running."""
    lost = Difference(
        rule=rule.value,
        aspect=Aspect.PRESENCE,
        change=change_of(rule),
        path=base.place.path if head is None else head.place.path,
        line=base.test.line if head is None else head.test.line,
        was=shortened(base.test.text or "::".join(base.place.names)),
        now="" if head is None else shortened(head.test.text),
    )
    return Compared(match=Match.GONE, base=base.place, head=None, differences=(lost,))


def heaviest(differences: list[Difference]) -> tuple[Difference, ...]:
    """Each difference once, in their order; of very many the heaviest."""
    told = list(dict.fromkeys(differences))
    if len(told) > MOST:
        told = sorted(told, key=lambda it: -HEAVINESS[it.change])[:MOST]
    return tuple(told)


def _new(head: Located) -> Compared:
    added = Difference(
        rule=Rule.TEST_ADDED.value,
        aspect=Aspect.PRESENCE,
        change=change_of(Rule.TEST_ADDED),
        path=head.place.path,
        line=head.test.line,
        now=shortened(head.test.text or "::".join(head.place.names)),
    )
    focus = (
        Difference(
            rule=Rule.FOCUS_ADDED.value,
            aspect=Aspect.FOCUS,
            change=change_of(Rule.FOCUS_ADDED),
            path=head.place.path,
            line=each.line,
            now=shortened(each.text),
        )
        for each in head.test.demands
        if each.aspect is Aspect.FOCUS
    )
    return Compared(
        match=Match.NEW, base=None, head=head.place, differences=(added, *focus)
    )


def _own(located: Located) -> list[Site]:
    return sites(located.test.demands, located.place.path)


def _of_support(found: LocatedSupport | None) -> list[Site]:
    if found is None:
        return []
    return sites(found.support.demands, found.path, found.support.name)


def _changed(old: Closure, new: Closure) -> list[str]:
    """Supports that are not the same on both sides, wherever they lie."""
    return [
        name
        for name in dict.fromkeys([*old.supports, *new.supports])
        if not _same(old.supports.get(name), new.supports.get(name))
    ]


def _same(old: LocatedSupport | None, new: LocatedSupport | None) -> bool:
    if old is None or new is None:
        return False
    one, other = old.support, new.support
    return (
        bool(one.digest)
        and one.digest == other.digest
        and one.automatic == other.automatic
        and _keys(one.demands) == _keys(other.demands)
    )


def _keys(demands: tuple[Demand, ...]) -> list[tuple[str, ...]]:
    return [each.key for each in demands]
