"""What acts on the runner at head is held against a run of base that there was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import RepoPath
from fairtrial.pipeline import steering
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.steering import steering_findings

HOOKS = RepoPath("shop/plugin.py")


def findings(
    monkeypatch: pytest.MonkeyPatch, trust: Trust, acts: bool, environment: str = ""
) -> list[tuple[str, Decision, Category | None]]:
    base = SimpleNamespace(
        trust=trust,
        steering=frozenset({HOOKS} if acts else ()),
        environment=environment,
        distrust="the server ended",
    )
    laboratory = SimpleNamespace(perform=lambda _: (base,))
    stand = SimpleNamespace(laboratory=laboratory, suite=SimpleNamespace(name="unit"))
    opening = SimpleNamespace(
        stand=stand, base=object(), base_steering=frozenset(), steering={HOOKS}
    )
    rules = SimpleNamespace(classify=lambda _: SimpleNamespace(path_class=None))
    brief: Any = SimpleNamespace(subject=SimpleNamespace(changed=(), rules=rules))
    monkeypatch.setattr(steering, "suite_trial", lambda *_: None)
    found = steering_findings([cast(Opening, opening)], cast(Brief, brief))
    return [(one.rule, one.decision, one.category) for one in found]


def test_what_acts_at_base_too_is_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [] == findings(monkeypatch, Trust.SOUND, acts=True)


@pytest.mark.parametrize("trust", [Trust.SOUND, Trust.CONTRADICTORY])
def test_what_acts_at_head_alone_blocks(
    monkeypatch: pytest.MonkeyPatch, trust: Trust
) -> None:
    (one,) = findings(monkeypatch, trust, acts=False)

    assert ("control-effect", Decision.BLOCK, Category.CONTROL_EFFECT) == one


@pytest.mark.parametrize(
    ("environment", "category"), [("", None), ("it is gone", Category.ENVIRONMENT)]
)
def test_a_run_of_base_that_broke_down_says_nothing(
    monkeypatch: pytest.MonkeyPatch, environment: str, category: Category | None
) -> None:
    (one,) = findings(monkeypatch, Trust.ERRORED, acts=False, environment=environment)

    assert ("not-compared", Decision.INCONCLUSIVE, category) == one
