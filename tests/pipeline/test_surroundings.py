"""What tests waited for and reached out to stands with their verdicts and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.evidence import Evidence
from fairtrial.domain.experiments import (
    ALONE,
    SUITE,
    Context,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TestId, TrialId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.report import Verdict, Waited
from fairtrial.domain.results import Failure, Outcome, Phase, Result, Signature
from fairtrial.domain.settings import Network, SuiteSettings
from fairtrial.domain.traces import Reach, Wait
from fairtrial.domain.trees import BASE, HEAD, Tree
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.surroundings import (
    place,
    reached_outside,
    slow_waits,
    surrounded,
)

ORDER = TestId("tests/test_a.py::test_order")
UNIT = SuiteName("unit")
WAIT = Wait(test=ORDER, call="KafkaProducer.send", seconds=60.02, where="bus.py:31")
KAFKA = Reach(host="kafka", port=9092, test=ORDER, where="bus.py:12")


def result(
    outcome: Outcome, type_: str = "", seconds: float = 60.1, message: str = ""
) -> Result:
    signature = Signature(
        outcome=outcome,
        phase=Phase.CALL,
        exception=type_,
        test_frame=None,
        production_frame=None,
    )
    failure = Failure(
        phase=Phase.CALL, type=type_, message=message, where=None, signature=signature
    )
    passed = outcome is Outcome.PASSED
    return Result(
        test=ORDER,
        outcome=outcome,
        seconds=seconds,
        failure=None if passed else failure,
    )


def seen(
    tree: Tree,
    one: Result,
    waits: Sequence[Wait] = (),
    reached: Sequence[Reach] = (),
    context: Context = ALONE,
) -> Observation:
    return Observation(
        trial=TrialId("1"),
        experiment=Experiment(
            suite=UNIT,
            tree=tree,
            context=context,
            shape=Shape.LISTED,
            purpose=Purpose.ALONE,
        ),
        results={ORDER: one},
        trust=Trust.SOUND,
        waits=tuple(waits),
        reached=tuple(reached),
    )


def inquiry(*observations: Observation) -> Inquiry:
    evidence = Evidence(
        observations=observations, changed=frozenset({PathClass.PRODUCTION})
    )
    return Inquiry(
        suite=UNIT, evidence=evidence, failed=(ORDER,), touches_production=True
    )


VERDICT = Verdict(
    suite=UNIT,
    test=ORDER,
    category=Category.REGRESSION,
    side=Blame.PRODUCTION,
    introduced=True,
    decision=Decision.BLOCK,
    context="alone",
    unit="test",
    because="It fails at head and passes at base.",
    next="nothing",
)
TIMEOUT = result(Outcome.FAILED, "kafka.errors.KafkaTimeoutError")


def told(*observations: Observation, network: Network = Network.NONE) -> Verdict:
    (verdict,) = surrounded((VERDICT,), inquiry(*observations), network)
    return verdict


def test_a_failure_of_time_tells_the_wait_beside_what_base_took() -> None:
    base = seen(BASE, result(Outcome.PASSED, seconds=0.2))

    verdict = told(seen(HEAD, TIMEOUT, [WAIT], [KAFKA], SUITE), base)

    assert (
        "It fails at head and passes at base. test_order waited 60.0 s in "
        "KafkaProducer.send, called at bus.py:31; at base the whole test took 0.2 s. "
        "It tried to reach kafka:9092, which no trial may."
    ) == verdict.because
    assert (Waited(call="KafkaProducer.send", seconds=60.0, where="bus.py:31"),) == (
        verdict.waited
    )
    assert ("kafka:9092",) == verdict.reached


def test_a_wait_in_the_same_call_at_base_is_laid_beside_it() -> None:
    base = seen(BASE, TIMEOUT, [replace(WAIT, seconds=59.9, where="bus.py:29")])

    verdict = told(seen(HEAD, TIMEOUT, [WAIT]), base)

    assert verdict.because.endswith("called at bus.py:31; 59.9 s at base.")


def test_a_base_that_proved_nothing_is_not_laid_beside_it() -> None:
    base = seen(BASE, result(Outcome.ERRORED))

    assert told(seen(HEAD, TIMEOUT, [WAIT]), base).because.endswith("at bus.py:31.")


@pytest.mark.parametrize(
    ("failed", "speaks"),
    [
        (result(Outcome.TIMED_OUT, "Timeout"), True),
        (result(Outcome.FAILED, "sqlalchemy.exc.TimeoutError"), True),
        (result(Outcome.FAILED, "x.OperationalError", message="timed out"), True),
        (result(Outcome.FAILED, "ConnectionRefusedError"), True),
        (result(Outcome.FAILED, "AssertionError"), False),
    ],
)
def test_only_failures_of_time_or_connection_say_it_in_their_sentence(
    failed: Result, speaks: bool
) -> None:
    verdict = told(seen(HEAD, failed, [WAIT], [KAFKA]))

    assert speaks == ("waited 60.0 s" in verdict.because)
    assert speaks == ("kafka:9092" in verdict.because)
    assert 1 == len(verdict.waited) == len(verdict.reached)


def test_what_other_tests_and_other_trees_waited_for_is_not_this_ones() -> None:
    other = replace(WAIT, test=TestId("other"))
    base = seen(BASE, TIMEOUT, [WAIT], [KAFKA])

    assert VERDICT == told(seen(HEAD, TIMEOUT, [other]), base)


def test_the_verdict_itself_stays_as_it_is() -> None:
    verdict = told(seen(HEAD, TIMEOUT, [WAIT], [KAFKA]))

    assert VERDICT == replace(verdict, waited=(), reached=(), because=VERDICT.because)


@pytest.mark.parametrize(
    ("reach", "text"),
    [
        (KAFKA, "kafka:9092"),
        (Reach(host="db.internal"), "db.internal"),
        (Reach(host="2001:db8::1", port=80), "[2001:db8::1]:80"),
    ],
)
def test_a_place_is_written_as_people_write_it(reach: Reach, text: str) -> None:
    assert text == place(reach)


def opening(
    one: Result,
    waits: Sequence[Wait] = (),
    reached: Sequence[Reach] = (),
    network: Network = Network.NONE,
) -> Opening:
    suite = SuiteSettings(name=UNIT, runner="pytest", command="pytest", network=network)
    stand = cast(Any, SimpleNamespace(suite=suite))
    return Opening(stand=stand, head=seen(HEAD, one, waits, reached), base=None)


def test_what_a_suite_reaches_for_is_one_notice_that_never_blocks() -> None:
    more = replace(KAFKA, test=TestId("tests/test_a.py::test_more"))
    loading = Reach(host="pypi.invalid", port=443, where="conftest.py:3")

    (finding,) = reached_outside(
        opening(TIMEOUT, reached=[KAFKA, more, loading, Reach(host="", test=ORDER)])
    )

    assert (Decision.PASS, "reached-outside") == (finding.decision, finding.rule)
    assert ("bus.py", 12) == (finding.path, finding.line)
    assert (
        f"suite unit: its tests tried to reach kafka:9092 ({ORDER} at bus.py:12 and 1 "
        "more), pypi.invalid:443 (while files were loaded at conftest.py:3), a place "
        "unknown, by native code or a child process, which Python does not tell of "
        f"({ORDER}). No trial may, so these attempts fail at once: "
    ) in finding.because
    assert "services:" in finding.because


def test_with_an_open_network_it_is_not_said_to_fail() -> None:
    (finding,) = reached_outside(
        opening(TIMEOUT, reached=[KAFKA], network=Network.OPEN)
    )

    assert "No trial may" not in finding.because


def test_a_suite_that_reaches_for_nothing_is_told_nothing() -> None:
    assert [] == [*reached_outside(opening(TIMEOUT))]
    assert [] == [*slow_waits(opening(result(Outcome.PASSED)))]


def test_tests_that_pass_and_wait_long_are_a_line() -> None:
    (line,) = slow_waits(opening(result(Outcome.PASSED), [WAIT]))

    assert (
        "suite unit: tests pass and wait: test_order waited 60.0 s in "
        "KafkaProducer.send, called at bus.py:31"
    ) == line


def test_short_waits_and_those_of_failures_are_none_of_it() -> None:
    short = replace(WAIT, seconds=1.5)

    assert [] == [*slow_waits(opening(result(Outcome.PASSED), [short]))]
    assert [] == [*slow_waits(opening(TIMEOUT, [WAIT]))]
