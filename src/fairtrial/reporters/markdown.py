"""The report for people, as the job's summary, the comment and `report.md`.

One renderer for all of them: the decision in one line, one row a verdict, the rest
folded. What does not fit is left out whole, never cut through: the fullest version
that fits is taken, so that every fence and fold is closed by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.report import Report
from fairtrial.reporters import headline, leftovers, sections, table
from fairtrial.reporters.hostile import prose
from fairtrial.reporters.publication import Publication, PublicationKind
from fairtrial.reporters.words import WORDS, Locale, Words

#: Bytes of UTF-8, which are never fewer than characters. GitHub refuses a comment of
#: more than 65,536 characters (observed) and drops a summary of more than 1 MiB.
COMMENT_LIMIT: Final = 60_000
SUMMARY_LIMIT: Final = 900_000


@dataclass(frozen=True, slots=True)
class Fullness:
    """How much of each part a version shows."""

    rows: int
    details: int
    commands: int
    text: int


_VERSIONS: Final = (
    Fullness(rows=1000, details=200, commands=200, text=4000),
    Fullness(rows=300, details=50, commands=50, text=2000),
    Fullness(rows=100, details=20, commands=50, text=1000),
    Fullness(rows=50, details=10, commands=20, text=500),
    Fullness(rows=25, details=5, commands=10, text=300),
    Fullness(rows=10, details=2, commands=5, text=200),
    Fullness(rows=5, details=0, commands=2, text=100),
    Fullness(rows=1, details=0, commands=0, text=50),
)


def render(report: Report, locale: Locale = Locale.EN) -> Sequence[Publication]:
    """The job's summary, and the same as `report.md`."""
    content = summary(report, locale)
    return (
        Publication(kind=PublicationKind.SUMMARY, content=content),
        Publication(kind=PublicationKind.FILE, name="report.md", content=content),
    )


def comment(
    report: Report, locale: Locale = Locale.EN, *, limit: int = COMMENT_LIMIT
) -> str:
    """The body of the pull request's comment, without its marker, within the limit."""
    return _fullest(report, WORDS[locale], limit)


def summary(report: Report, locale: Locale = Locale.EN) -> str:
    """The job's summary page."""
    return _fullest(report, WORDS[locale], SUMMARY_LIMIT)


def unreadable(why: str, locale: Locale = Locale.EN) -> str:
    """The comment of a run whose report was refused: nothing in it is believed."""
    words = WORDS[locale]
    return f"### ⚠️ {words.unreadable}\n\n{prose(why, 600)}\n"


def _fullest(report: Report, words: Words, limit: int) -> str:
    for fullness in _VERSIONS:
        text = _version(report, words, fullness)
        if len(text.encode("utf-8")) <= limit:
            return text
    return f"{headline.line(report, words)}\n\n{words.too_long}\n"


def _version(report: Report, words: Words, full: Fullness) -> str:
    ordered = table.heaviest_first(report.verdicts)
    findings = table.heaviest_first(report.findings)
    expected = [each for each in findings if table.is_expectation(each)]
    others = [each for each in findings if not table.is_expectation(each)]
    parts: tuple[Callable[[], str], ...] = (
        lambda: headline.line(report, words),
        lambda: sections.stop(report, full.text),
        lambda: sections.accepted(report, words),
        lambda: table.expectations(expected[: full.rows], words),
        lambda: table.rest(len(expected) - full.rows, words),
        lambda: table.verdicts(ordered[: full.rows], words),
        lambda: table.rest(len(ordered) - full.rows, words),
        lambda: sections.failures(ordered[:3], full.text),
        lambda: leftovers.spread_out(
            leftovers.in_the_open(ordered) if full.details else (), full.text, words
        ),
        lambda: table.findings(others[: full.rows], words),
        lambda: table.rest(len(others) - full.rows, words),
        lambda: sections.following(report, words),
        lambda: sections.notices(report.notices[: full.rows]),
        lambda: sections.suites(report.suites[: full.rows]),
        lambda: sections.found(report, ordered[: full.details], words, full.text),
        lambda: sections.again(report, ordered[: full.commands], words),
        lambda: sections.footer(report),
    )
    return "\n\n".join(text for text in (part() for part in parts) if text) + "\n"
