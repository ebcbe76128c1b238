"""One test alone on a clean bench: `fairtrial alone`."""

from __future__ import annotations

import sys
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ExitCode
from fairtrial.domain.experiments import (
    ALONE,
    Experiment,
    Observation,
    Purpose,
    Shape,
    Trust,
)
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome, Result
from fairtrial.domain.trees import HEAD, Revision
from fairtrial.pipeline.single import standing_one
from fairtrial.reporters.hostile import console


@click.command("alone")
@click.argument("test", metavar="TEST")
@click.option(
    "-n",
    "--count",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="How often.",
)
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.bench
@options.test_timeout
def command(test: str, count: int, bench: str | None, **asked: Any) -> int:
    """Run one test of head alone on a clean bench.

    Exit codes: 0 it passed each time, 10 it failed, 11 there was no receipt.
    """
    world = real_world()
    stop_when_told()
    request = request_of(world, bench, asked)
    chosen = TestId(test)
    with standing_one(request, world, Revision.HEAD) as (_, stand):
        experiment = Experiment(
            suite=stand.suite.name,
            tree=HEAD,
            context=ALONE,
            shape=Shape.LISTED,
            tests=(chosen,),
            subjects=(chosen,),
            purpose=Purpose.ALONE,
        )
        seen = stand.laboratory.perform([experiment] * count)
    world.progress.done()
    for observation in seen:
        sys.stdout.write(f"{_line(observation, chosen)}\n")
    return exit_code(seen, chosen)


def exit_code(seen: tuple[Observation, ...], test: TestId) -> ExitCode:
    """Failed if it failed once; passed only if each run has a receipt and passed."""
    outcomes = [_outcome(observation, test) for observation in seen]
    if any(outcome in FAILURES for outcome in outcomes):
        return ExitCode.REPAIR
    if outcomes and all(outcome is Outcome.PASSED for outcome in outcomes):
        return ExitCode.PASS
    return ExitCode.INCONCLUSIVE


def _result(observation: Observation, test: TestId) -> Result | None:
    sound = observation.trust is Trust.SOUND
    return observation.results.get(test) if sound else None


def _outcome(observation: Observation, test: TestId) -> Outcome:
    result = _result(observation, test)
    return Outcome.ERRORED if result is None else result.outcome


def _line(observation: Observation, test: TestId) -> str:
    result = _result(observation, test)
    if result is None:
        return f"no receipt: {console(observation.distrust, 400)}"
    if result.failure is None:
        reason = f": {console(result.reason, 300)}" if result.reason else ""
        return f"{result.outcome.value}{reason}"
    failure = result.failure
    where = f" at {failure.where}" if failure.where else ""
    said = console(f"{failure.type}: {failure.message}{where}", 400)
    return f"{result.outcome.value}: {said}"
