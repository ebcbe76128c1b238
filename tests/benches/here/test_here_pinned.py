"""Processors and umask of a trial are what the configuration says."""

from __future__ import annotations

import os

import pytest

from fairtrial.benches.here.commands import _processors
from fairtrial.domain.settings import ConditionSettings

from .conftest import Place

LOOK = "umask; python3 -c 'import os; print(len(os.sched_getaffinity(0)))'"


def test_nothing_is_pinned_unless_it_is_asked_for(place: Place) -> None:
    output = place.run(place.bench(), LOOK)

    there = len(os.sched_getaffinity(0))
    assert ["0022", str(there)] == output.stdout.decode().split()


def test_processors_and_umask_are_pinned_and_in_the_fingerprint(place: Place) -> None:
    before = place.bench().fingerprint()
    bench = place.own_bench(conditions=ConditionSettings(cpus=1, umask=0o077))
    output = place.run(bench, LOOK)

    assert ["0077", "1"] == output.stdout.decode().split()
    assert before != bench.fingerprint()


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="takes two processors")
def test_trials_side_by_side_get_processors_of_their_own() -> None:
    one = ConditionSettings(cpus=1)

    assert _processors(one, 0) != _processors(one, 1)


def test_more_processors_than_there_are_are_all() -> None:
    there = tuple(sorted(os.sched_getaffinity(0)))

    assert there == _processors(ConditionSettings(cpus=1000), 3)
