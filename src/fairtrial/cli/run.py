"""The sanctioned path for everyone: `fairtrial run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ExitCode
from fairtrial.domain.experiments import (
    Observation,
    Trust,
)
from fairtrial.domain.receipts import Receipt, Scope
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import Revision
from fairtrial.pipeline.naming import run_named
from fairtrial.pipeline.publishing import discard_receipts, unwritten, write_receipt
from fairtrial.pipeline.receipts import receipt_of_run
from fairtrial.pipeline.single import standing
from fairtrial.pipeline.stand import Stand
from fairtrial.reporters.hostile import console


@click.command("run")
@click.argument("tests", nargs=-1, metavar="[TEST]...")
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.report_dir
@options.bench
@options.test_timeout
def command(tests: tuple[str, ...], bench: str | None, **asked: Any) -> int:
    """Run a suite, or the given tests, as the gate does.

    TEST is a test's id, or a folder, file, class or function with all that it holds.
    The exit code is the suite's own, 4 when nothing ran.
    """
    world = real_world()
    stop_when_told()
    code = 0
    ran = []
    request = request_of(world, bench, asked)
    _keep(request.report_dir, None)
    with standing(request, world, Revision.HEAD) as (brief, stands):
        for stand in stands:
            seen = run_named(stand, tests)
            world.progress.done()
            _tell(stand, seen)
            if any(seen.orders.values()):
                ran.append((stand, seen))
            code = code or exit_code(seen)
        scope = Scope.LISTED if tests else Scope.SUITE
        receipt = receipt_of_run(brief, ran, exit_code=code, scope=scope)
    _keep(request.report_dir, receipt)
    if not ran:
        click.echo("fairtrial: nothing ran", err=True)
        return ExitCode.NOTHING_TO_JUDGE
    return code


def _keep(folder: Path, receipt: Receipt | None) -> None:
    """The receipt in the report directory; none, and no older one, without a run."""
    try:
        if receipt is None:
            discard_receipts(folder)
        else:
            write_receipt(folder, receipt)
    except OSError as wrong:
        raise unwritten(folder, wrong) from wrong


def exit_code(seen: Observation) -> int:
    """The suite's own exit code; never 0 where the report does not bear it out."""
    if seen.trust is not Trust.SOUND:
        return seen.exit_code or ExitCode.INCONCLUSIVE
    lacking = FAILURES | {Outcome.MISSING, Outcome.UNBUILDABLE, Outcome.ERRORED}
    bad = any(result.outcome in lacking for result in seen.results.values())
    return seen.exit_code or (1 if bad else 0)


def _tell(stand: Stand, seen: Observation) -> None:
    counts = dict.fromkeys(Outcome, 0)
    for result in seen.results.values():
        counts[result.outcome] += 1
    said = ", ".join(
        f"{count} {outcome.value}" for outcome, count in counts.items() if count
    )
    sys.stdout.write(f"suite {stand.suite.name}: {said or 'no test'}\n")
    for test, result in seen.results.items():
        if result.outcome in FAILURES and result.failure is not None:
            line = f"{result.failure.type}: {result.failure.message}"
            sys.stdout.write(f"  {result.outcome.value} {console(test, 300)}\n")
            sys.stdout.write(f"      {console(line, 300)}\n")
    for file, reason in seen.uncollectable.items():
        sys.stdout.write(f"  not collected {console(f'{file}: {reason}', 300)}\n")
    if seen.trust is not Trust.SOUND:
        sys.stdout.write(f"  not to be trusted: {console(seen.distrust, 400)}\n")
