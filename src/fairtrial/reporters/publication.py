"""What a reporter hands back: text, and where it belongs; others write it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from fairtrial.domain.report import Report
from fairtrial.reporters.words import Locale


class PublicationKind(StrEnum):
    """Where a publication belongs."""

    #: A file in the report directory; `name` is its relative name.
    FILE = "file"
    #: The job's summary page.
    SUMMARY = "summary"
    #: One workflow command on standard output.
    ANNOTATION = "annotation"
    #: Lines for the person or the log that watches.
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """One text for one place."""

    kind: PublicationKind
    content: str
    name: str = ""


class Reporter(Protocol):
    """A module that renders a report; it needs to import or subclass nothing."""

    def render(
        self, report: Report, locale: Locale = Locale.EN
    ) -> Sequence[Publication]:
        """The publications of one report; pure."""
        ...
