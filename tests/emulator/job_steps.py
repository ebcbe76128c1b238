"""How one step of a job is run, whatever kind it is.

After the runner's StepsRunner, ActionRunner and its handlers.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tests.emulator import actions, docker_run, processes
from tests.emulator.arguments import split
from tests.emulator.expressions import Scope, interpolate
from tests.emulator.file_commands import SUMMARY_LIMIT, FileCommandError, StepFiles
from tests.emulator.job_state import JobState
from tests.emulator.results import Conclusion
from tests.emulator.stand_ins import STAND_INS, StandIn, StandInCall, StandInError
from tests.emulator.step_log import StepLog
from tests.emulator.workflows import Step

_SHELLS = {
    "": ["bash", "-e"],
    "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"],
    "sh": ["sh", "-e"],
    "python": ["python3"],
}


def run_step(
    step: Step, job: JobState, log: StepLog, env: Mapping[str, str]
) -> processes.Ended:
    """Runs the step; its exit code is what the step's outcome follows."""
    if step.run:
        return _script(step, job, log, env)
    name = step.uses.partition("@")[0]
    scope = job.scope(env)
    given = {key: interpolate(value, scope) for key, value in step.inputs.items()}
    if name in STAND_INS:
        return _stand_in(STAND_INS[name], given, job, log)
    return _container(step, given, job, log, env)


def _script(
    step: Step, job: JobState, log: StepLog, env: Mapping[str, str]
) -> processes.Ended:
    script = job.layout.temp / f"{step.id or 'script'}-{len(job.lines)}.sh"
    script.write_text(interpolate(step.run, job.scope(env)), encoding="utf-8")
    variables = docker_run.environment_of(
        env=env,
        inputs={},
        state={},
        action_env={},
        home=str(Path.home()),
        github=job.github,
        runner=job.runner,
        actions={},
    )
    return processes.run(
        [*_SHELLS[step.shell], str(script)],
        folder=job.layout.workspace,
        environment={"PATH": job.path, "CI": "true", **variables},
        line=log.line,
        cancellation=job.cancellation,
        timeout=step.timeout_minutes * 60,
    )


def _stand_in(
    action: StandIn, given: Mapping[str, str], job: JobState, log: StepLog
) -> processes.Ended:
    begun = time.monotonic()
    call = StandInCall(
        inputs=given,
        layout=job.layout,
        origin=job.origin,
        artifacts=job.artifacts,
        earlier=job.earlier,
        sha=job.event.sha,
        ref=job.event.ref,
        event=job.event.name,
        fork=job.event.fork,
        token=str(job.github["token"]),
        say=log.say,
        warn=lambda message: log.line(f"::warning::{message}"),
    )
    try:
        log.outputs.update(action(call))
    except StandInError as failed:
        log.fault(str(failed))
        return processes.Ended(exit_code=1, seconds=time.monotonic() - begun)
    return processes.Ended(exit_code=0, seconds=time.monotonic() - begun)


def _container(
    step: Step,
    given: Mapping[str, str],
    job: JobState,
    log: StepLog,
    env: Mapping[str, str],
) -> processes.Ended:
    name = step.uses.partition("@")[0]
    folder = job.layout.workspace / name if name.startswith("./") else job.actions[name]
    action = actions.load(folder)
    if unknown := actions.unexpected(action, given):
        log.line(f"::warning::Unexpected input(s) {unknown}")
    inputs = actions.inputs_of(action, given, job.scope(env))
    variables = docker_run.environment_of(
        env=env,
        inputs=inputs,
        state={},
        action_env={
            key: interpolate(value, Scope({"inputs": inputs}))
            for key, value in action.env.items()
        },
        home=str(job.layout.home),
        github=job.github,
        runner=job.runner,
        actions=job.actions_service,
    )
    inside = {key: job.layout.to_container(value) for key, value in variables.items()}
    try:
        image = job.images.image_of(name, action, job.image_tag(), log.say)
    except subprocess.CalledProcessError as failed:
        log.fault(f"Docker build failed with exit code {failed.returncode}")
        return processes.Ended(exit_code=1, seconds=0.0)
    line = docker_run.run_line(
        docker_run.ContainerStep(
            image=image,
            label=job.label,
            environment=inside,
            entrypoint=action.entrypoint or inputs.get("entrypoint", ""),
            arguments=actions.arguments_of(action, inputs),
        ),
        job.layout,
    )
    log.say(f"##[command]docker {line}")
    # The client gets the values in its own environment: `-e NAME` passes them on.
    return processes.run(
        ["docker", *split(line)],
        folder=job.layout.workspace,
        environment={"PATH": job.path, **job.docker_environment, **inside},
        line=log.line,
        cancellation=job.cancellation,
        timeout=step.timeout_minutes * 60,
    )


def take_files(files: StepFiles, job: JobState, log: StepLog) -> str:
    """Reads what the step wrote, whatever its exit code; returns its summary."""
    try:
        job.env.update(
            {key: value for key, value in files.pairs("ENV") if key != "NODE_OPTIONS"}
        )
        log.outputs.update(dict(files.pairs("OUTPUT")))
        log.state.update(dict(files.pairs("STATE")))
    except FileCommandError as wrong:
        log.fault("Unable to process file command successfully.")
        log.fault(str(wrong))
        log.failed = True
    job.path = ":".join([*files.read("PATH").splitlines(), job.path])
    summary = files.read("STEP_SUMMARY")
    size = len(summary.encode())
    if size > SUMMARY_LIMIT:
        log.fault(
            "$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of "
            f"{SUMMARY_LIMIT // 1024}k, got {size // 1024}k."
        )
        return ""
    return job.masks.apply(summary)


def outcome_of(ended: processes.Ended, log: StepLog) -> Conclusion:
    """A cancelled step is cancelled, whatever its exit code says."""
    if ended.stopped == "cancelled":
        return Conclusion.CANCELLED
    failed = ended.exit_code != 0 or ended.stopped or log.failed
    return Conclusion.FAILURE if failed else Conclusion.SUCCESS
