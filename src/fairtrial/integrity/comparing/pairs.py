"""What became of one test: its own demands, and those of all that it uses."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.domain.demands import (
    HEAVINESS,
    Aspect,
    Compared,
    Demand,
    Difference,
    Match,
)
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.differences import MOST, between
from fairtrial.integrity.comparing.graph import Closure, Graph
from fairtrial.integrity.comparing.imports import changed_imports
from fairtrial.integrity.comparing.matching import Matched
from fairtrial.integrity.comparing.merging import carried_over, taken_in
from fairtrial.integrity.comparing.renames import NO_RENAMES, Renames
from fairtrial.integrity.comparing.rows import has_rows, written_out
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import (
    Located,
    LocatedSupport,
    Site,
    difference,
    leftovers,
    shortened,
    sites,
)
from fairtrial.integrity.comparing.stand_ins import StandIns
from fairtrial.integrity.comparing.supports import (
    is_new_constant,
    support_differences,
    without_steps,
)


class Pairs:
    """Holds tests of two sides against each other."""

    def __init__(
        self,
        base: Graph,
        head: Graph,
        *,
        renames: Renames = NO_RENAMES,
        news: Sequence[Located] = (),
    ) -> None:
        self._base = base
        self._head = head
        self._renames = renames
        #: Tests that only head has, by their files.
        self._news: dict[RepoPath, list[Located]] = {}
        for each in news:
            self._news.setdefault(each.place.path, []).append(each)
        self._stand_ins = StandIns(base, head)

    def compared(self, pair: Matched) -> Compared:
        """One test before and after, with every difference."""
        if pair.base is None:
            assert pair.head is not None
            return _new(pair.head)
        if pair.head is None:
            return gone(pair.base, Rule.TEST_REMOVED)
        if pair.match is Match.MERGED:
            return self._merged(pair)
        return self._both(pair.match, pair.base, pair.head)

    def _merged(self, pair: Matched) -> Compared:
        assert pair.base is not None
        assert pair.head is not None
        was, now = taken_in(pair)
        return Compared(
            match=Match.MERGED,
            base=pair.base.place,
            head=pair.head.place,
            differences=heaviest(between(was, now, self._stand_ins)),
        )

    def _both(self, match: Match, base: Located, head: Located) -> Compared:
        old, new = self._base.closure(base), self._head.closure(head)
        was, now = _own(base), _own(head)
        classes = {*base.place.names, *head.place.names}
        changed = [
            name
            for name in _changed(old, new)
            if name not in classes or not _is_bare(old, new, name)
        ]
        for name in changed:
            if is_new_constant(old.supports.get(name), new.supports.get(name)):
                continue
            was += _of_support(old.supports.get(name))
            now += _of_support(new.supports.get(name))
        differences = self._between(was, now, self._news.get(head.place.path, []))
        both = {
            name: (old.supports.get(name), new.supports.get(name)) for name in changed
        }
        differences = without_steps(differences, both)
        differences += support_differences(
            both,
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
            and self._base.residue(base.place.path)
            == self._head.residue(head.place.path)
        )
        return Compared(
            match=match,
            base=base.place,
            head=head.place,
            differences=heaviest(differences),
            identical=identical,
        )

    def _between(
        self, was: list[Site], now: list[Site], news: Sequence[Located]
    ) -> list[Difference]:
        told, renamed = self._told(was, now)
        old_rows, new_rows = has_rows(told), has_rows(now)
        if news and old_rows and not new_rows:
            lost, _, _ = leftovers(written_out(told), now)
            now = [*now, *carried_over((site.key for site in lost), news)]
        return [*between(told, now, self._stand_ins), *renamed]

    def _told(
        self, was: list[Site], now: list[Site]
    ) -> tuple[list[Site], list[Difference]]:
        """Base's version under production's new names, where head has it so."""
        if not self._renames:
            return was, []
        held = {site.key: site for site in reversed(now)}
        told, renamed = [], []
        for site in was:
            other = site if site.key in held else self._renames.site(site)
            told.append(other)
            if other.key != site.key and other.key in held:
                renamed.append(
                    difference(
                        Rule.SUBJECT_RENAMED,
                        site.demand.aspect,
                        was=site,
                        now=held[other.key],
                    )
                )
        return told, renamed


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


def _is_bare(old: Closure, new: Closure, name: str) -> bool:
    """Whether it is a class around the test that does nothing but hold it."""
    found = [side.supports[name] for side in (old, new) if name in side.supports]
    return len(found) == 1 and not any(each.support.demands for each in found)


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
