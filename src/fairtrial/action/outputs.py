"""What later steps learn of the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.report import Report

#: Every output of `action.yml`, in its order.
OUTPUTS: Final[tuple[str, ...]] = (
    "decision",
    "requires-production-change",
    "report",
    "passed",
    "failed",
    "skipped",
    "verdicts",
    "blocked",
    "inconclusive",
    "repairs",
    "acquitted",
)


def outputs_of(report: Report | None, *, exit_code: int, path: str) -> dict[str, str]:
    """The outputs by name, all of them, always.

    Without a report (the run stopped before it wrote one) counts are zero, and what
    nobody knows is empty. The decision is never lighter than the exit code.
    """
    suites = report.suites if report else ()
    verdicts = report.verdicts if report else ()
    findings = report.findings if report else ()
    judged = [one.decision for one in verdicts] + [one.decision for one in findings]
    return {
        "decision": _decision(report, exit_code).word,
        "requires-production-change": _requires(report),
        "report": path if report else "",
        "passed": str(sum(suite.passed for suite in suites)),
        "failed": str(sum(suite.failed for suite in suites)),
        "skipped": str(sum(suite.skipped for suite in suites)),
        "verdicts": str(len(verdicts)),
        "blocked": str(judged.count(Decision.BLOCK)),
        "inconclusive": str(judged.count(Decision.INCONCLUSIVE)),
        "repairs": str(judged.count(Decision.REPAIR)),
        "acquitted": str(sum(one.decision is Decision.PASS for one in verdicts)),
    }


def _decision(report: Report | None, exit_code: int) -> Decision:
    by_report = report.decision if report else Decision.INCONCLUSIVE
    # Any other exit code is a stop, and a stop is not known to be anything better.
    by_exit = {one.value: one for one in Decision}.get(exit_code, Decision.INCONCLUSIVE)
    return max(by_report, by_exit)


def _requires(report: Report | None) -> str:
    if report is None or report.stopped is not None:
        return ""
    return "true" if report.requires_production_change else "false"


def as_file_commands(outputs: Mapping[str, str], *, delimiter: str) -> str:
    """The lines for GITHUB_OUTPUT.

    `delimiter` is random, so that no value can close its own block.

    Raises `ValueError` when a value holds the delimiter all the same.
    """
    if any(delimiter in value for value in outputs.values()):
        raise ValueError("an output holds the delimiter that was to enclose it")
    return "".join(
        f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
        for name, value in outputs.items()
    )
