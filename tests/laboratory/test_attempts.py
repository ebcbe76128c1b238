"""A trial that lost its surroundings is made again where they are back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from fairtrial import laboratory
from fairtrial.benches import Bench
from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import SuiteName, TrialId
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import HEAD
from fairtrial.laboratory import ATTEMPTS, Laboratory
from fairtrial.laboratory.source import TreeSource
from fairtrial.laboratory.surroundings import Surroundings
from fairtrial.runners import Runner


class Gone(Surroundings):
    """A service that is gone when it is asked for."""

    def lost(self) -> str:
        return "service kafka is gone: Connection refused"


@pytest.mark.parametrize(
    ("surroundings", "attempts"), [(Gone(), 1), (Surroundings(), ATTEMPTS)]
)
def test_the_whole_suite_does_not_wait_twice_for_what_is_gone(
    surroundings: Surroundings, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[TrialId] = []

    def lost(trial: TrialId, experiment: Experiment, _means: object) -> Observation:
        made.append(trial)
        return Observation(
            trial=trial,
            experiment=experiment,
            results={},
            trust=Trust.ERRORED,
            environment="service kafka is gone",
        )

    monkeypatch.setattr(laboratory, "make_trial", lost)
    bench = SimpleNamespace(parallel=1)
    one = Laboratory(
        suite=SuiteSettings(name=SuiteName("unit"), runner="pytest", command="pytest"),
        bench=cast("Bench", bench),
        runner=cast("Runner", SimpleNamespace()),
        source=cast("TreeSource", SimpleNamespace()),
        clock=lambda: 0.0,
        made=lambda _seen: None,
        test_timeout=1.0,
        trial_timeout=1.0,
        surroundings=surroundings,
    )
    whole = Experiment(
        suite=SuiteName("unit"),
        tree=HEAD,
        context=SUITE,
        shape=Shape.WHOLE,
        purpose=Purpose.SUITE,
    )

    (seen,) = one.perform([whole])

    assert "service kafka is gone" == seen.environment
    assert attempts == len(made)
