"""The report as `report.json`: what tools, the comment job and later runs read.

The shape is the domain's, field for field; `report.schema.json` beside this file is
its JSON Schema (2020-12). Fields are only ever added.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.report import FailureInfo, Leftover, Report
from fairtrial.reporters import leftovers, plain_json
from fairtrial.reporters.hostile import cut
from fairtrial.reporters.publication import Publication, PublicationKind
from fairtrial.reporters.report_reader import SCHEMA_NAME, ReportRefused, load
from fairtrial.reporters.words import Locale

__all__ = ["ReportRefused", "dump", "load", "render"]

#: What a test printed into its own failure is evidence for people; this much of each
#: field is kept, so that no test can make a report that the comment job refuses.
TEXT_LIMIT: Final = 8000


def render(report: Report, locale: Locale = Locale.EN) -> Sequence[Publication]:
    """`report.json`; the same in every language."""
    del locale
    content = dump(report)
    return (
        Publication(kind=PublicationKind.FILE, name="report.json", content=content),
    )


def dump(report: Report) -> str:
    """The report as JSON text, ASCII only, ending with a line end."""
    return plain_json.dump(SCHEMA_NAME, report, _kept)


def _kept(value: Any) -> Any:
    """What of a value is written."""
    if isinstance(value, FailureInfo):
        return _shortened(value)
    if isinstance(value, Leftover):
        return leftovers.kept(value)
    if isinstance(value, Decision):
        return value.word
    return value


def _shortened(failure: FailureInfo) -> FailureInfo:
    return dataclasses.replace(
        failure,
        message=cut(failure.message, TEXT_LIMIT),
        expected=_cut_or_none(failure.expected),
        actual=_cut_or_none(failure.actual),
    )


def _cut_or_none(text: str | None) -> str | None:
    return None if text is None else cut(text, TEXT_LIMIT)
