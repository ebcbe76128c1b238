"""How what a gate found reaches the runner, once every trial is dead."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.action.command_files import CommandFiles, give_to_owner_of
from fairtrial.action.outputs import as_file_commands, outputs_of
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.report import Report
from fairtrial.reporters import Locale, markdown
from fairtrial.reporters.annotations import render as annotations_of
from fairtrial.reporters.hostile import command
from fairtrial.reporters.report_reader import ReportRefused, load

_TITLE: Final = "title=Fairtrial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Where the parts of a step's result go."""

    files: CommandFiles
    workspace: Path
    report_dir: Path
    locale: Locale

    def deliver(self, exit_code: int) -> int:
        """Writes outputs, summary and annotations; the exit code that follows.

        All of it comes from report.json, which is read as the comment job reads it.
        """
        grown = self.files.take_back()
        if grown:
            say_error(
                f"Something other than Fairtrial wrote to {', '.join(grown)} during"
                " this step. It was undone, and this run proves nothing."
            )
            exit_code = exit_code or ExitCode.INCONCLUSIVE
        report = self._report()
        if report is None and exit_code == ExitCode.PASS:
            say_error("No report was written, so nothing is proved.")
            exit_code = ExitCode.BUG
        self._write_outputs(report, exit_code)
        self._write_page(report, exit_code)
        if self.report_dir.exists():
            give_to_owner_of(self.workspace, self.report_dir)
        return exit_code

    def refuse(self, wrong: ConfigurationError) -> int:
        """Tells why nothing was run."""
        message = wrong.diagnostics()
        say_error(message)
        page = f"### Fairtrial could not start\n\n{message}\n"
        self.files.append("GITHUB_STEP_SUMMARY", page)
        self._write_outputs(None, wrong.exit_code)
        return wrong.exit_code

    def _report(self) -> Report | None:
        path = self.report_dir / "report.json"
        try:
            return load(path.read_bytes())
        except (OSError, ReportRefused) as unreadable:
            sys.stderr.write(f"fairtrial: {path}: {unreadable}\n")
            return None

    def _write_outputs(self, report: Report | None, exit_code: int) -> None:
        path = self.report_dir.relative_to(self.workspace) / "report.json"
        outputs = outputs_of(report, exit_code=exit_code, path=path.as_posix())
        lines = as_file_commands(outputs, delimiter=secrets.token_hex(16))
        self.files.append("GITHUB_OUTPUT", lines)

    def _write_page(self, report: Report | None, exit_code: int) -> None:
        if report is None:
            page = (
                f"### Fairtrial stopped without a report (exit code {exit_code})\n\n"
                "The step's log says why.\n"
            )
        else:
            page = markdown.summary(report, self.locale)
            for annotation in annotations_of(report, self.locale):
                say(annotation.content)
        self.files.append("GITHUB_STEP_SUMMARY", page)


def say_error(message: str) -> None:
    """An error of the step's own, as an annotation."""
    say(f"::error {_TITLE}::{command(message)}")


def say(line: str) -> None:
    """One line of the step's log, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
