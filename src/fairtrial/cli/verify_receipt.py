"""Whether a receipt is to be believed: `fairtrial verify-receipt`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click

from fairtrial.cli import options
from fairtrial.clients.git import Git, top_of
from fairtrial.clients.keys import read_verifying_key
from fairtrial.domain.errors import ExitCode
from fairtrial.pipeline.verifying import Held, bytes_of, report_of, verify
from fairtrial.reporters.hostile import console
from fairtrial.reporters.receipt_checks import Check, Holds, all_of

_MARKS = {Holds.YES: "holds", Holds.NO: "does NOT hold", Holds.UNKNOWN: "can't be told"}


@click.command("verify-receipt")
@options.receipt
@click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="The public key (Ed25519, PEM) that has to have signed it.",
)
@options.report_of_receipt
@options.repo
def command(receipt: Path, key: Path | None, report: Path | None, repo: Path) -> int:
    """Say whether a receipt is signed, and about this tree and this report.

    Exit codes: 0 verified, 10 something does not hold, 11 unsigned, or something can't
    be told.
    """
    data = bytes_of(receipt, "receipt")
    public = None if key is None else read_verifying_key(key)
    judged = report_of(receipt, report)
    top = top_of(repo)
    with ExitStack() as closers:
        git = None if top is None else closers.enter_context(Git(top))
        checks = verify(data, Held(key=public, report=judged, git=git))
    for check in checks:
        sys.stdout.write(f"{check.what}: {_MARKS[check.holds]}. {_say(check)}\n")
    match all_of(checks):
        case Holds.YES:
            sys.stdout.write("The receipt is verified.\n")
            return ExitCode.PASS
        case Holds.NO:
            sys.stdout.write("The receipt is not to be believed.\n")
            return ExitCode.REPAIR
        case Holds.UNKNOWN:
            sys.stdout.write(
                "Nothing speaks against the receipt, and not all is told.\n"
            )
            return ExitCode.INCONCLUSIVE


def _say(check: Check) -> str:
    return console(check.say, 300)
