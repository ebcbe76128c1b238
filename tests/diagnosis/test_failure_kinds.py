"""Each failure has one kind, told from what was seen and never from its message."""

from __future__ import annotations

import pkgutil

import pytest

import fairtrial.diagnosis
from fairtrial.diagnosis import FAILURE_KINDS, kind_of
from fairtrial.domain.results import Failure, Outcome, Phase, Signature


def failure(
    outcome: Outcome = Outcome.FAILED,
    phase: Phase = Phase.CALL,
    type_: str = "ValueError",
    message: str = "",
) -> Failure:
    return Failure(
        phase=phase,
        type=type_,
        message=message,
        where=None,
        signature=Signature(
            outcome=outcome,
            phase=phase,
            exception=type_,
            test_frame=None,
            production_frame=None,
        ),
    )


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (failure(type_="AssertionError"), "assertion"),
        (failure(type_="unittest.case.AssertionError"), "assertion"),
        (failure(type_="Failed"), "assertion"),
        (failure(), "exception"),
        (failure(phase=Phase.TEARDOWN), "exception"),
        (failure(phase=Phase.SETUP), "setup"),
        (failure(phase=Phase.SETUP, type_="AssertionError"), "setup"),
        (failure(phase=Phase.COLLECT, type_="ImportError"), "collection"),
        (failure(Outcome.TIMED_OUT, type_=""), "timeout"),
        (failure(Outcome.TIMED_OUT, Phase.SETUP), "timeout"),
        (failure(Outcome.CRASHED, type_="SIGSEGV"), "crash"),
        (failure(Outcome.CRASHED, type_="OutOfMemory"), "out-of-memory"),
        (failure(type_="MemoryError"), "out-of-memory"),
        (failure(type_="kafka.errors.KafkaTimeoutError"), "broker-timeout"),
        (failure(phase=Phase.SETUP, type_="NoBrokersAvailable"), "broker-timeout"),
        (failure(type_="nats.errors.TimeoutError"), "broker-timeout"),
        (failure(type_="kafka.errors.IllegalStateError"), "exception"),
        (failure(type_="socket.gaierror"), "connection"),
        (failure(type_="requests.exceptions.ConnectionError"), "connection"),
        (failure(phase=Phase.SETUP, type_="ConnectionRefusedError"), "connection"),
        (failure(Outcome.FAILED, type_=""), "unknown"),
    ],
)
def test_a_failure_has_the_kind_that_was_seen(seen: Failure, kind: str) -> None:
    assert kind == kind_of(seen)


@pytest.mark.parametrize("kind", FAILURE_KINDS)
def test_a_message_makes_no_kind(kind: str) -> None:
    """A test may print anything; its words are no evidence of how it failed."""
    boasting = failure(message=f"{kind} MemoryError AssertionError timed out SIGSEGV")

    assert "exception" == kind_of(boasting)


def test_every_module_is_registered_under_its_name() -> None:
    modules = {info.name for info in pkgutil.iter_modules(fairtrial.diagnosis.__path__)}

    assert modules == {name.replace("-", "_") for name in FAILURE_KINDS}
