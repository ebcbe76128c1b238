"""Suites with databases run side by side, the others one after the other."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairtrial.pipeline import openings
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.openings import may_have_company, open_suites
from fairtrial.pipeline.stand import Stand

#: Seconds: nobody waits for it who has company.
PATIENCE = 5.0


def stand(
    name: str, *, databases: bool = True, walled: bool = True, builds: bool = True
) -> Stand:
    bench = SimpleNamespace(own_loopback=walled, parallel=2, close=lambda: None)
    fake = SimpleNamespace(
        stands=builds,
        suite=SimpleNamespace(name=name, databases=("shop",) if databases else ()),
        laboratory=SimpleNamespace(bench=bench),
    )
    return cast(Stand, fake)


def opened(monkeypatch: pytest.MonkeyPatch, *stands: Stand) -> tuple[list[str], int]:
    """Which suites were opened, in their order, and how many were at most at once."""
    lock, both = threading.Lock(), threading.Event()
    running = most = 0

    def open_one(one: Stand) -> Any:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            if running > 1:
                both.set()
        if may_have_company(one):
            both.wait(PATIENCE)
        with lock:
            running -= 1
        return one.suite.name

    monkeypatch.setattr(openings, "open_suite", open_one)
    monkeypatch.setattr(openings, "with_control", lambda opening, _: opening)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    found: list[Any] = open_suites(stands, cast(Brief, None))
    return found, most


def test_two_suites_with_databases_run_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (["a", "b"], 2) == opened(monkeypatch, stand("a"), stand("b"))


def test_suites_without_databases_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = [stand(name, databases=False) for name in "abc"]

    assert (["a", "b", "c"], 1) == opened(monkeypatch, *plain)


def test_what_shares_a_loopback_runs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    open_ones = [stand(name, walled=False) for name in "ab"]

    assert (["a", "b"], 1) == opened(monkeypatch, *open_ones)


def test_the_suites_keep_their_order_and_broken_ones_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands = (
        stand("plain", databases=False),
        stand("a"),
        stand("broken", builds=False),
        stand("b"),
    )

    assert (["plain", "a", "b"], 2) == opened(monkeypatch, *stands)
