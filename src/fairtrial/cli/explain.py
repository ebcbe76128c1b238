"""A report, or the class of each changed path, in words: `fairtrial explain`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.request import Request
from fairtrial.pipeline.world import World
from fairtrial.reporters import markdown, report_json, terminal
from fairtrial.reporters.hostile import console
from fairtrial.subject.subject import read_subject
from fairtrial.subject.workspace import open_repository


@click.command("explain")
@click.argument(
    "report",
    required=False,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="[REPORT]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How a report is shown.",
)
@click.option(
    "--paths", is_flag=True, help="Each changed path with its class and the reason."
)
@options.repo
@options.base
@options.head
@options.config
def command(report: Path | None, form: str, paths: bool, **asked: Any) -> int:  # noqa: FBT001 - click's flag
    """Show a report again, or what each changed path counts as, and why."""
    if paths:
        world = real_world()
        return _explain_paths(request_of(world, None, asked), world)
    path = report or Path("fairtrial-report/report.json")
    try:
        found = report_json.load(path.read_bytes())
    except OSError as wrong:
        raise ConfigurationError(
            f"The report {path} can't be read: {wrong.strerror}.",
            remedy="Run `fairtrial gate` first, or name the report.",
        ) from wrong
    match form:
        case "json":
            sys.stdout.write(report_json.dump(found))
        case "markdown":
            sys.stdout.write(markdown.summary(found))
        case _:
            sys.stdout.write(terminal.final(found))
    return 0


def _explain_paths(request: Request, world: World) -> int:
    with open_repository(request.repo, world.environ) as git:
        subject = read_subject(git, request)
    for change in subject.changed:
        heads = f"{change.path_class.value:<12} {change.kind.value:<8}"
        reason = console(change.reason, 300)
        sys.stdout.write(f"{heads} {console(change.path, 400)}   ({reason})\n")
    for notice in subject.notices:
        sys.stdout.write(f"note: {console(notice, 400)}\n")
    return 0
