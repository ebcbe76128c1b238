"""Which control changes reach a test process, and which only add."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from fairtrial.domain.decisions import Decision
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
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.control import gating_findings, is_additive, reaches_tests
from fairtrial.trees.listing import Entry


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


GATE = b"jobs: {fairtrial: {steps: [{uses: fairtrial/fairtrial@v1}]}}\n"
NEW = RepoPath(".github/workflows/new.yml")
OLD = RepoPath(".github/workflows/old.yml")


def set_up(
    base: dict[RepoPath, bytes], head: bytes, event: dict[str, str] | None = None
) -> list[Decision]:
    """The decisions on a change of one workflow."""
    brief = SimpleNamespace(
        request=SimpleNamespace(event=event or {}),
        paths=lambda _: (NEW,),
        read=lambda path: (base.get(path), head),
        subject=SimpleNamespace(
            sides=SimpleNamespace(
                base={path: Entry(mode=0o100644, blob=path) for path in base},
                read=lambda blob: base[RepoPath(blob)],
            )
        ),
    )
    return [each.decision for each in gating_findings(cast(Brief, brief))]


def test_the_first_workflow_that_runs_the_gate_is_a_notice_on_a_laptop() -> None:
    assert [Decision.PASS] == set_up({}, GATE)
    assert [Decision.PASS] == set_up({OLD: b"jobs: {}\n"}, GATE)


@pytest.mark.parametrize(
    ("base", "head", "event"),
    [
        pytest.param({}, GATE, {"GITHUB_ACTIONS": "true"}, id="in a job"),
        pytest.param({OLD: GATE}, GATE, None, id="a second one"),
        pytest.param({NEW: GATE}, GATE + b"# more\n", None, id="it changes"),
        pytest.param({NEW: GATE}, b"jobs: {}\n", None, id="it runs it no more"),
    ],
)
def test_any_other_change_to_what_runs_the_gate_blocks(
    base: dict[RepoPath, bytes], head: bytes, event: dict[str, str] | None
) -> None:
    assert [Decision.BLOCK] == set_up(base, head, event)


def test_a_workflow_that_has_nothing_to_do_with_it_is_no_finding() -> None:
    assert [] == set_up({OLD: GATE}, b"jobs: {lint: {}}\n")
