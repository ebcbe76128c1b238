"""The command line: which command was asked for, and what its exit code says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import click

from fairtrial import __version__
from fairtrial.cli import (
    alone,
    audit,
    comment,
    db,
    doctor,
    explain,
    gate,
    guard,
    polluter,
    run,
    sign_receipt,
    verify_receipt,
)
from fairtrial.cli.stops import bug
from fairtrial.domain.errors import ExitCode, FairtrialError

COMMANDS: Final[dict[str, click.Command]] = {
    "gate": gate.command,
    "run": run.command,
    "alone": alone.command,
    "polluter": polluter.command,
    "explain": explain.command,
    "comment": comment.command,
    "audit": audit.command,
    "guard": guard.command,
    "verify-receipt": verify_receipt.command,
    "sign-receipt": sign_receipt.command,
    "db": db.command,
    "doctor": doctor.command,
}


@click.group(commands=COMMANDS)
@click.version_option(__version__, prog_name="fairtrial")
def group() -> None:
    """Every red test gets a fair trial before it blocks a merge."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one call; each way to stop is told once, on standard error."""
    try:
        outcome = group.main(
            args=None if argv is None else list(argv),
            prog_name="fairtrial",
            standalone_mode=False,
        )
    except click.exceptions.Exit as exited:
        return exited.exit_code
    except click.ClickException as usage:
        usage.show(sys.stderr)
        return ExitCode.CONFIGURATION
    except FairtrialError as stopped:
        click.echo(f"fairtrial: {stopped.diagnostics()}", err=True)
        return stopped.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("fairtrial: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except Exception:  # noqa: BLE001 - whatever is left is a bug, and must not pass
        click.echo(bug(), err=True)
        return ExitCode.BUG
    return int(outcome) if isinstance(outcome, int) else ExitCode.PASS
