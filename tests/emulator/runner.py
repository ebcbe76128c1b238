"""A workflow run as GitHub would run it, on this machine's Docker engine."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.emulator.actions import Images
from tests.emulator.events import Event
from tests.emulator.expressions import Scope, interpolate
from tests.emulator.job_state import JobState, status_functions
from tests.emulator.jobs import holds, run_job
from tests.emulator.layout import Layout
from tests.emulator.masks import Masks
from tests.emulator.origin import Origin
from tests.emulator.processes import Cancellation
from tests.emulator.results import Conclusion, JobResult, JobResults
from tests.emulator.stand_ins import Artifacts
from tests.emulator.workflows import Job, Workflow, load


class GitHubService(Protocol):
    """What the emulator needs of a GitHub: an address, and tokens with limits."""

    @property
    def api_url(self) -> str:
        """As a container sees it."""

    def issue_token(self, permissions: Mapping[str, str]) -> str:
        """A job's token; a permission that is not named is `none`."""


@dataclass(frozen=True, slots=True)
class NoGitHub:
    """No GitHub at all: an address where nobody answers."""

    api_url: str = "http://127.0.0.1:9"

    def issue_token(self, permissions: Mapping[str, str]) -> str:
        return f"ghs_{secrets.token_hex(16)}"


@dataclass(slots=True, kw_only=True)
class Runner:
    """A machine that runs workflows of one repository.

    runner = Runner(origin=origin, github=fake, folder=tmp_path, actions={…})
    results = runner.run(workflow, events.pull_request(origin, head="feature"))
    assert "failure" == results["fairtrial"].conclusion
    """

    origin: Origin
    #: Where all of it lies: `folder/work` is the runner's work folder.
    folder: Path
    github: GitHubService = field(default_factory=NoGitHub)
    actions: Mapping[str, Path] = field(default_factory=dict)
    images: Images = field(default_factory=Images)
    #: On each container and image that this runner makes.
    label: str = field(default_factory=lambda: secrets.token_hex(3))
    #: Artifacts of each run so far, by run id.
    artifacts: dict[str, Artifacts] = field(default_factory=dict)
    _run_ids: Iterator[int] = field(default_factory=lambda: itertools.count(7001))

    def run(
        self,
        workflow: Path,
        event: Event,
        *,
        cancel_when: Callable[[str], bool] | None = None,
        attempt: int = 1,
        run_id: int | None = None,
    ) -> JobResults:
        """Runs the workflow's jobs in the order of their needs.

        `cancel_when` sees each line of each log; once it is true the run is cancelled.
        """
        number = run_id or next(self._run_ids)
        read = load(workflow)
        artifacts = self.artifacts.setdefault(str(number), Artifacts())
        cancellation = Cancellation(cancel_when)
        done: dict[str, JobResult] = {}
        waiting = dict(read.jobs)
        while waiting:
            ready = next(
                job for job in waiting.values() if set(job.needs) <= done.keys()
            )
            del waiting[ready.id]
            github = self._github(read, ready, event, number, attempt)
            done[ready.id] = self._job(
                workflow=read,
                job=ready,
                event=event,
                done=done,
                github=github,
                artifacts=artifacts,
                cancellation=cancellation,
            )
        return JobResults(run_id=number, jobs=done, artifacts=tuple(artifacts.zips))

    def _job(
        self,
        *,
        workflow: Workflow,
        job: Job,
        event: Event,
        done: Mapping[str, JobResult],
        github: dict[str, Any],
        artifacts: Artifacts,
        cancellation: Cancellation,
    ) -> JobResult:
        needs = {name: _need(done[name]) for name in job.needs}
        scope = Scope(
            {"github": github, "needs": needs, "inputs": {}, "vars": {}},
            status_functions(_status(job, done, cancellation)),
        )
        if not holds(job.condition, scope):
            return JobResult(name=job.name, conclusion=Conclusion.SKIPPED)
        if cancellation.pressed:
            # What runs after a cancellation is not cancelled by it again.
            cancellation = Cancellation()
        layout = Layout(work=self.folder / "work", repository=self.origin.name)
        github["workspace"] = str(layout.workspace)
        token = str(github["token"])
        runtime = f"emulator-runtime-{secrets.token_hex(16)}"
        env = {
            key: interpolate(value, scope)
            for key, value in {**workflow.env, **job.env}.items()
        }
        return run_job(
            job,
            JobState(
                layout=layout,
                origin=self.origin,
                event=event,
                images=self.images,
                actions=self.actions,
                artifacts=artifacts,
                earlier=self.artifacts,
                cancellation=cancellation,
                github=github,
                needs=needs,
                matrix=job.matrix,
                runner=_runner(layout),
                actions_service={
                    "ACTIONS_RUNTIME_URL": "http://127.0.0.1:9/runtime/",
                    "ACTIONS_RUNTIME_TOKEN": runtime,
                    "ACTIONS_RESULTS_URL": "http://127.0.0.1:9/results/",
                },
                path=os.environ.get("PATH", os.defpath),
                docker_environment=_docker_environment(),
                label=self.label,
                env=env,
                masks=Masks({token, runtime}),
            ),
        )

    def _github(
        self, workflow: Workflow, job: Job, event: Event, number: int, attempt: int
    ) -> dict[str, Any]:
        owner, _, _name = self.origin.name.partition("/")
        ref_name = event.ref.removeprefix("refs/heads/").removeprefix("refs/pull/")
        return {
            "token": self.github.issue_token(permissions_of(workflow, job, event)),
            "event": dict(event.payload),
            "event_name": event.name,
            "sha": event.sha,
            "ref": event.ref,
            "ref_name": ref_name,
            "ref_type": "branch",
            "ref_protected": False,
            "base_ref": event.base_ref,
            "head_ref": event.head_ref,
            "actor": event.actor,
            "actor_id": str(sum(event.actor.encode())),
            "triggering_actor": event.actor,
            "repository": self.origin.name,
            "repository_id": str(sum(self.origin.name.encode())),
            "repository_owner": owner,
            "repository_owner_id": str(sum(owner.encode())),
            "run_id": str(number),
            "run_number": "1",
            "run_attempt": str(attempt),
            "retention_days": "90",
            "workflow": workflow.name,
            "workflow_ref": f"{self.origin.name}/{workflow.path.name}@{event.ref}",
            "workflow_sha": event.sha,
            "job": job.id,
            "api_url": self.github.api_url,
            "graphql_url": f"{self.github.api_url}/graphql",
            "server_url": "https://github.com",
            "action_ref": "",
            "action_repository": "",
        } | dict(event.extra)


def permissions_of(workflow: Workflow, job: Job, event: Event) -> dict[str, str]:
    """The job's own, else the workflow's, else reading; a fork's run only reads."""
    said = job.permissions if job.permissions is not None else workflow.permissions
    granted = {"contents": "read", "packages": "read"} if said is None else dict(said)
    if event.fork:
        granted = {
            name: "read" if level == "write" else level
            for name, level in granted.items()
        }
    return granted


def _need(result: JobResult) -> dict[str, Any]:
    return {"result": result.conclusion.value, "outputs": dict(result.outputs)}


def _status(
    job: Job, done: Mapping[str, JobResult], cancellation: Cancellation
) -> Conclusion:
    if cancellation.pressed:
        return Conclusion.CANCELLED
    ends = {done[name].conclusion for name in job.needs}
    if Conclusion.FAILURE in ends:
        return Conclusion.FAILURE
    return Conclusion.SUCCESS if ends <= {Conclusion.SUCCESS} else Conclusion.SKIPPED


def _runner(layout: Layout) -> dict[str, str]:
    return {
        "os": "Linux",
        "arch": "X64",
        "name": "emulator",
        "environment": "github-hosted",
        "tool_cache": "/opt/hostedtoolcache",
        "temp": str(layout.temp),
        "workspace": str(layout.pipeline),
    }


def _docker_environment() -> dict[str, str]:
    return {
        name: os.environ[name]
        for name in ("DOCKER_HOST", "DOCKER_BUILDKIT")
        if name in os.environ
    }
