"""What became of skips, focus, retries, time limits, handlers and dead code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.demands import Aspect, Difference
from fairtrial.integrity.comparing.conditions import (
    is_about_platforms,
    is_narrower,
    is_unconditional,
)
from fairtrial.integrity.comparing.numbers import allows_more
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.sites import Site, difference


def skips(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Skips and expected failures; a condition about platforms alone is harmless."""
    for was, now in _paired(lost, gained):
        if now is None:
            assert was is not None
            gone = Rule.XFAIL_REMOVED if _is_xfail(was) else Rule.SKIP_REMOVED
            yield difference(gone, Aspect.SKIP, was=was)
        else:
            yield difference(_skip(was, now), Aspect.SKIP, was=was, now=now)


def _skip(was: Site | None, now: Site) -> Rule:
    condition = now.demand.expected
    if was is None or was.demand.subject != now.demand.subject:
        if is_about_platforms(condition) and not _is_xfail(now):
            return Rule.SKIP_ON_PLATFORM
        return Rule.XFAIL_ADDED if _is_xfail(now) else Rule.SKIP_ADDED
    if is_narrower(was.demand.expected, condition):
        return Rule.SKIP_NARROWED
    if is_about_platforms(condition) and not is_unconditional(condition):
        return Rule.SKIP_ON_PLATFORM
    return Rule.SKIP_WIDENED


def _is_xfail(site: Site) -> bool:
    return "fail" in site.demand.subject.lower()


def focus(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Focus markers that came or went."""
    yield from _come_and_go(
        lost, gained, Aspect.FOCUS, Rule.FOCUS_ADDED, Rule.FOCUS_REMOVED
    )


def swallowed(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Handlers that came or went; one that became another one still swallows."""
    yield from _come_and_go(
        lost, gained, Aspect.SWALLOWED, Rule.EXCEPTION_SWALLOWED, Rule.EXCEPTION_HEARD
    )


def unreachable(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Dead code that came or went."""
    yield from _come_and_go(
        lost,
        gained,
        Aspect.UNREACHABLE,
        Rule.CODE_UNREACHABLE,
        Rule.CODE_REACHABLE,
    )


def _come_and_go(
    lost: Sequence[Site], gained: Sequence[Site], aspect: Aspect, come: Rule, go: Rule
) -> Iterator[Difference]:
    for was, now in _paired(lost, gained):
        if now is not None:
            yield difference(come, aspect, was=was, now=now)
        elif was is not None:
            yield difference(go, aspect, was=was)


def retries(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Retries that were added, or whose number changed."""
    for was, now in _paired(lost, gained):
        if was is None:
            yield difference(Rule.RETRY_ADDED, Aspect.RETRY, now=now)
        elif now is None:
            yield difference(Rule.RETRY_LOWERED, Aspect.RETRY, was=was)
        else:
            more = allows_more(_amount(was), _amount(now))
            rule = Rule.RETRY_LOWERED if more is False else Rule.RETRY_RAISED
            yield difference(rule, Aspect.RETRY, was=was, now=now)


def timeouts(lost: Sequence[Site], gained: Sequence[Site]) -> Iterator[Difference]:
    """Time limits that were added, changed or taken away."""
    for was, now in _paired(lost, gained):
        if was is None:
            yield difference(Rule.TIMEOUT_LOWERED, Aspect.TIMEOUT, now=now)
        elif now is None:
            yield difference(Rule.TIMEOUT_REMOVED, Aspect.TIMEOUT, was=was)
        else:
            more = allows_more(_amount(was), _amount(now))
            rule = Rule.TIMEOUT_LOWERED if more is False else Rule.TIMEOUT_RAISED
            yield difference(rule, Aspect.TIMEOUT, was=was, now=now)


def _amount(site: Site) -> str:
    return site.demand.expected or site.demand.inputs or site.demand.tolerance


def _paired(
    lost: Sequence[Site], gained: Sequence[Site]
) -> Iterator[tuple[Site | None, Site | None]]:
    """Pairs of equal subjects, in their order, and then what has no partner."""
    news = list(gained)
    for was in lost:
        partner = next(
            (now for now in news if now.demand.subject == was.demand.subject), None
        )
        if partner is not None:
            news.remove(partner)
        yield was, partner
    for now in news:
        yield None, now
