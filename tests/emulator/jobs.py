"""How a job's steps follow each other."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.emulator.expressions import (
    ExpressionError,
    Scope,
    evaluate,
    interpolate,
    names_a_status,
    truthy,
)
from tests.emulator.file_commands import PREFIXES, StepFiles
from tests.emulator.job_state import JobState
from tests.emulator.job_steps import outcome_of, run_step, take_files
from tests.emulator.layout import give_to_runner
from tests.emulator.processes import Cancellation, Ended
from tests.emulator.results import Conclusion, JobResult, StepResult
from tests.emulator.step_log import StepLog
from tests.emulator.workflows import Job, Step

#: Of a job's summaries, so many are shown.
SUMMARIES_SHOWN = 20


def holds(condition: str, scope: Scope) -> bool:
    """Whether an `if:` lets its step or job run: unless it says so, only on success."""
    text = condition.strip().removeprefix("${{").removesuffix("}}").strip() or "true"
    if not names_a_status(text):
        text = f"success() && ({text})"
    return truthy(evaluate(text, scope))


def run_job(job: Job, state: JobState) -> JobResult:
    """Runs all steps whose condition holds; the job ends as its worst step."""
    state.layout.create()
    for step in job.steps:
        result = _step(step, state)
        state.results.append(result)
        if step.id:
            state.steps[step.id] = {
                "outputs": dict(result.outputs),
                "outcome": result.outcome.value,
                "conclusion": result.conclusion.value,
            }
        if state.cancellation.pressed:
            state.status = Conclusion.CANCELLED
            # What still runs after this is not cancelled by it again.
            state.cancellation = Cancellation()
        elif result.conclusion is Conclusion.FAILURE:
            state.status = Conclusion.FAILURE
    state.remove_images()
    scope = state.scope(state.env)
    outputs = {name: interpolate(value, scope) for name, value in job.outputs.items()}
    return JobResult(
        name=job.name,
        conclusion=state.status,
        steps=tuple(state.results),
        # A value that holds something masked is not passed on.
        outputs={
            name: value
            for name, value in outputs.items()
            if not state.masks.hides(value)
        },
        annotations=tuple(state.annotations),
        summary="\n\n".join(state.summaries[:SUMMARIES_SHOWN]),
        log="\n".join(state.lines),
        masks=frozenset(state.masks.values),
    )


def _step(step: Step, state: JobState) -> StepResult:
    log = StepLog(state.masks, lambda path: _relative(path, state))
    files = StepFiles.create(state.layout.file_commands)
    _point_to(files, step, state)
    try:
        env = _environment(step, state)
        if not holds(step.condition, state.scope(env)):
            return _skipped(step)
        log.say(f"##[group]{interpolate(step.name, state.scope(env))}")
        ended = run_step(step, state, log, env)
    except ExpressionError as wrong:
        log.fault(str(wrong))
        ended = Ended(exit_code=1, seconds=0.0)
    if ended.stopped == "timed out":
        log.fault(
            f"The action '{step.name}' has timed out after {step.timeout_minutes:g} "
            "minutes."
        )
    summary = take_files(files, state, log)
    files.remove()
    if summary:
        state.summaries.append(summary)
    state.lines += log.lines
    state.annotations += log.annotations
    outcome = outcome_of(ended, log)
    forgiven = step.continue_on_error and outcome is Conclusion.FAILURE
    return StepResult(
        name=step.id or step.name,
        outcome=outcome,
        conclusion=Conclusion.SUCCESS if forgiven else outcome,
        outputs=dict(log.outputs),
        exit_code=ended.exit_code,
        seconds=ended.seconds,
        stopping=ended.stopping,
    )


def _point_to(files: StepFiles, step: Step, state: JobState) -> None:
    give_to_runner(state.layout.file_commands)
    event_file = state.layout.workflow / "event.json"
    event_file.write_text(json.dumps(state.event.payload), encoding="utf-8")
    state.github["event_path"] = str(event_file)
    state.github["action"] = step.id or "__" + _action_name(step)
    for name in PREFIXES:
        state.github[name.lower()] = str(files.path(name))


def _action_name(step: Step) -> str:
    return step.uses.partition("@")[0].replace("/", "_") or "run"


def _environment(step: Step, state: JobState) -> Mapping[str, str]:
    scope = state.scope(state.env)
    return state.env | {
        key: interpolate(value, scope) for key, value in step.env.items()
    }


def _relative(path: str, state: JobState) -> str:
    host = state.layout.to_host(path)
    prefix = f"{state.layout.workspace}/"
    return host.removeprefix(prefix)


def _skipped(step: Step) -> StepResult:
    return StepResult(
        name=step.id or step.name,
        outcome=Conclusion.SKIPPED,
        conclusion=Conclusion.SKIPPED,
    )
