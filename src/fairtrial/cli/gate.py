"""The command that judges a change: `fairtrial gate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from fairtrial import gate
from fairtrial.cli import options
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ExitCode, FairtrialError
from fairtrial.domain.report import Report
from fairtrial.domain.request import TELLS, Request
from fairtrial.domain.settings import Authority
from fairtrial.pipeline.publishing import discard_receipts, publications, publish
from fairtrial.pipeline.reporting import stopped_report
from fairtrial.reporters import Locale, PublicationKind


@click.command("gate")
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.inputs
@options.report_dir
@options.bench
@click.option(
    "--authority",
    type=click.Choice([one.value for one in Authority]),
    default=None,
    help="Who made the change; never less strict than configured.",
)
@options.test_timeout
@options.budget
@click.option(
    "--prior",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    default=None,
    help="What an audit found: first guesses of polluter searches, and nothing else.",
)
@click.option(
    "--locale",
    type=click.Choice([one.value for one in Locale]),
    default=Locale.EN.value,
    show_default=True,
    help="The language of the report.",
)
@click.option("--variant", default=None, help="Names one job of a matrix.")
def command(authority: str | None, bench: str | None, **asked: Any) -> int:
    """Try a change, and say what would have to change for its tests to pass.

    Exit codes: 0 pass, 10 repair, 11 inconclusive, 12 block; 1 a bug, 2 configuration,
    3 no bench, 4 nothing to judge, 130 interrupted.
    """
    world = real_world()
    request = Request(
        authority=None if authority is None else Authority(authority),
        bench=options.bench_kind(bench),
        event=world.environ if world.environ.get("GITHUB_ACTIONS") else {},
        suites=tuple(asked.pop("suites")),
        inputs=options.suite_inputs(asked),
        **asked,
    )
    _discard_old(request.report_dir)
    stop_when_told()
    try:
        report = gate.run(request, world)
    except FairtrialError as stop:
        _publish_stop(request, stop, stop.exit_code)
        raise
    except KeyboardInterrupt:
        _publish_stop(request, None, ExitCode.INTERRUPTED)
        raise
    except Exception:
        _publish_stop(request, None, ExitCode.BUG)
        raise
    finally:
        world.progress.done()
    _say(report, request)
    return report.exit_code


def _discard_old(folder: Path) -> None:
    """No report of an earlier run is taken for this one's."""
    for name in ("report.json", "report.md"):
        (folder / name).unlink(missing_ok=True)
    discard_receipts(folder)


def _publish_stop(
    request: Request, stop: FairtrialError | None, code: ExitCode
) -> None:
    report = stopped_report(request, stop, code)
    try:
        publish(report, request)
    except FairtrialError as unwritten:
        click.echo(f"fairtrial: {unwritten.diagnostics()}", err=True)


def _annotates(request: Request) -> bool:
    """Whether this is a step of a job that nobody else tells the runner about."""
    return bool(request.event) and TELLS not in request.event


def _say(report: Report, request: Request) -> None:
    for publication in publications(report, request.locale):
        match publication.kind:
            case PublicationKind.TERMINAL:
                sys.stdout.write(publication.content)
            case PublicationKind.ANNOTATION if _annotates(request):
                sys.stdout.write(f"{publication.content}\n")
            case (
                PublicationKind.ANNOTATION
                | PublicationKind.FILE
                | PublicationKind.SUMMARY
            ):
                continue
    sys.stdout.flush()
