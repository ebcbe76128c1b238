"""What later steps learn of the report, and what the job's page shows of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from fairtrial.domain.decisions import Decision

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

#: The runner drops a whole summary above 1,048,576 bytes, and counts ours after it
#: has masked secrets, which may lengthen it.
SUMMARY_BYTES: Final = 900_000

_CUT: Final = "\n\n*Cut here; the whole report is in the artifact.*\n"


def outputs_of(
    report: Mapping[str, Any] | None, *, exit_code: int, path: str
) -> dict[str, str]:
    """The outputs by name, all of them, always; empty where nothing is known.

    `report` is report.json, read back; None when the run stopped before it wrote one.
    The decision is never lighter than the exit code: a stop is `inconclusive`.
    """
    known = report or {}
    verdicts = [one for one in _list(known, "verdicts") if isinstance(one, Mapping)]
    findings = [one for one in _list(known, "findings") if isinstance(one, Mapping)]
    judged = [str(one.get("decision")) for one in (*verdicts, *findings)]
    requires = known.get("requires_production_change")
    return {
        "decision": _decision(known, exit_code).word,
        "requires-production-change": _flag(requires),
        "report": path if report is not None else "",
        "passed": _total(known, "passed"),
        "failed": _total(known, "failed"),
        "skipped": _total(known, "skipped"),
        "verdicts": str(len(verdicts)),
        "blocked": str(judged.count(Decision.BLOCK.word)),
        "inconclusive": str(judged.count(Decision.INCONCLUSIVE.word)),
        "repairs": str(judged.count(Decision.REPAIR.word)),
        "acquitted": str(sum(one.get("decision") == "pass" for one in verdicts)),
    }


def _decision(report: Mapping[str, Any], exit_code: int) -> Decision:
    said = str(report.get("decision", ""))
    by_report = {one.word: one for one in Decision}.get(said, Decision.INCONCLUSIVE)
    by_exit = {one.value: one for one in Decision}.get(exit_code, Decision.INCONCLUSIVE)
    return max(by_report, by_exit)


def _flag(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else ""


def _list(report: Mapping[str, Any], key: str) -> list[Any]:
    value = report.get(key)
    return value if isinstance(value, list) else []


def _total(report: Mapping[str, Any], key: str) -> str:
    suites = [one for one in _list(report, "suites") if isinstance(one, Mapping)]
    counts = [one.get(key) for one in suites]
    return str(sum(count for count in counts if isinstance(count, int)))


def read_report(text: str) -> Mapping[str, Any] | None:
    """report.json as a mapping; None when it is none."""
    try:
        report = json.loads(text)
    except ValueError:
        return None
    return report if isinstance(report, dict) else None


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


def summary(markdown: str, *, limit: int = SUMMARY_BYTES) -> str:
    """The job summary: the report's Markdown, cut at a line when it is too long.

    `limit` is in bytes of UTF-8. An open code block or `<details>` is closed first.
    """
    if len(markdown.encode()) <= limit:
        return markdown
    room = limit - len(_CUT.encode()) - 200
    kept = markdown.encode()[:room].decode(errors="ignore").rpartition("\n")[0]
    fence = _open_fence(kept)
    closing = f"\n{fence}\n" if fence else ""
    opened = kept.count("<details>") - kept.count("</details>")
    return kept + closing + "\n\n</details>" * min(max(opened, 0), 10) + _CUT


def _open_fence(markdown: str) -> str:
    fence = ""
    for line in markdown.splitlines():
        mark = line.strip()
        ticks = mark[: len(mark) - len(mark.lstrip("`"))]
        if fence:
            if mark == ticks and len(ticks) >= len(fence):
                fence = ""
        elif len(ticks) >= len("```"):
            fence = ticks
    return fence
