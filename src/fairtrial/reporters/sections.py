"""The parts of a report around its tables: failures, next step, details, footer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.report import CellInfo, FailureInfo, Report, SuiteInfo, Verdict
from fairtrial.reporters import counts, headline, leftovers, table
from fairtrial.reporters.commands import replay_command
from fairtrial.reporters.hostile import cell, code, fenced, line, prose
from fairtrial.reporters.words import Words

_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")

#: A command is shown whole or not at all: cut, it would name another test.
_COMMAND_LIMIT: Final = 2000


def stop(report: Report, text_limit: int) -> str:
    """Why a run ended before a judgement."""
    return fenced(report.stopped, text_limit) if report.stopped is not None else ""


def accepted(report: Report, words: Words) -> str:
    """Who accepted what blocked, and how."""
    said = prose(", ".join(report.acceptances))
    return f"**{words.accepted_by}:** {said}." if said else ""


def failures(shown: Sequence[Verdict], text_limit: int) -> str:
    """One line for each of the heaviest failures that count against the change."""
    return "\n\n".join(
        failure_line(verdict.failure, min(text_limit, 300))
        for verdict in shown
        if verdict.failure is not None and verdict.decision is not Decision.PASS
    )


def failure_line(failure: FailureInfo, limit: int) -> str:
    """`AssertionError` at `tests/test_cart.py:12`: expected `7`, got `13`."""
    where = f" at {code(failure.where)}" if failure.where else ""
    head = f"{code(failure.type or failure.kind, 120)}{where}"
    if failure.expected is not None and failure.actual is not None:
        expected, actual = code(failure.expected, limit), code(failure.actual, limit)
        return f"{head}: expected {expected}, got {actual}."
    message = line(failure.message, limit)
    return f"{head}: {code(message, limit)}" if message else head


def following(report: Report, words: Words) -> str:
    """What to do, but for what the first line has said."""
    if report.stopped is not None or report.next.actor == "none":
        return ""
    say = prose(report.next.say.replace(f"{headline.says(report, words)}.", ""))
    return f"**{words.next}:** {say}" if say else ""


def notices(shown: Sequence[str]) -> str:
    """Sentences that every reader should see."""
    return "\n".join(f"- {prose(notice)}" for notice in shown if prose(notice))


def suites(shown: Sequence[SuiteInfo]) -> str:
    """One line a suite, in numbers."""
    lines = []
    for suite in shown:
        numbers = ", ".join(
            f"{count:,} {name}"
            for name, count in (
                ("passed", suite.passed),
                ("failed", suite.failed),
                ("skipped", suite.skipped),
                ("errored", suite.errored),
                ("missing", suite.missing),
            )
            if count or name == "passed"
        )
        state = "" if suite.state == "tried" else f", {prose(suite.state, 40)}"
        note = f": {prose(suite.note)}" if suite.note else ""
        lines.append(
            f"- {code(suite.name, 80)} ({code(suite.runner, 40)}): "
            f"{suite.listed:,} listed, {numbers}, {suite.seconds:,.1f} s{state}{note}"
        )
    return "\n".join(lines)


def found(report: Report, shown: Sequence[Verdict], words: Words, limit: int) -> str:
    """The experiments behind each verdict, folded."""
    cost = report.cost
    title = (
        f"{words.found}: {cost.trials:,} trials, {cost.seconds:,.0f} s beyond"
        f" the suite ({cost.suite_seconds:,.0f} s)"
    )
    told = leftovers.in_the_open(table.heaviest_first(report.verdicts))
    inside = [
        _experiments(verdict, limit, () if verdict in told else (verdict,), words)
        for verdict in shown
    ]
    return _folded(title, inside)


def again(report: Report, shown: Sequence[Verdict], words: Words) -> str:
    """The commands that show each verdict again, made anew from the verdicts.

    A report's own `replay` is never shown: in the comment job it is hostile data, and
    people paste what they see.
    """
    commands = dict.fromkeys(
        replay_command(verdict, report.subject)
        for verdict in shown
        if len(verdict.test) <= _COMMAND_LIMIT
    )
    short = [command for command in commands if len(command) <= _COMMAND_LIMIT]
    whole = "\n".join(short)
    return _folded(words.again, [fenced(whole, len(whole), "sh")] if short else [])


def footer(report: Report) -> str:
    """Under which conditions all of it was seen."""
    parts = []
    if report.subject is not None:
        subject = report.subject
        parts += [
            f"base {code(_short(subject.base), 40)}",
            f"head {code(_short(subject.pull_head or subject.head), 40)}",
            f"configuration {code(subject.configuration, 80)}",
        ]
        if subject.authority_because:
            why = prose(subject.authority_because, 160)
            parts.append(f"authority {code(subject.authority, 20)} ({why})")
    levels = [(k, v) for k, v in report.conditions.items() if k != "fingerprint"]
    parts += [f"{prose(name, 30)}: {prose(level, 60)}" for name, level in levels[:12]]
    parts.append(f"Fairtrial {code(report.tool, 40)}")
    return f"<sub>{' · '.join(parts)}</sub>"


def _short(revision: str) -> str:
    return revision[:7] if _COMMIT.fullmatch(revision) else revision


def _folded(title: str, blocks: Sequence[str]) -> str:
    """A fold; blank lines around its inside, or GitHub reads no Markdown there."""
    if not blocks:
        return ""
    inside = "\n\n".join(blocks)
    return f"<details><summary>{title}</summary>\n\n{inside}\n\n</details>"


def _experiments(
    verdict: Verdict, limit: int, untold: Sequence[Verdict], words: Words
) -> str:
    blocks = [f"{code(verdict.test)} in suite {code(verdict.suite, 80)}"]
    if because := prose(verdict.because):
        blocks.append(because)
    if verdict.evidence:
        rows = [_row(info) for info in verdict.evidence]
        blocks.append("\n".join(["| context | tree | seen |", "|---|---|---|", *rows]))
    blocks += filter(None, [leftovers.spread_out(untold, limit, words)])
    blocks += leftovers.unproven(verdict, limit)
    if verdict.failure is not None and verdict.failure.message:
        blocks.append(fenced(verdict.failure.message, limit))
    return "\n\n".join(blocks)


def _row(info: CellInfo) -> str:
    columns = (code(info.context, 120), prose(counts.tree(info)), counts.marks(info))
    return f"| {' | '.join(cell(column) for column in columns)} |"
