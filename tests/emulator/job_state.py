"""What one job knows while it runs: its contexts, its token, what it hides."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.emulator.actions import Images
from tests.emulator.events import Event
from tests.emulator.expressions import Function, Scope
from tests.emulator.layout import Layout
from tests.emulator.masks import Masks
from tests.emulator.origin import Origin
from tests.emulator.processes import Cancellation
from tests.emulator.results import Annotation, Conclusion, StepResult
from tests.emulator.stand_ins import Artifacts


@dataclass(slots=True, kw_only=True)
class JobState:
    """One job, from its first step to its last."""

    layout: Layout
    origin: Origin
    event: Event
    images: Images
    #: Where each action lies that is used by name.
    actions: Mapping[str, Path]
    artifacts: Artifacts
    earlier: Mapping[str, Artifacts]
    cancellation: Cancellation
    github: dict[str, Any]
    needs: Mapping[str, Any]
    runner: Mapping[str, str]
    matrix: Mapping[str, Any]
    #: ACTIONS_* variables.
    actions_service: Mapping[str, str]
    path: str
    docker_environment: Mapping[str, str]
    env: dict[str, str]
    masks: Masks = field(default_factory=Masks)
    #: Of all containers and images of this runner.
    label: str
    status: Conclusion = Conclusion.SUCCESS
    steps: dict[str, Any] = field(default_factory=dict)
    results: list[StepResult] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    def scope(self, env: Mapping[str, str]) -> Scope:
        """The contexts and status functions as a step sees them."""
        return Scope(
            {
                "github": self.github,
                "needs": self.needs,
                "steps": self.steps,
                "env": env,
                "runner": self.runner,
                "job": {"status": self.status.value},
                "secrets": {"github_token": self.github["token"]},
                "matrix": self.matrix,
                "strategy": {},
                "inputs": {},
            },
            status_functions(self.status),
        )

    def image_tag(self) -> str:
        """A tag for an image that this job builds."""
        self.tags.append(f"{self.label}:{uuid.uuid4().hex}")
        return self.tags[-1]

    def remove_images(self) -> None:
        """Removes what the job built: GitHub would throw the whole machine away."""
        for tag in self.tags:
            subprocess.run(
                ["docker", "image", "rm", tag], check=False, capture_output=True
            )


def status_functions(status: Conclusion) -> dict[str, Function]:
    """`always()` and its like, for a step of a job or for a job of a run."""
    return {
        "always": lambda: True,
        "success": lambda: status is Conclusion.SUCCESS,
        "failure": lambda: status is Conclusion.FAILURE,
        "cancelled": lambda: status is Conclusion.CANCELLED,
        "hashFiles": lambda *_patterns: "",
    }
