"""Which assertions are still written down and don't count any more, or count again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Difference
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.sites import Site, difference

_SILENT: Final = frozenset({Aspect.SWALLOWED, Aspect.UNREACHABLE})


def silenced(
    lost: Sequence[Site], gained: Sequence[Site]
) -> tuple[list[Site], list[Site], list[Difference]]:
    """Both sides without such assertions, and what became of these.

    A reader tells an assertion below a handler that swallows its failure, or one that
    is never reached, as swallowed or unreachable in place of an assertion.
    """
    found: list[Difference] = []
    done: set[int] = set()
    for was, now in _partners(lost, gained):
        heard = now.demand.aspect
        swallowed = heard is Aspect.SWALLOWED
        rule = Rule.EXCEPTION_SWALLOWED if swallowed else Rule.CODE_UNREACHABLE
        found.append(difference(rule, heard, was=was, now=now))
        done |= {id(was), id(now)}
    for now, was in _partners(gained, lost):
        heard = was.demand.aspect
        swallowed = heard is Aspect.SWALLOWED
        rule = Rule.EXCEPTION_HEARD if swallowed else Rule.CODE_REACHABLE
        found.append(difference(rule, heard, was=was, now=now))
        done |= {id(was), id(now)}
    return (
        [site for site in lost if id(site) not in done],
        [site for site in gained if id(site) not in done],
        found,
    )


def _partners(
    asserted: Sequence[Site], silent: Sequence[Site]
) -> list[tuple[Site, Site]]:
    """Assertions of one side with the same ones that don't count on the other."""
    waiting: dict[tuple[object, ...], list[Site]] = {}
    for site in reversed(asserted):
        if site.demand.aspect is Aspect.ASSERTION:
            waiting.setdefault(_said(site), []).append(site)
    return [
        (waiting[_said(site)].pop(), site)
        for site in silent
        if site.demand.aspect in _SILENT and waiting.get(_said(site))
    ]


def _said(site: Site) -> tuple[object, ...]:
    demand = site.demand
    return (demand.kind, demand.subject, demand.inputs, demand.expected)
