"""What helps with a suite's databases: `fairtrial db`."""

from __future__ import annotations

import sys
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ExitCode
from fairtrial.domain.settings import BenchKind
from fairtrial.pipeline.clean_order import lines_of_suite, lines_of_url


@click.group("db")
def command() -> None:
    """What helps with a suite's databases."""


@command.command("clean-order")
@click.option(
    "--database",
    metavar="NAME",
    default=None,
    help="This one, where the suite has several.",
)
@click.option(
    "--url-from",
    metavar="VARIABLE",
    default=None,
    help="The database whose URL this variable holds; it is only read.",
)
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.test_timeout
def clean_order(database: str | None, url_from: str | None, **asked: Any) -> int:
    """Print the deletes that empty all tables, children before parents.

    Exit codes: 0 they were printed, 4 there is no table.
    """
    world = real_world()
    stop_when_told()
    if url_from is not None:
        if database is not None:
            raise click.UsageError("--database and --url-from exclude each other.")
        lines = lines_of_url(url_from, world)
    else:
        request = request_of(world, BenchKind.HERE.value, asked)
        lines = lines_of_suite(request, world, database)
    world.progress.done()
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if not lines:
        sys.stderr.write("There is no table.\n")
    return ExitCode.PASS if lines else ExitCode.NOTHING_TO_JUDGE
