"""How a report leaves a run: as files in the report directory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.receipts import Receipt
from fairtrial.domain.report import Report
from fairtrial.domain.request import Request
from fairtrial.pipeline.evidence import FILE
from fairtrial.reporters import REPORTERS, Locale, Publication, PublicationKind
from fairtrial.reporters import receipt as statement

#: Files of the report directory.
REPORT: Final = "report.json"
RECEIPT: Final = "receipt.json"
#: The receipt in an envelope with a signature.
SIGNED_RECEIPT: Final = "receipt.dsse.json"
#: What a trusted job takes out of the receipt for an attestation of GitHub's.
PREDICATE: Final = "predicate.json"


def publications(report: Report, locale: str) -> tuple[Publication, ...]:
    """Everything that is said of a report, by every reporter."""
    language = Locale(locale)
    return tuple(
        publication
        for reporter in REPORTERS.values()
        for publication in reporter.render(report, language)
    )


def publish(
    report: Report,
    request: Request,
    receipt: Receipt | None = None,
    evidence: Mapping[str, str] | None = None,
) -> Report:
    """The same report, with its files written; raises ConfigurationError.

    `evidence` are further files by name. The receipt is written last, with the digest
    of `report.json` in it.

    A file is put in place whole or not at all, so that no reader ever finds half a
    report, or an old one beside a new.
    """
    folder = request.report_dir
    try:
        make_folder(folder)
        discard_receipts(folder)
        (folder / FILE).unlink(missing_ok=True)
        for publication in publications(report, request.locale):
            if publication.kind is PublicationKind.FILE:
                write_whole(folder / publication.name, publication.content)
        for name, content in (evidence or {}).items():
            write_whole(folder / name, content)
        if receipt is not None:
            digest = sha256((folder / REPORT).read_bytes()).hexdigest()
            write_receipt(folder, replace(receipt, report=digest))
    except OSError as wrong:
        raise unwritten(folder, wrong) from wrong
    return report


def write_receipt(folder: Path, receipt: Receipt | None) -> None:
    """A receipt in place of any older one; none leaves none. Raises OSError."""
    make_folder(folder)
    discard_receipts(folder)
    if receipt is not None:
        write_whole(folder / RECEIPT, statement.dump(receipt))


def discard_receipts(folder: Path) -> None:
    """Nothing that an earlier run left speaks for this one. Raises OSError."""
    for name in (RECEIPT, SIGNED_RECEIPT, PREDICATE):
        (folder / name).unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """The report directory; what it holds is no part of the next change under test."""
    if not folder.exists():
        folder.mkdir(parents=True)
        write_whole(folder / ".gitignore", "*\n")


def unwritten(folder: Path, wrong: OSError) -> ConfigurationError:
    """What is said of a report directory that takes no report."""
    return ConfigurationError(
        f"The report can't be written to {folder}: {wrong.strerror}.",
        means="The folder is not a folder, or may not be written.",
        remedy="Give another one with `--report-dir`.",
    )


def write_whole(path: Path, content: str) -> None:
    """A file put in place whole or not at all. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
