"""A trusted place puts its name to a receipt: `fairtrial sign-receipt`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fairtrial.cli import options
from fairtrial.clients.keys import read_signing_key
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.pipeline.publishing import SIGNED_RECEIPT, write_whole
from fairtrial.pipeline.verifying import bytes_of, report_of, sign
from fairtrial.reporters.hostile import console


@click.command("sign-receipt")
@options.receipt
@click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The private key (Ed25519, PEM); never in a job that runs a change's code.",
)
@options.report_of_receipt
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    show_default=f"{SIGNED_RECEIPT} beside it",
    help="Where the signed receipt is written.",
)
def command(receipt: Path, key: Path, report: Path | None, out: Path | None) -> int:
    """Sign a receipt that holds together, as a DSSE envelope.

    Exit codes: 0 signed, 10 it contradicts itself or its report, so nothing is signed.
    """
    private = read_signing_key(key)
    data = bytes_of(receipt, "receipt")
    judged = report_of(receipt, report)
    text, check = sign(data, judged, private)
    if not text:
        sys.stdout.write(f"Not signed. {console(check.say, 300)}\n")
        return ExitCode.REPAIR
    target = out or receipt.parent / SIGNED_RECEIPT
    try:
        write_whole(target, text)
    except OSError as wrong:
        raise ConfigurationError(
            f"{target} can't be written: {wrong.strerror}.",
            remedy="Name another file with `--out`.",
        ) from wrong
    sys.stdout.write(f"{target} is signed with the key {private.key_id[:16]}….\n")
    sys.stdout.write(f"{console(check.say, 300)}\n")
    return ExitCode.PASS
