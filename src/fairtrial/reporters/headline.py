"""What was decided, in one line, with the one sign that a report carries."""

from __future__ import annotations

from fairtrial.domain.decisions import Category, Decision
from fairtrial.domain.report import Report
from fairtrial.reporters.hostile import code
from fairtrial.reporters.words import Words


def line(report: Report, words: Words) -> str:
    """The report's first line, as a heading."""
    variant = f" ({code(report.run.variant, 80)})" if report.run.variant else ""
    return f"### {sign(report)} {says(report, words)}{variant}"


def sign(report: Report) -> str:
    """The one status sign."""
    if report.stopped is not None:
        return "⚠️"
    match report.decision:
        case Decision.PASS:
            return "✅"
        case Decision.REPAIR:
            return "🔧"
        case Decision.INCONCLUSIVE:
            return "⚠️"
        case Decision.BLOCK:
            return "⛔"


def says(report: Report, words: Words) -> str:
    """The decision as a sentence."""
    if report.stopped is not None:
        return words.stopped
    match report.decision:
        case Decision.PASS:
            return words.accepted if report.acceptances else words.passed
        case Decision.REPAIR:
            return words.repair
        case Decision.INCONCLUSIVE:
            return words.environment if _lacked(report) else words.inconclusive
        case Decision.BLOCK:
            if report.requires_production_change:
                return words.block_production
            return words.block_person


def _lacked(report: Report) -> bool:
    """Whether what could not be judged is the bench's doing, and nothing else's."""
    heavy = {
        verdict.category
        for verdict in report.verdicts
        if verdict.decision is Decision.INCONCLUSIVE
    }
    return heavy == {Category.ENVIRONMENT}
