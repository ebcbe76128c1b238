"""Which part of a process a victim trips over: put back alone, it cures.

One trial asks for all parts, in forks; where the process can't be forked, one trial
each asks for the few that changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from fairtrial.domain.experiments import Observation, Trust
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Leftover
from fairtrial.domain.results import Outcome
from fairtrial.domain.traces import EACH, Resource, Trace, Undone
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.residue_sentences import process_sentence
from fairtrial.pipeline.pinning_case import Pinning

#: Leftovers of one verdict, and parts that are tried one by one without forks.
MOST: Final = 4
COLD: Final = 4
#: Told, and never put back.
_TOLD: Final = frozenset(
    {Resource.THREAD, Resource.FILES, Resource.PORT, Resource.CHILD, Resource.DATABASE}
)


def process_left(pinning: Pinning) -> tuple[Leftover, ...]:
    """The parts of the process that cure it when they are put back; none: no such."""
    if not pinning.polluters or pinning.stand.suite.runner != "pytest":
        return ()
    observation = pinning.allowance.observe(replace(pinning.polluting(), undo=(EACH,)))
    if observation is None or not _failed(observation, pinning):
        return ()
    found = _by_forks(observation, pinning)
    if not found and not observation.undone:
        found = _cold(observation, pinning)
    return tuple(
        _leftover(parts, enough=enough, seen=observation, pinning=pinning)
        for parts, enough in found[:MOST]
    )


Found = list[tuple[tuple[Trace, ...], bool]]


def _failed(observation: Observation, pinning: Pinning) -> bool:
    """Whether it fails behind the polluters as it did: else a cure means nothing."""
    result = observation.results.get(pinning.test)
    failure = None if result is None else result.failure
    return (
        observation.trust is Trust.SOUND
        and failure is not None
        and failure.signature in pinning.signatures
    )


def _by_forks(observation: Observation, pinning: Pinning) -> Found:
    """Each smallest set of parts that cures, and whether it is enough by itself."""
    undone = [one for one in observation.undone if one.test == pinning.test]
    control = [one for one in undone if not one.parts and not one.fresh]
    # What ran in one fork may have changed the disk for all others.
    if not control or not all(_fails(one, pinning) for one in control):
        return []
    cures = [
        one.parts
        for one in undone
        if one.parts and not one.fresh and one.outcome is Outcome.PASSED
    ]
    fresh = [one for one in undone if one.fresh and not one.parts]
    clean = bool(fresh) and all(one.outcome is Outcome.PASSED for one in fresh)
    enough = {
        _names(one.parts)
        for one in undone
        if clean and one.fresh and one.parts and _fails(one, pinning)
    }
    fewest = min((len(parts) for parts in cures), default=0)
    smallest = {_names(parts): parts for parts in cures if len(parts) == fewest}
    found: Found = [(parts, names in enough) for names, parts in smallest.items()]
    # What is enough by itself says more than what merely has to be there as well.
    return [one for one in found if one[1]] or _together(found, enough)


def _together(found: Found, enough: set[frozenset[tuple[str, str]]]) -> Found:
    """Parts of which each cures: all of them as one where only together they do it."""
    together = tuple(part for parts, _ in found for part in parts)
    return [(together, True)] if _names(together) in enough else found


def _fails(one: Undone, pinning: Pinning) -> bool:
    return one.outcome is Outcome.FAILED and one.signature in pinning.signatures


def _names(parts: tuple[Trace, ...]) -> frozenset[tuple[str, str]]:
    return frozenset((part.resource.value, part.name) for part in parts)


def _cold(observation: Observation, pinning: Pinning) -> Found:
    """The same by a trial for each part, where nothing could be forked."""
    seen: dict[tuple[str, str], Trace] = {}
    for trace in observation.traces:
        if trace.resource not in _TOLD and trace.by != pinning.test:
            seen[trace.resource.value, trace.name] = trace
    parts = tuple(seen.values())
    if not parts or not _cures(parts, pinning):
        return []
    if len(parts) == 1:
        return [(parts, False)]
    single: Found = [
        ((part,), False) for part in parts[:COLD] if _cures((part,), pinning)
    ]
    return single or [(parts, False)]


def _cures(parts: tuple[Trace, ...], pinning: Pinning) -> bool:
    undo = tuple(Trace(resource=one.resource, name=one.name) for one in parts)
    return pinning.answer(replace(pinning.polluting(), undo=undo)) is Answer.NO


def _leftover(
    parts: tuple[Trace, ...], *, enough: bool, seen: Observation, pinning: Pinning
) -> Leftover:
    return Leftover(
        resource=parts[0].resource.value,
        name=", ".join(part.name for part in parts[:MOST]),
        by=tuple(_writers(parts, seen, pinning)),
        proven=True,
        say=process_sentence(parts, enough=enough, test=pinning.test),
    )


def _writers(
    parts: tuple[Trace, ...], seen: Observation, pinning: Pinning
) -> Iterator[TestId]:
    """The polluters that changed these parts; all of them where it can't be told."""
    names = _names(parts)
    by = {
        trace.by
        for trace in seen.traces
        if (trace.resource.value, trace.name) in names and trace.by is not None
    }
    told = [test for test in pinning.polluters if test in by]
    yield from told or pinning.polluters
