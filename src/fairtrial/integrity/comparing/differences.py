"""What one test demands at head that differs from what it demanded at base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, Difference
from fairtrial.integrity.comparing import assertions, markers, steps
from fairtrial.integrity.comparing.rows import without_rows
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.silence import silenced
from fairtrial.integrity.comparing.sites import Site, difference, leftovers
from fairtrial.integrity.comparing.stand_ins import StandIns

#: Differences of one test that are told; the heaviest are told first.
MOST: Final = 200


def between(
    base: Sequence[Site],
    head: Sequence[Site],
    stand_ins: StandIns,
) -> list[Difference]:
    """All differences between the demands of two versions of one test."""
    base, head = without_rows(base, head)
    lost, gained, equal = leftovers(base, head)
    lost, gained, found = silenced(lost, gained)
    for aspect in Aspect:
        olds = [each for each in lost if each.demand.aspect is aspect]
        news = [each for each in gained if each.demand.aspect is aspect]
        alike = [each for each in equal if each[0].demand.aspect is aspect]
        if olds or news or aspect is Aspect.ASSERTION:
            found += _of(aspect, olds, news, alike, stand_ins)
    if not lost and not gained and not found:
        found += _moved(base, head)
    return found


def _of(  # noqa: C901, PLR0912 - one line an aspect
    aspect: Aspect,
    lost: list[Site],
    gained: list[Site],
    equal: list[tuple[Site, Site]],
    stand_ins: StandIns,
) -> Iterator[Difference]:
    match aspect:
        case Aspect.ASSERTION:
            yield from assertions.compared(lost, gained, equal, stand_ins.is_replaced)
        case Aspect.SKIP:
            yield from markers.skips(lost, gained)
        case Aspect.FOCUS:
            yield from markers.focus(lost, gained)
        case Aspect.SWALLOWED:
            yield from markers.swallowed(lost, gained)
        case Aspect.UNREACHABLE:
            yield from markers.unreachable(lost, gained)
        case Aspect.RETRY:
            yield from markers.retries(lost, gained)
        case Aspect.TIMEOUT:
            yield from markers.timeouts(lost, gained)
        case Aspect.MOCK:
            yield from steps.mocks(lost, gained, stand_ins.is_production)
        case Aspect.ROW:
            yield from steps.rows(lost, gained)
        case Aspect.SNAPSHOT:
            yield from steps.snapshots(lost, gained)
        case Aspect.ARRANGEMENT:
            yield from steps.arrangements(lost, gained)
        case Aspect.SUPPORT:
            yield from steps.supports(lost, gained)
        case Aspect.PRESENCE:
            for was in lost:
                yield difference(Rule.TEST_REMOVED, Aspect.PRESENCE, was=was)


def _moved(base: Sequence[Site], head: Sequence[Site]) -> Iterator[Difference]:
    """Assertions that stand after other steps than before."""
    old, new = _steps_before(base), _steps_before(head)
    for key, (site, before) in new.items():
        if key in old and old[key][1] != before:
            yield difference(
                Rule.ASSERTION_MOVED, Aspect.ARRANGEMENT, was=old[key][0], now=site
            )


def _steps_before(
    found: Sequence[Site],
) -> dict[tuple[str, ...], tuple[Site, int]]:
    """How many steps come before each assertion of the test itself."""
    own = sorted(
        (each for each in found if not each.support), key=lambda it: it.demand.line
    )
    before, told = 0, {}
    for each in own:
        if each.demand.aspect is Aspect.ARRANGEMENT:
            before += 1
        elif each.demand.aspect is Aspect.ASSERTION:
            told[each.key] = (each, before)
    return told
