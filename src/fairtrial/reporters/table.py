"""The tables of a report: one row a verdict, one row a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.report import Finding, Verdict
from fairtrial.reporters import counts
from fairtrial.reporters.hostile import cell, code, prose
from fairtrial.reporters.words import Words

#: How many tests or places a cell names before it only says that there are more.
_NAMED = 3

#: Categories that say for themselves whether this change brought them.
_SELF_EVIDENT = frozenset(
    {
        Category.REGRESSION,
        Category.HEAD_BROKEN,
        Category.PRE_EXISTING,
        Category.BASE_BROKEN,
        Category.ENVIRONMENT,
        Category.UNTRIED,
        Category.INCONCLUSIVE,
    }
)


#: What a reader has to see side by side, before anything else.
_EXPECTATIONS = frozenset(
    {
        Category.EXPECTATIONS_CHANGED,
        Category.ORACLE_DISPUTE,
        Category.CONTRACT_REMOVED,
    }
)

_A = TypeVar("_A", Verdict, Finding)


def heaviest_first(answers: Iterable[_A]) -> list[_A]:
    """Verdicts or findings in the order a reader needs them; equals keep theirs."""
    return sorted(answers, key=lambda answer: -answer.decision)


def is_expectation(finding: Finding) -> bool:
    """Whether a finding is a change of what tests expect."""
    return finding.category in _EXPECTATIONS


def expectations(shown: Sequence[Finding], words: Words) -> str:
    """What tests expected and expect, side by side; empty when none changed."""
    if not shown:
        return ""
    rows = [
        (
            code(finding.test) if finding.test else _place(finding),
            code(finding.was, 200) if finding.was else "",
            code(finding.now, 200) if finding.now else "",
            f"{prose(finding.because, 300)} ({finding.decision.word})",
        )
        for finding in shown
    ]
    heads = (words.test, words.was, words.now, words.what)
    title = words.expectations.format(count=len(shown))
    return f"{title}\n\n{_table(heads, rows)}"


def verdicts(shown: Sequence[Verdict], words: Words) -> str:
    """The verdict table; empty when there is nothing to show."""
    heads = (words.test, words.what, words.change, words.seen)
    return _table(
        heads,
        [
            (
                code(verdict.test),
                what(verdict, words),
                change(verdict, words),
                prose(counts.seen(verdict)),
            )
            for verdict in shown
        ],
    )


def findings(shown: Sequence[Finding], words: Words) -> str:
    """The findings that are no single test's verdict."""
    rows = [
        (
            _place(finding),
            f"{prose(finding.rule.replace('-', ' '), 80)} ({finding.decision.word})",
            prose(finding.because or finding.effect or "", 400),
            code(finding.was, 120) if finding.was is not None else "",
            code(finding.now, 120) if finding.now is not None else "",
        )
        for finding in shown
    ]
    if any(row[3] or row[4] for row in rows):
        heads = (words.where, words.what, words.change, words.was, words.now)
        return _table(heads, rows)
    return _table((words.where, words.what, words.change), [row[:3] for row in rows])


def rest(left_out: int, words: Words) -> str:
    """How many rows there was no room for."""
    return words.more.format(count=f"{left_out:,}") + "." if left_out > 0 else ""


def what(verdict: Verdict, words: Words) -> str:
    """What the test is, and whether this change made it so."""
    name = words.categories[verdict.category]
    if verdict.category in _SELF_EVIDENT:
        return name
    return f"{name}, {words.brought if verdict.introduced else words.here_before}"


def change(verdict: Verdict, words: Words) -> str:
    """What would have to change for the test to pass."""
    if verdict.decision is Decision.PASS and not verdict.introduced:
        company = _company(verdict, words)
        return f"{words.nothing_to_change}{f'; {company}' if company else ''}"
    side = f"**{words.sides[verdict.side]}**"
    company = _company(verdict, words)
    if verdict.culprit and verdict.side in {Blame.PRODUCTION, Blame.BOTH}:
        places = ", ".join(
            code(f"{c.path}:{c.lines}") for c in verdict.culprit[:_NAMED]
        )
        told = f"{side}, {places}: {words.reverting}"
        return f"{told}; {company}" if company else told
    because = prose(verdict.because)
    reasons = "; ".join(part for part in (company, because) if part)
    return f"{side}: {reasons}" if reasons else side


def _company(verdict: Verdict, words: Words) -> str:
    """Which tests have to run first for it to fail, or to pass."""
    named = []
    for label, tests in (
        (words.polluter, verdict.polluters),
        (words.setter, verdict.setters),
    ):
        if tests:
            shown = ", ".join(code(test) for test in tests[:_NAMED])
            named.append(f"{label} {shown}{', …' if tests[_NAMED:] else ''}")
    if named and verdict.resource:
        named.append(prose(verdict.resource, 120))
    return "; ".join(named)


def _place(finding: Finding) -> str:
    if finding.path is not None:
        line = f":{finding.line}" if finding.line is not None else ""
        return code(f"{finding.path}{line}")
    return code(finding.test) if finding.test is not None else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [heads, ["---"] * len(heads), *([cell(c) for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
