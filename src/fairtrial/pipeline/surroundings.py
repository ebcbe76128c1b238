"""What tests waited for and tried to reach: told with verdicts, and of the suite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from fairtrial.diagnosis import kind_of
from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import Observation
from fairtrial.domain.names import TestId
from fairtrial.domain.report import Finding, Verdict, Waited
from fairtrial.domain.results import Failure, Outcome
from fairtrial.domain.settings import Network
from fairtrial.domain.traces import Reach, Wait
from fairtrial.domain.trees import Tree, canonical
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.judging import failure_of
from fairtrial.pipeline.opening import Opening

RULE: Final = "reached-outside"
#: Places and waits that are told of one test, and of one suite.
_OF_TEST: Final = 5
_OF_SUITE: Final = 5
#: Seconds from which on the wait of a test that passes is worth a line.
_SLOW: Final = 5.0
_KINDS: Final = frozenset({"timeout", "broker-timeout", "connection"})
#: How a failure speaks of time or connections, in its type or its message; it decides
#: only whether a sentence is added.
_SPEAKS: Final = re.compile(
    r"time[sd]?[ _-]?out|connection refused|network is unreachable|name resolution"
    r"|could not translate host name|name or service not known",
    re.IGNORECASE,
)


def surrounded(
    verdicts: Sequence[Verdict], inquiry: Inquiry, network: Network
) -> tuple[Verdict, ...]:
    """The same verdicts with what each test waited for and tried to reach.

    Where the failure is one of time or of a connection, its sentence tells it, too,
    beside what base did.
    """
    return tuple(_told(each, inquiry, network) for each in verdicts)


def _told(verdict: Verdict, inquiry: Inquiry, network: Network) -> Verdict:
    test = verdict.test
    at_head = tuple(_on(inquiry, inquiry.head))
    waits = waits_of(at_head, test)
    places = tuple(dict.fromkeys(_places(at_head, test)))
    if not waits and not places:
        return verdict
    said = ""
    if is_of_surroundings(failure_of(inquiry, test)):
        at_base = tuple(_on(inquiry, inquiry.base))
        said = "".join(f" {beside(one, at_base)}" for one in waits[:1])
        said += _tried(places, network)
    return replace(
        verdict,
        waited=tuple(
            Waited(call=one.call, seconds=round(one.seconds, 1), where=one.where)
            for one in waits
        ),
        reached=places[:_OF_TEST],
        because=verdict.because + said,
    )


def is_of_surroundings(failure: Failure | None) -> bool:
    """Whether time ran out, or what was to answer was not there."""
    if failure is None:
        return False
    if kind_of(failure) in _KINDS:
        return True
    return _SPEAKS.search(f"{failure.type} {failure.message[:2000]}") is not None


def _on(inquiry: Inquiry, tree: Tree) -> Iterator[Observation]:
    """The observations on one tree, in the order they were made."""
    changed = inquiry.evidence.changed
    wanted = canonical(tree, changed)
    for observation in inquiry.evidence.observations:
        if canonical(observation.experiment.tree, changed) == wanted:
            yield observation


def waits_of(observations: Iterable[Observation], test: TestId) -> tuple[Wait, ...]:
    """What a test waited for in the first trial that saw it wait."""
    for observation in observations:
        found = tuple(one for one in observation.waits if one.test == test)
        if found:
            return found[:_OF_TEST]
    return ()


def beside(wait: Wait, at_base: Iterable[Observation]) -> str:
    """One sentence of a wait, with what base did in the same call, or as a whole."""
    told = sentence(wait)
    tried = [one for one in at_base if wait.test in one.results]
    for observation in tried:
        for other in observation.waits:
            if (other.test, other.call) == (wait.test, wait.call):
                return f"{told}; {other.seconds:,.1f} s at base."
    ran = {Outcome.PASSED, Outcome.FAILED}
    for observation in tried:
        result = observation.results[wait.test]
        if result.outcome in ran:
            return f"{told}; at base the whole test took {result.seconds:,.1f} s."
    return f"{told}."


def sentence(wait: Wait) -> str:
    """As in "test_order waited 60.0 s in KafkaProducer.send, called at shop/bus.py:31".

    It has no full stop yet.
    """
    name = wait.test.rpartition("::")[2] or wait.test
    where = f", called at {wait.where}" if wait.where else ""
    return f"{name} waited {wait.seconds:,.1f} s in {wait.call}{where}"


def _places(observations: Iterable[Observation], test: TestId) -> Iterator[str]:
    for observation in observations:
        for reach in observation.reached:
            if reach.test == test and reach.host:
                yield place(reach)


def place(reach: Reach) -> str:
    """A host and its port, as in "kafka:9092"; version 6 stands in brackets."""
    host = f"[{reach.host}]" if ":" in reach.host else reach.host
    return host if reach.port is None else f"{host}:{reach.port}"


def _tried(places: Sequence[str], network: Network) -> str:
    if not places:
        return ""
    match network:
        case Network.NONE:
            return f" It tried to reach {_listed(places)}, which no trial may."
        case Network.OPEN:
            return f" It reached out to {_listed(places)}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _OF_TEST
    return ", ".join(names[:_OF_TEST]) + (f" and {more} more" if more > 0 else "")


def reached_outside(opening: Opening) -> Iterator[Finding]:
    """One notice for a suite whose tests try to reach what lies outside."""
    suite, head = opening.stand.suite, opening.head
    by_place: dict[str, list[Reach]] = {}
    unknown: list[Reach] = []
    for reach in head.reached:
        if reach.host:
            by_place.setdefault(place(reach), []).append(reach)
        else:
            unknown.append(reach)
    told = [_one_place(name, found) for name, found in by_place.items()]
    if unknown:
        told.append(
            "a place unknown, by native code or a child process, which Python does "
            f"not tell of ({_who(unknown)})"
        )
    if not told:
        return
    first = next((one.where for found in by_place.values() for one in found), "")
    path, _, line = first.rpartition(":")
    yield Finding(
        rule=RULE,
        path=path or None,
        line=int(line) if line.isdecimal() else None,
        decision=Decision.PASS,
        because=(
            f"suite {suite.name}: its tests tried to reach {_listed(told)}. "
            f"{_fate(suite.network)}: "
            "declare what they need under `services:` or `databases:`, or have the "
            "tests stand something in for it."
        ),
    )


def _fate(network: Network) -> str:
    match network:
        case Network.NONE:
            return "No trial may, so these attempts fail at once"
        case Network.OPEN:
            return "What answers there can differ from run to run"


def _one_place(name: str, found: Sequence[Reach]) -> str:
    return f"{name} ({_who(found)})"


def _who(found: Sequence[Reach]) -> str:
    tests = tuple(dict.fromkeys(one.test for one in found))
    first = found[0]
    who = first.test or "while files were loaded"
    where = f" at {first.where}" if first.where else ""
    more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
    return f"{who}{where}{more}"


def slow_waits(opening: Opening) -> Iterator[str]:
    """A line on the passing tests that wait longest, where any waits for long."""
    head = opening.head
    slow = [
        one
        for one in head.waits
        if one.seconds >= _SLOW
        and one.test in head.results
        and head.results[one.test].outcome is Outcome.PASSED
    ]
    worst = {one.test: one for one in sorted(slow, key=lambda one: one.seconds)}
    found = sorted(worst.values(), key=lambda one: -one.seconds)
    if found:
        told = "; ".join(sentence(one) for one in found[:_OF_SUITE])
        more = len(found) - _OF_SUITE
        rest = f"; so do {more} more tests" if more > 0 else ""
        yield f"suite {opening.stand.suite.name}: tests pass and wait: {told}{rest}"
