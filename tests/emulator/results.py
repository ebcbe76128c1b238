"""What a run of a workflow left behind, as tests ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Conclusion(StrEnum):
    """How a step, a job or a run ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A remark on a file or on the run; `file` is relative to the repository."""

    level: str
    message: str
    title: str = ""
    file: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """`outcome` is before `continue-on-error`, `conclusion` after it."""

    name: str
    outcome: Conclusion
    conclusion: Conclusion
    outputs: Mapping[str, str] = field(default_factory=dict)
    exit_code: int | None = None
    seconds: float = 0.0
    #: Seconds from the first signal to the end, of a step that was stopped.
    stopping: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """One job; its log is what a person could read: masked."""

    name: str
    conclusion: Conclusion
    steps: tuple[StepResult, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    summary: str = ""
    log: str = ""
    #: Values that the log hides, the job's token among them.
    masks: frozenset[str] = frozenset()

    def step(self, name: str) -> StepResult:
        """The step of that id or display name."""
        return next(step for step in self.steps if step.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResults:
    """All jobs of one run, by id."""

    run_id: int
    jobs: Mapping[str, JobResult]
    #: Names of the artifacts that the run has now.
    artifacts: tuple[str, ...] = ()

    def __getitem__(self, job: str) -> JobResult:
        return self.jobs[job]

    @property
    def conclusion(self) -> Conclusion:
        """Skipped jobs pass, as they do for a required check."""
        ends = {job.conclusion for job in self.jobs.values()}
        for end in (Conclusion.CANCELLED, Conclusion.FAILURE, Conclusion.SUCCESS):
            if end in ends:
                return end
        return Conclusion.SKIPPED
