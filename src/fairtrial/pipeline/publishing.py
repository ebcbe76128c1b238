"""How a report leaves a run: as files in the report directory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.report import Report
from fairtrial.domain.request import Request
from fairtrial.reporters import REPORTERS, Locale, Publication, PublicationKind


def publications(report: Report, locale: str) -> tuple[Publication, ...]:
    """Everything that is said of a report, by every reporter."""
    language = Locale(locale)
    return tuple(
        publication
        for reporter in REPORTERS.values()
        for publication in reporter.render(report, language)
    )


def publish(report: Report, request: Request) -> Report:
    """The same report, with its files written; raises ConfigurationError.

    A file is put in place whole or not at all, so that no reader ever finds half a
    report, or an old one beside a new.
    """
    folder = request.report_dir
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            # A report in the working tree is no part of the next change under test.
            _write(folder / ".gitignore", "*\n")
        for publication in publications(report, request.locale):
            if publication.kind is PublicationKind.FILE:
                _write(folder / publication.name, publication.content)
    except OSError as wrong:
        raise ConfigurationError(
            f"The report can't be written to {folder}: {wrong.strerror}.",
            means="The folder is not a folder, or may not be written.",
            remedy="Give another one with `--report-dir`.",
        ) from wrong
    return report


def _write(path: Path, content: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
