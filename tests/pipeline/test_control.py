"""Which control changes reach a test process, and which only add."""

from __future__ import annotations

import pytest

from fairtrial.domain.experiments import (
    SUITE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import RepoPath, SuiteName, TestId, TrialId
from fairtrial.domain.results import Outcome, Result
from fairtrial.domain.trees import BASE
from fairtrial.pipeline.control import is_additive, reaches_tests


def seen(trust: Trust = Trust.SOUND, **outcomes: Outcome) -> Observation:
    tests = tuple(map(TestId, outcomes))
    return Observation(
        trial=TrialId("t1"),
        experiment=Experiment(
            suite=SuiteName("unit"),
            tree=BASE,
            context=SUITE,
            shape=Shape.WHOLE,
            purpose=Purpose.CONTROL_EFFECT,
        ),
        results={
            test: Result(test=test, outcome=outcome)
            for test, outcome in zip(tests, outcomes.values(), strict=True)
        },
        trust=trust,
        listed=tests,
    )


@pytest.mark.parametrize(
    ("path", "reaches"),
    [
        ("pytest.ini", True),
        ("conftest.py", True),
        ("sub/conftest.py", True),
        ("sitecustomize.py", True),
        ("pyproject.toml", True),
        (".github/workflows/ci.yml", False),
        (".fairtrial.yml", False),
        ("AGENTS.md", False),
        ("docs/CLAUDE.md", False),
    ],
)
def test_only_control_that_a_test_process_may_read_is_measured(
    path: str, reaches: bool
) -> None:
    assert reaches is reaches_tests(RepoPath(path))


def test_the_same_tests_with_the_same_outcomes_are_additive() -> None:
    own = seen(a=Outcome.PASSED, b=Outcome.FAILED)

    assert is_additive(own, seen(a=Outcome.PASSED, b=Outcome.FAILED))


@pytest.mark.parametrize(
    "other",
    [
        seen(a=Outcome.PASSED),
        seen(a=Outcome.PASSED, b=Outcome.PASSED),
        seen(a=Outcome.PASSED, b=Outcome.SKIPPED),
        seen(a=Outcome.PASSED, b=Outcome.FAILED, c=Outcome.PASSED),
        seen(Trust.CONTRADICTORY, a=Outcome.PASSED, b=Outcome.FAILED),
        seen(Trust.ERRORED, a=Outcome.PASSED, b=Outcome.FAILED),
    ],
)
def test_anything_lost_turned_better_or_not_sound_is_not_additive(
    other: Observation,
) -> None:
    own = seen(a=Outcome.PASSED, b=Outcome.FAILED)

    assert not is_additive(own, other)
