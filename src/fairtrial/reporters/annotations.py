"""The report as annotations on the changed files, by workflow commands.

GitHub counts ten annotations of each level a step and silently drops the rest, so the
tenth says how many there would be more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.report import Finding, Report, Verdict
from fairtrial.reporters import headline
from fairtrial.reporters.hostile import command, command_property
from fairtrial.reporters.publication import Publication, PublicationKind
from fairtrial.reporters.table import heaviest_first
from fairtrial.reporters.words import WORDS, Locale, Words

PER_LEVEL: Final = 10

_PLACE: Final = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7})(?:-(?P<end>\d{1,7}))?")


class Level(StrEnum):
    """How loud an annotation is."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotation:
    level: Level
    title: str
    message: str
    #: "path:line" or "path:line-line"; anything else is no place.
    place: str = ""


def render(report: Report, locale: Locale = Locale.EN) -> Sequence[Publication]:
    """At most ten workflow commands a level, the heaviest first."""
    found = list(_annotations(report, WORDS[locale]))
    return tuple(
        Publication(kind=PublicationKind.ANNOTATION, content=_written(annotation))
        for level in Level
        for annotation in _bounded([a for a in found if a.level is level])
    )


def _annotations(report: Report, words: Words) -> Iterator[_Annotation]:
    if report.stopped is not None:
        yield _Annotation(
            level=Level.ERROR,
            title=headline.says(report, words),
            message=report.stopped,
        )
    for verdict in heaviest_first(report.verdicts):
        yield _of_verdict(verdict, words)
    for finding in sorted(report.findings, key=lambda f: -f.decision):
        yield _of_finding(finding)


def _of_verdict(verdict: Verdict, words: Words) -> _Annotation:
    what = words.categories[verdict.category]
    parts = (verdict.test, verdict.because, verdict.next)
    return _Annotation(
        level=_level(verdict.decision),
        title=f"{what} ({words.sides[verdict.side]})",
        message="\n".join(part for part in parts if part),
        place=_place(verdict),
    )


def _of_finding(finding: Finding) -> _Annotation:
    line = finding.line if finding.line is not None else 1
    return _Annotation(
        level=_level(finding.decision),
        title=finding.rule,
        message=finding.because or finding.effect or finding.rule,
        place=f"{finding.path}:{line}" if finding.path is not None else "",
    )


def _place(verdict: Verdict) -> str:
    """The lines to look at: the culprit's when production is to blame."""
    if verdict.culprit and verdict.side in {Blame.PRODUCTION, Blame.BOTH}:
        return f"{verdict.culprit[0].path}:{verdict.culprit[0].lines}"
    return (verdict.failure.where or "") if verdict.failure is not None else ""


def _level(decision: Decision) -> Level:
    match decision:
        case Decision.PASS:
            return Level.NOTICE
        case Decision.REPAIR:
            return Level.WARNING
        case Decision.INCONCLUSIVE | Decision.BLOCK:
            return Level.ERROR


def _bounded(annotations: Sequence[_Annotation]) -> Sequence[_Annotation]:
    if len(annotations) <= PER_LEVEL:
        return annotations
    shown = annotations[: PER_LEVEL - 1]
    more = len(annotations) - len(shown)
    last = _Annotation(
        level=annotations[0].level,
        title=f"{more:,} more",
        message=f"{more:,} more in the summary of this job.",
    )
    return (*shown, last)


def _written(annotation: _Annotation) -> str:
    properties = []
    if place := _PLACE.fullmatch(annotation.place):
        properties.append(f"file={command_property(place['file'], 1000)}")
        properties.append(f"line={place['line']}")
        if place["end"]:
            properties.append(f"endLine={place['end']}")
    properties.append(f"title={command_property(annotation.title)}")
    message = command(annotation.message)
    return f"::{annotation.level.value} {','.join(properties)}::{message}"
