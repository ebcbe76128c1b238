"""Which test left which file, port or process, by the times at which it was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.experiments import Observation, Shape
from fairtrial.domain.left import name_of
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Resource, Trace
from fairtrial.domain.trials import LeftFile

#: Seconds: the kernel stamps files with a clock that lags by one step, which is 10 ms
#: at most (CONFIG_HZ=100), and half of what listed, watched tests are apart.
LAG: Final = 0.0125

_RESOURCES: Final = {"port": Resource.PORT, "process": Resource.CHILD}


def left_traces(observation: Observation, workspace: str) -> tuple[Trace, ...]:
    """What each test left outside its process; nothing from before the first one."""
    starts = _starts(observation)
    if not observation.epoch or not starts:
        return ()
    apart = observation.experiment.shape is not Shape.WHOLE
    found = []
    for one in observation.left:
        if one.kind == "port":
            found.append(_trace(one, workspace, None))
            continue
        at = one.changed - observation.epoch
        began = [index for index, (start, _) in enumerate(starts) if start <= at + LAG]
        # Files of the tree that was laid down just before are no leftovers.
        if began:
            by = _by(starts, at, began[-1], certain=apart)
            found.append(_trace(one, workspace, by))
    return tuple(found)


def files_before(observation: Observation, victim: TestId) -> tuple[LeftFile, ...]:
    """Files that were changed by the tests before the victim, with their content."""
    result = observation.results.get(victim)
    if result is None or not observation.epoch:
        return ()
    end = observation.epoch + result.started - LAG
    return tuple(
        one
        for one in observation.left
        if one.kind not in _RESOURCES and observation.epoch - LAG <= one.changed < end
    )


def _starts(observation: Observation) -> list[tuple[float, TestId]]:
    """When each test began, in order; none where several ran side by side."""
    if len(observation.orders) > 1 and observation.experiment.shape is Shape.WHOLE:
        return []
    results = observation.results.values()
    ran = [(one.started, one.test) for one in results if one.started or one.seconds]
    return sorted(ran)


def _by(
    starts: Sequence[tuple[float, TestId]], at: float, last: int, *, certain: bool
) -> TestId | None:
    """The test in whose time it was; None where the clock is too coarse to tell."""
    alone = starts[last][0] <= at or last == 0
    return starts[last][1] if certain or alone else None


def _trace(one: LeftFile, workspace: str, by: TestId | None) -> Trace:
    resource = _RESOURCES.get(one.kind, Resource.FILES)
    name = one.path if one.kind in _RESOURCES else name_of(one.path, workspace)
    return Trace(resource=resource, name=name, by=by, now=one.kind)
