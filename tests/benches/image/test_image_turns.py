"""Turns: side by side up to a number, quiet ones alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from fairtrial.benches.image.turns import Turns


def test_no_more_than_the_number_run_at_once() -> None:
    turns = Turns(2)
    now = 0
    most = 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal now, most
        with turns.taken(quiet=False):
            with lock:
                now += 1
                most = max(most, now)
            threading.Event().wait(0.02)
            with lock:
                now -= 1

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(work) for _ in range(8)]:
            future.result(timeout=10)

    assert 2 == most


def test_a_quiet_one_runs_alone_and_is_not_starved() -> None:
    turns = Turns(4)
    loud_began = threading.Event()
    let_go = threading.Event()
    events: list[str] = []

    def loud(name: str) -> None:
        with turns.taken(quiet=False):
            loud_began.set()
            assert let_go.wait(10)
            events.append(name)

    def quiet() -> None:
        with turns.taken(quiet=True):
            events.append("quiet")

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(loud, "first")
        assert loud_began.wait(10)
        second = pool.submit(quiet)
        while not turns._quiet_waiting:
            threading.Event().wait(0.01)
        late = pool.submit(loud, "late")
        let_go.set()
        for future in (first, second, late):
            future.result(timeout=10)

    assert ["first", "quiet", "late"] == events


def test_a_turn_is_given_back_when_its_trial_raises() -> None:
    turns = Turns(1)
    for quiet in (True, False):
        try:
            with turns.taken(quiet=quiet):
                raise ValueError  # noqa: TRY301
        except ValueError:
            pass

    with turns.taken(quiet=False):
        assert not turns.wait_until_idle(0)
    assert turns.wait_until_idle(0)
